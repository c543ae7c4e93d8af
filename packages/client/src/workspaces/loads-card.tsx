import type { Workspace } from '@dorkos/shared'
import type { ReactNode } from 'react'
import { text } from '../text/page-text.ts'
import { Card } from '../ui/page.tsx'
import { type Loads, whatLoads } from './what-loads.ts'

/** What trust means for this workspace: what agents load now, and what they would load otherwise. */
export function LoadsCard({ workspace }: { workspace: Workspace }) {
  const words = text.workspaces.loads
  const now = workspace.trusted ? 'trusted' : 'untrusted'
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="font-semibold">{words.title}</h2>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Column title={words.nowHeading[now]} loads={whatLoads(workspace, workspace.trusted)} strong />
        <Column title={words.otherHeading[now]} loads={whatLoads(workspace, !workspace.trusted)} />
      </div>
      <p className="text-xs text-soft">{words.always}</p>
    </Card>
  )
}

function Column({ title, loads, strong = false }: { title: string; loads: Loads; strong?: boolean }) {
  const words = text.workspaces.loads
  return (
    <section className={strong ? 'rounded-lg bg-raised p-3' : 'rounded-lg border border-line p-3'}>
      <h3 className="text-sm font-medium">{title}</h3>
      <dl className="flex flex-col gap-2 pt-2 text-sm">
        <Row label={words.settings}>{loads.settings.map((one) => words.sources[one])}</Row>
        <Row label={words.servers}>{loads.servers.map((one) => words.scopes[one])}</Row>
        <Row label={words.tools}>{loads.modules.map((one) => words.modules[one])}</Row>
      </dl>
    </section>
  )
}

function Row({ label, children }: { label: string; children: readonly ReactNode[] }) {
  return (
    <div>
      <dt className="text-xs text-soft">{label}</dt>
      {children.length === 0 ? (
        <dd className="text-faint">{text.workspaces.loads.nothing}</dd>
      ) : (
        children.map((child) => (
          <dd key={String(child)} className="ml-4 list-item list-disc marker:text-faint">
            {child}
          </dd>
        ))
      )}
    </div>
  )
}
