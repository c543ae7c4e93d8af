import type { TrustItem, TrustKind, Workspace, WorkspaceTrust } from '@dorkos/shared'
import { SafeText } from '../render/safe-text.tsx'
import { sequence } from '../render/sequence.ts'
import { text } from '../text/page-text.ts'
import { Notice } from '../ui/notice.tsx'
import { Card } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { TrustActions } from './trust-actions.tsx'
import { TrustChanges } from './trust-changes.tsx'
import { TrustItemView } from './trust-item.tsx'
import { TrustBadge } from './workspace-row.tsx'

const kinds: readonly TrustKind[] = ['server', 'settings', 'tool', 'profile', 'script', 'file']

interface TrustPanelProps {
  workspace: Workspace
  trust: WorkspaceTrust
}

/** What trust in a workspace covers, what has changed, and the way to give or withdraw it. */
export function TrustPanel({ workspace, trust }: TrustPanelProps) {
  const words = text.workspaces
  const { items, faults, changes = [], given } = trust
  return (
    <>
      {faults.length > 0 && (
        <Notice tone="danger">
          <p className="font-medium">{words.faults.title}</p>
          <ul className="flex flex-col gap-1 pt-1">
            {sequence(faults, ({ path, reason }) => (
              <li>
                <bdi dir="ltr" className="font-mono text-xs break-all">
                  <SafeText text={path} />
                </bdi>{' '}
                <SafeText text={reason} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <TrustChanges changes={changes} />
      <Card className="flex min-w-0 flex-col gap-3">
        <div className="flex items-center gap-2">
          <h2 className="min-w-0 flex-1 font-semibold">{words.covers.title(items.length)}</h2>
          <span className="sm:hidden">
            <TrustBadge workspace={workspace} />
          </span>
        </div>
        {groupItems(items).map((group) => (
          <section key={group.kind} className="flex min-w-0 flex-col gap-2">
            <h3 className="text-sm font-medium">{words.covers.kinds[group.kind]}</h3>
            <ul className="flex min-w-0 flex-col gap-2">
              {group.items.map((item) => (
                <TrustItemView key={`${item.path} ${item.name ?? ''}`} item={item} />
              ))}
            </ul>
          </section>
        ))}
        <p className="text-sm text-soft">{items.length === 0 ? words.covers.nothing : words.covers.hint}</p>
        {given && (
          <p className="text-sm text-soft">
            <SafeText text={words.given(given.principal)} /> <Time value={given.at} />
          </p>
        )}
        <TrustActions workspace={workspace} trust={trust} />
      </Card>
    </>
  )
}

/** What trust covers, by kind; what can run comes first. */
export function groupItems(items: readonly TrustItem[]): { kind: TrustKind; items: TrustItem[] }[] {
  return kinds
    .map((kind) => ({ kind, items: items.filter((item) => item.kind === kind) }))
    .filter((group) => group.items.length > 0)
}
