/** What waits for a person, with its answer: for the start page. */
import type { Approval, ApprovalAnswer } from '@dorkos/shared'
import { Check, X } from 'lucide-react'
import { useRef } from 'react'
import { Link } from 'wouter'
import { AllowButton } from '../approvals/allow-button.tsx'
import { answers, useAnswering } from '../approvals/answers.ts'
import { useArming } from '../approvals/arming.ts'
import { subjectOf } from '../approvals/call-view.ts'
import { Countdown } from '../approvals/countdown.tsx'
import { inInboxOrder } from '../approvals/inbox.ts'
import { ToolLabel } from '../approvals/tool-label.tsx'
import { useCan } from '../auth/auth-store.ts'
import { focusHome } from '../composer/use-focus-home.ts'
import { useSessionName } from '../queries/use-names.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/card-text.ts'
import { StateGlyph } from '../ui/badge.tsx'
import { Button, linkLook } from '../ui/button.tsx'
import { toast } from '../ui/toast.tsx'

export function NeedsYou({ approvals }: { approvals: readonly Approval[] }) {
  return (
    <ul aria-label={text.shell.home.needsYou} className="flex flex-col gap-2">
      {inInboxOrder(approvals).map((approval) => (
        <li key={approval.id}>
          <WaitingRow approval={approval} />
        </li>
      ))}
    </ul>
  )
}

function WaitingRow({ approval }: { approval: Approval }) {
  const row = useRef<HTMLElement>(null)
  const arming = useArming(row)
  const mayAnswer = useCan('approve')
  const isBusy = useAnswering(approval.id).state === 'busy'
  const session = useSessionName(approval.session_id)
  const t = text.approvals
  const words = withVisibleControls(subjectOf(approval))
  return (
    <article
      ref={row}
      className="flex flex-col gap-2 rounded-xl border border-attention-fill/60 bg-card p-3 sm:flex-row sm:items-center"
    >
      <Link href={`/sessions/${approval.session_id}#${approval.id}`} className="min-w-0 flex-1">
        <span className="flex items-center gap-2 text-sm">
          <StateGlyph shape="diamond" tone="attention" />
          <span className="min-w-0 truncate font-medium">
            {approval.kind === 'tool' ? <ToolLabel tool={approval.tool} /> : t.inbox.kind[approval.kind]}
          </span>
          <bdi className="min-w-0 flex-1 truncate text-soft">{session}</bdi>
          <Countdown deadline={approval.deadline} />
        </span>
        {words !== '' && (
          <span dir="auto" title={words} className="mt-0.5 block truncate font-mono text-xs text-soft">
            {words}
          </span>
        )}
      </Link>
      {approval.kind === 'tool' && mayAnswer ? (
        // Of one width: what is safest is not the harder one to hit.
        <span className="grid grid-cols-2 gap-2">
          <Button icon={X} disabled={isBusy} onClick={() => void answer(approval.id, { decision: 'deny' })}>
            {t.actions.deny}
          </Button>
          <AllowButton
            icon={Check}
            arming={arming}
            busy={isBusy}
            onClick={() => void answer(approval.id, { decision: 'allow', scope: 'once' })}
          >
            {t.actions.allowOnce}
          </AllowButton>
        </span>
      ) : (
        <Link href={`/sessions/${approval.session_id}#${approval.id}`} className={linkLook('plain', 'md')}>
          {text.shell.home.open}
        </Link>
      )}
    </article>
  )
}

/** The row goes, and what had the focus with it: what became of it is said, and one goes on at the box above. */
async function answer(id: string, given: ApprovalAnswer): Promise<void> {
  const result = await answers.send(id, given)
  if (result.state === 'settled') toast.ok(text.approvals.inbox.states[result.decision.state])
  else if (result.state === 'failed') toast.error(result.fault)
  focusHome()
}
