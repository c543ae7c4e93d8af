import type { AuditEntry } from '@dorkos/shared'
import { useSessionName, useWorkspaceName } from '../queries/use-names.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { Time } from '../ui/time.tsx'
import { AuditDetail } from './audit-detail.tsx'
import { actionName, auditSubject, deciderWords, outcomeOf } from './audit-words.ts'

interface AuditRowProps {
  entry: AuditEntry
  open: boolean
  onToggle: () => void
  onSession: (id: string) => void
}

/** What a person did to the session itself, and not what an agent does in it. */
function isAboutSession({ action, tool }: AuditEntry): boolean {
  return tool === undefined && (action.startsWith('session_') || ofSessions.includes(action))
}

const ofSessions = ['files_rewound', 'message_settled']

/** One line in short; opened, all that it says. */
export function AuditRow({ entry, open, onToggle, onSession }: AuditRowProps) {
  const outcome = outcomeOf(entry)
  const subject = auditSubject(entry)
  const session = useSessionName(isAboutSession(entry) ? (entry.session_id ?? '') : '')
  const workspace = useWorkspaceName(entry.workspace_id)
  const object =
    subject ??
    (isAboutSession(entry) ? session : entry.action.startsWith('workspace_') ? workspace : undefined)
  const shown = object === undefined ? undefined : withVisibleControls(object)
  const label = (
    <>
      <span className="flex min-w-0 flex-1 flex-col gap-x-3 sm:flex-row sm:items-baseline">
        <span className="flex min-w-0 shrink-0 flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{actionName(entry.action)}</span>
          {entry.tool !== undefined && (
            <bdi className="max-w-60 truncate font-mono text-xs text-soft" title={entry.tool}>
              {withVisibleControls(entry.tool)}
            </bdi>
          )}
          {outcome && <Badge tone={outcome.tone}>{outcome.words}</Badge>}
          {entry.decided_by && (
            <bdi className="max-w-60 truncate text-xs text-soft">
              {text.audit.by(withVisibleControls(deciderWords(entry.decided_by)))}
            </bdi>
          )}
        </span>
        {shown !== undefined && (
          <span dir="auto" title={shown} className="min-w-0 truncate font-mono text-xs text-faint">
            {shown}
          </span>
        )}
      </span>
      <Time value={entry.time} className="shrink-0 text-xs text-faint" />
    </>
  )
  return (
    <Disclosure look="head" label={label} opened={[open, onToggle]} className="border-b border-line">
      <AuditDetail entry={entry} onSession={onSession} />
    </Disclosure>
  )
}
