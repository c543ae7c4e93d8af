import type { ApprovalKind } from './approval.ts'

/** What stands on record for a form of an MCP server that was closed without an answer. */
export const dismissedForm = 'The form was closed without an answer.'

/**
 * The message to the agent when a person denies without words. A deny without words reaches the model as a fault of the host; so
 * there are always some. A page need not repeat them: nobody wrote them.
 */
export const standardDenials: Readonly<Record<ApprovalKind, string>> = {
  tool: 'The user denied this call. Do not repeat it; ask what to do instead if that is not clear.',
  question: 'The user declined to answer.',
  plan: 'The user did not approve the plan. Keep planning, or ask what to change.',
  elicitation: 'The user declined.',
}
