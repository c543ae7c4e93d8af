import { text } from '../text/card-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { answers, useAnswering } from './answers.ts'

/** Why an answer did not count; one that got lost can be sent again as it was. */
export function AnswerFault({ approvalId }: { approvalId: string }) {
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
