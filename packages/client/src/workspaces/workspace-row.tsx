import type { Workspace } from '@dorkos/shared'
import { ChevronRight } from 'lucide-react'
import { Link } from 'wouter'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import { trustTones } from './trust-words.ts'
import { WorkspaceMenu } from './workspace-menu.tsx'

export function WorkspaceRow({ workspace }: { workspace: Workspace }) {
  const words = text.workspaces
  return (
    <li className="flex items-start gap-2 rounded-xl border border-line bg-card p-3 sm:px-4">
      <Link href={`/workspaces/${workspace.id}`} className="group min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="flex min-w-0 items-center gap-0.5 font-semibold group-hover:underline">
            <bdi className="truncate" title={withVisibleControls(workspace.name)}>
              <SafeText text={workspace.name} />
            </bdi>
            <ChevronRight aria-hidden size={15} className="shrink-0 text-faint" />
          </span>
          <WorkspaceBadges workspace={workspace} />
        </span>
        <span className="flex gap-2 pt-0.5 text-xs text-soft">
          <bdi dir="ltr" title={withVisibleControls(workspace.path)} className="truncate font-mono">
            <SafeText text={workspace.path} />
          </bdi>
          {workspace.mode === 'host' && <span className="shrink-0 text-faint">{words.modes.host}</span>}
        </span>
        {workspace.trust === 'changed' && (
          <span className="block pt-1 text-sm text-warn">{words.trustHints.changed}</span>
        )}
      </Link>
      <WorkspaceMenu workspace={workspace} />
    </li>
  )
}

/** Trust, main, and where it runs. */
export function WorkspaceBadges({ workspace }: { workspace: Workspace }) {
  const words = text.workspaces
  return (
    <>
      {workspace.main && (
        <Badge tone="neutral" title={words.mainHint}>
          {words.main}
        </Badge>
      )}
      <TrustBadge workspace={workspace} />
      {workspace.mode === 'container' && <Badge>{words.modes.container}</Badge>}
    </>
  )
}

export function TrustBadge({ workspace: { trust } }: { workspace: Workspace }) {
  const words = text.workspaces
  return (
    <Badge tone={trustTones[trust]} title={words.trustHints[trust]}>
      {words.trust[trust]}
    </Badge>
  )
}
