/** Asks a person about an approval, of whatever kind. Nothing is allowed by an answer that is not exactly one of those offered. */
import type { Approval, EndpointBody } from '@dorkos/shared'
import { askForm } from './ask-form.ts'
import { askPlan } from './ask-plan.ts'
import { askQuestions } from './ask-questions.ts'
import { askTool } from './ask-tool.ts'
import type { Asker } from './line-asker.ts'
import type { Style } from './style.ts'

export type Answer = EndpointBody<'answerApproval'>

export interface AskContext {
  asker: Asker
  /** Writes whole lines. */
  notify: (text: string) => void
  style: Style
  /** Somebody else has answered. */
  signal: AbortSignal
}

/** Undefined: left open, or taken back. */
export function askApproval(context: AskContext, approval: Approval): Promise<Answer | undefined> {
  switch (approval.kind) {
    case 'question':
      return askQuestions(context, approval)
    case 'plan':
      return askPlan(context, approval)
    case 'elicitation':
      return askForm(context, approval)
    default:
      return askTool(context, approval)
  }
}
