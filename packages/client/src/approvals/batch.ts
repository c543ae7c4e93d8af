/** One answer for several approvals at once, sent for each of them by itself. */
import type { Approval, ApprovalAnswer } from '@dorkos/shared'
import { text } from '../text/card-text.ts'
import type { Answering, Answers } from './answers.ts'

/** Tool calls of one session that wait now; those that were answered from this page a moment ago are left out. */
export function batchOf(
  pending: readonly Approval[],
  sessionId: string,
  answering: (id: string) => Answering,
): Approval[] {
  return pending.filter(
    ({ id, kind, session_id, state }) =>
      session_id === sessionId && kind === 'tool' && state === 'pending' && answering(id).state !== 'settled',
  )
}

export interface BatchResult {
  allowed: number
  denied: number
  /** Answered before, or not answered. */
  other: number
}

export async function answerAll(
  answers: Pick<Answers, 'send'>,
  batch: readonly Approval[],
  answer: ApprovalAnswer,
): Promise<BatchResult> {
  const ends = await Promise.all(batch.map(({ id }) => answers.send(id, answer)))
  const mine = ends.filter((end) => end.state === 'settled' && end.mine)
  const of = (state: string) =>
    mine.filter((end) => end.state === 'settled' && end.decision.state === state).length
  const allowed = of('allowed')
  const denied = of('denied')
  return { allowed, denied, other: batch.length - allowed - denied }
}

export function batchWords({ allowed, denied, other }: BatchResult): string {
  return text.approvals.batch.done(allowed, denied, other)
}
