import type { Approval, ApprovalAnswer } from '@dorkos/shared'

/** What every form of an answer gets. */
export interface AnswerFormProps {
  approval: Approval
  send: (answer: ApprovalAnswer) => void
  /** An answer is on its way. */
  isBusy: boolean
  /** This device may not answer. */
  disabled: boolean
}
