import type { Approval, ApprovalAnswer } from '@dorkos/shared'
import type { Arming } from './arming.ts'

/** What every form of an answer gets. */
export interface AnswerFormProps {
  approval: Approval
  send: (answer: ApprovalAnswer) => void
  /** An answer is on its way. */
  isBusy: boolean
  /** This device may not answer. */
  disabled: boolean
  /** Whether an answer that allows counts yet. */
  arming: Arming
}
