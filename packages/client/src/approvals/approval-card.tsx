import type { Approval, ApprovalAnswer } from '@dorkos/shared'
import { type RefObject, useEffect, useId, useState } from 'react'
import { useCan } from '../auth/auth-store.ts'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/card-text.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { Notice } from '../ui/notice.tsx'
import { allowanceOf } from './allowance.ts'
import type { AnswerFormProps } from './answer-form-props.ts'
import { answers, useAnswering } from './answers.ts'
import { ApprovalActions, type Panel } from './approval-actions.tsx'
import { ApprovalBatch } from './approval-batch.tsx'
import { forgetDrafts } from './approval-draft.ts'
import { ApprovalHeader } from './approval-header.tsx'
import { useArming } from './arming.ts'
import { CallBody } from './call-body.tsx'
import { useCardFocus } from './card-focus.ts'
import { type CardAction, pressedAction, useCardKeys } from './card-keys.ts'
import { asItRan, decisionOf } from './decision.ts'
import { DecisionLine } from './decision-line.tsx'
import { ElicitationForm } from './elicitation-form.tsx'
import { PlanReview } from './plan-review.tsx'
import { QuestionForm } from './question-form.tsx'

interface ApprovalCardProps {
  approval: Approval
  /** `inbox`: shows which session it belongs to. */
  variant?: 'flow' | 'inbox'
  /** It was answered in this card. */
  onAnswered?: () => void
}

/** What an agent waits for, whole, and every way to answer it. It never takes the focus by itself. */
export function ApprovalCard({ approval, variant = 'flow', onAnswered }: ApprovalCardProps) {
  const titleId = useId()
  const noScopeId = useId()
  const mayAnswer = useCan('approve')
  const answering = useAnswering(approval.id)
  const settled = answering.state === 'settled' ? answering : undefined
  const decision = decisionOf(approval) ?? settled?.decision
  const isOpen = decision === undefined
  const card = useCardFocus(approval.id, isOpen, onAnswered)
  useEffect(() => {
    if (!isOpen) forgetDrafts(approval.id)
  }, [isOpen, approval.id])
  return (
    <article
      ref={card}
      tabIndex={-1}
      data-approval={approval.id}
      data-open={isOpen || undefined}
      aria-labelledby={titleId}
      aria-describedby={isOpen && !mayAnswer ? noScopeId : undefined}
      className={cx(
        'flex min-w-0 flex-col gap-3 rounded-xl border bg-card p-3 sm:p-4',
        isOpen ? 'border-attention-fill/60' : 'border-line',
      )}
    >
      <ApprovalHeader approval={approval} titleId={titleId} variant={variant} isOpen={isOpen} />
      {approval.reason && !isSaidBelow(approval) && <Reason reason={approval.reason} />}
      {isOpen ? (
        <OpenApproval
          key={approval.id}
          approval={approval}
          variant={variant}
          card={card}
          noScopeId={noScopeId}
        />
      ) : (
        <>
          {approval.kind === 'tool' && variant === 'inbox' && <CallBody approval={asItRan(approval)} />}
          <DecisionLine decision={decision} kind={approval.kind} scope={decision.scope ?? settled?.scope} />
        </>
      )}
    </article>
  )
}

/** For want of a reason the CLI often repeats a part of the input, or the end of its path. */
function isSaidBelow({ reason, input }: Approval): boolean {
  return Object.values(input).some(
    (value) => typeof value === 'string' && (value === reason || value.endsWith(`/${reason}`)),
  )
}

function Reason({ reason }: { reason: string }) {
  return (
    <p dir="auto" className="text-sm break-words text-soft">
      <span className="font-medium">{text.approvals.card.reason}</span> <SafeText text={reason} />
    </p>
  )
}

interface OpenApprovalProps {
  approval: Approval
  variant: 'flow' | 'inbox'
  card: RefObject<HTMLElement | null>
  /** Of what says that this device may not answer. */
  noScopeId: string
}

function OpenApproval({ approval, variant, card, noScopeId }: OpenApprovalProps) {
  const mayAnswer = useCan('approve')
  const isBusy = useAnswering(approval.id).state === 'busy'
  const arming = useArming(card)
  const send = (answer: ApprovalAnswer) => {
    const counts = answer.decision === 'deny' || arming.state !== 'new'
    if (mayAnswer && counts) void answers.send(approval.id, answer)
  }
  const form = { approval, send, isBusy, disabled: !mayAnswer, arming }
  return (
    <>
      {approval.kind === 'question' && <QuestionForm {...form} />}
      {approval.kind === 'plan' && <PlanReview {...form} />}
      {approval.kind === 'elicitation' && <ElicitationForm {...form} />}
      {approval.kind === 'tool' && <ToolApproval {...form} />}
      <AnswerFault approvalId={approval.id} />
      {!mayAnswer && (
        <div id={noScopeId}>
          <Notice tone="warn">{text.approvals.card.noScope}</Notice>
        </div>
      )}
      {approval.kind === 'tool' && variant === 'flow' && <ApprovalBatch approval={approval} />}
    </>
  )
}

function ToolApproval(form: AnswerFormProps) {
  const { approval, send, isBusy, disabled } = form
  const [panel, setPanel] = useState<Panel>('none')
  const allowance = allowanceOf(approval)
  const act: Record<CardAction, () => void> = {
    allow: () => send({ decision: 'allow', scope: 'once' }),
    session: () => allowance.session && send({ decision: 'allow', scope: 'session' }),
    deny: () => send({ decision: 'deny' }),
    edit: () => allowance.edit && setPanel('edit'),
  }
  const part = useCardKeys((event, card) => {
    const action = pressedAction(event, card)
    if (!action || disabled || isBusy) return false
    // What is edited can be allowed as it is edited only.
    if (panel === 'edit' && (action === 'allow' || action === 'session')) return false
    act[action]()
  })
  return (
    <div ref={part} className="flex min-w-0 flex-col gap-3">
      <CallBody approval={approval} />
      <ApprovalActions {...form} allowance={allowance} panel={panel} setPanel={setPanel} />
    </div>
  )
}

/** Why an answer did not count; one that got lost can be sent again as it was. */
function AnswerFault({ approvalId }: { approvalId: string }) {
  const answering = useAnswering(approvalId)
  const t = text.approvals.card
  if (answering.state === 'busy')
    return (
      <p role="status" className="sr-only">
        {t.answering}
      </p>
    )
  if (answering.state !== 'failed') return null
  const { lost, fault, answer } = answering
  if (!lost) return <Notice tone="danger">{t.refused(fault)}</Notice>
  const retry = (
    <Button size="sm" onClick={() => void answers.send(approvalId, answer)}>
      {t.retry}
    </Button>
  )
  return (
    <Notice tone="danger" action={retry}>
      {t.notSent(fault)}
    </Notice>
  )
}
