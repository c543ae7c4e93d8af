/** About approvals and rules. */
import { permission } from './permission.ts'

const by = (who: string | undefined) => (who === undefined ? '' : ` by ${who}`)

export const approvalWords = {
  approval_not_found: 'There’s no such approval.',
  approval_being_decided: 'This is already being answered.',
  approval_allowed: ({ who }: { who: string | undefined }) => `This was already allowed${by(who)}.`,
  approval_denied: ({ who }: { who: string | undefined }) => `This was already denied${by(who)}.`,
  approval_expired: 'This expired because no one answered in time.',
  approval_void: ({ why }: { why: string | undefined }) =>
    ['This no longer needs an answer.', why].filter(Boolean).join(' '),
  approve_needed: `Answering needs the ${permission('approve')}.`,
  admin_needed_for_everywhere: `A rule that applies everywhere needs the ${permission('admin')}. Allow it for this workspace or session instead.`,
  admin_needed_to_revoke: `Revoking a deny or ask rule lets agents do more, so it needs the ${permission('admin')}.`,
  asking_session_gone: 'The session that asked is no longer running.',

  answer_invalid: ({ why }: { why: string }) => `The answer wasn’t accepted: ${why}.`,
  answer_interrupts_form: 'answering a form can’t stop the turn, so interrupt the session instead',
  answer_dismisses_other: 'only a form can be closed without an answer',
  answer_once_only: ({ tool }: { tool: string }) => `${tool} asks every time, so it can only be allowed once`,
  answer_without_answers: 'a question needs `answers`, keyed by the text of each question',
  answer_to_no_question: ({ question }: { question: string }) =>
    `there’s no question ${JSON.stringify(question)}`,
  answer_not_text: ({ question }: { question: string }) =>
    `the answer to ${JSON.stringify(question)} must be text or a list of texts`,
  answer_of_plan: 'only `plan` can be edited in a plan, and it must be text',
  answer_of_form: ({ path, fault }: { path: string; fault: string }) => `\`${path}\` ${fault}`,
  answer_field_unused: ({
    field,
    kind,
  }: {
    field: string
    kind: 'tool' | 'question' | 'plan' | 'elicitation'
  }) => {
    const what = { tool: 'a tool call', question: 'a question', plan: 'a plan', elicitation: 'a form' }
    return `an answer to ${what[kind]} can’t have \`${field}\``
  },
  edit_refused: ({ why }: { why: string }) => `The edited input isn’t allowed: ${why}`,
  edit_unchecked: 'DorkOS couldn’t check the edited input',

  rule_not_found: 'There’s no such rule, or it was revoked.',
  rule_in_configuration: 'This rule comes from the configuration file. Change it there.',
  rule_once_covers_call:
    'Allowing once covers only this call. To cover more, allow it for the session, the workspace or everywhere.',
  rule_impossible: 'This call can’t become a rule. Allow it once.',
  rule_input_too_long: 'The input is too long for a rule about exactly this call. Allow it once.',
  rule_without_prefix: 'Claude Code doesn’t offer a rule for commands like this one.',
  rule_for_mcp_only: 'Only MCP tools can be allowed whatever their input.',
  rule_fields_unfixed: 'A rule can’t require these input fields to stay the same.',
  rule_without_workspace: 'This session has no workspace. Allow it once or for the session.',
  rule_with_pattern:
    'A stored rule names one tool. Put patterns with * in `rules` in the configuration file.',
  rule_asked_each_time: ({ tool }: { tool: string }) => `${tool} asks every time, and no rule can allow it.`,
  rule_of_answer_fixed:
    'This rule was set by an answer, so what it covers can’t be changed. Revoke it instead.',
  rule_only_allows: 'Claude Code decides what this rule matches, so it can only allow. Revoke it instead.',
}
