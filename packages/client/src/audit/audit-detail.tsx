import type { AuditEntry } from '@dorkos/shared'
import { useMemo } from 'react'
import { SessionLink } from '../costs/session-link.tsx'
import { useSessionTitles } from '../queries/use-session-titles.ts'
import { useWorkspaces } from '../queries/workspaces.ts'
import { JsonView } from '../render/json-view.tsx'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { formatDateTime } from '../ui/format.ts'
import { deciderWords } from './audit-words.ts'

interface AuditDetailProps {
  entry: AuditEntry
  onSession: (id: string) => void
}

/** All that a line says. */
export function AuditDetail({ entry, onSession }: AuditDetailProps) {
  const t = text.audit
  const by = entry.decided_by
  const workspace = useWorkspaces().find(({ id }) => id === entry.workspace_id)
  const facts: readonly [string, string | undefined][] = [
    [t.line, String(entry.id)],
    [t.time, formatDateTime(entry.time)],
    [t.principal, entry.principal],
    [t.decidedBy, by && deciderWords(by)],
    [t.from, by?.from],
    [t.token, by?.token_id],
    [t.rule, by?.rule_id],
    [t.mode, entry.permission_mode],
    [
      t.workspace,
      workspace === undefined ? entry.workspace_id : t.workspaceNamed(workspace.name, workspace.id),
    ],
    [t.turn, entry.turn_id],
    [t.call, entry.tool_call_id],
    [t.approval, entry.approval_id],
    [t.inputHash, entry.input_hash],
    [t.hash, entry.hash],
  ]
  return (
    <div className="flex min-w-0 flex-col gap-2 px-2 pb-3 pl-8 text-sm">
      {entry.session_id !== undefined && <SessionLine id={entry.session_id} onSession={onSession} />}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5">
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name} className="contents">
              <dt className="text-xs leading-5 text-soft">{name}</dt>
              <dd className="font-mono text-xs leading-5 break-all">
                <bdi>{withVisibleControls(value)}</bdi>
              </dd>
            </div>
          ),
        )}
      </dl>
      <Data title={t.input} value={entry.input} />
      <Data title={t.detail} value={entry.detail} />
    </div>
  )
}

function SessionLine({ id, onSession }: { id: string; onSession: (id: string) => void }) {
  const name = useSessionTitles(useMemo(() => [id], [id]))(id)
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3">
      <div className="min-w-0">
        <SessionLink id={id} name={name} />
      </div>
      <Button size="sm" variant="ghost" onClick={() => onSession(id)}>
        {text.audit.onlySession}
      </Button>
    </div>
  )
}

function Data({ title, value }: { title: string; value: unknown }) {
  if (value === undefined) return null
  return (
    <div>
      <h2 className="text-xs font-medium text-soft">{title}</h2>
      <JsonView value={value} />
    </div>
  )
}
