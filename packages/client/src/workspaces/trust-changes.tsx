import type { TrustChange } from '@dorkos/shared'
import { wrappedDiff } from '../mcp/pin-diff.tsx'
import { PatchView } from '../render/diff.tsx'
import { SafeText } from '../render/safe-text.tsx'
import { sequence } from '../render/sequence.ts'
import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/page.tsx'

const tones = { added: 'ok', removed: 'danger', changed: 'warn' } as const

/** What is different from what was trusted. */
export function TrustChanges({ changes }: { changes: readonly TrustChange[] }) {
  const words = text.workspaces.changes
  if (changes.length === 0) return null
  return (
    <Card className="flex min-w-0 flex-col gap-3">
      <h2 className="font-semibold">{words.title}</h2>
      {changes.map((change) => (
        <section key={`${change.kind} ${change.path} ${change.name ?? ''}`} className="min-w-0">
          <h3 className="flex flex-wrap items-center gap-2 text-sm">
            <Badge tone={tones[change.change]}>{words.kinds[change.change]}</Badge>
            {change.name !== undefined && (
              <bdi className="font-medium break-all">
                <SafeText text={change.name} />
              </bdi>
            )}
            <bdi dir="ltr" className="font-mono text-xs break-all text-soft">
              <SafeText text={change.path} />
            </bdi>
          </h3>
          {sequence(change.notes, (note) => (
            <p className="pt-1 text-sm break-words text-warn">
              <SafeText text={note} />
            </p>
          ))}
          {change.diff !== undefined && (
            <div className={wrappedDiff}>
              <PatchView patch={change.diff} fileName={change.path} />
            </div>
          )}
        </section>
      ))}
    </Card>
  )
}
