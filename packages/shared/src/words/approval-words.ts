/** About approvals and rules. */
const by = (who: string | undefined) => (who === undefined ? '' : ` by ${who}`)

export const approvalWords = {
  approval_not_found: 'There is no such approval.',
  approval_being_decided: 'This is being decided.',
  approval_allowed: ({ who }: { who: string | undefined }) => `This was already allowed${by(who)}.`,
  approval_denied: ({ who }: { who: string | undefined }) => `This was already denied${by(who)}.`,
  approval_expired: 'This has expired: nobody answered in time.',
  approval_void: ({ why }: { why: string | undefined }) =>
    ['Nobody waits for this any more.', why].filter(Boolean).join(' '),
  approve_needed: 'This token may not answer for a person: it lacks the scope `approve`.',
  admin_needed_for_everywhere:
    'A rule that holds everywhere needs a token with the scope `admin`; allow it in this workspace or session.',
  admin_needed_to_revoke:
    'To revoke a rule that denies or asks loosens what agents may do: it needs a token with the scope `admin`.',
  asking_session_gone: 'The session that asked is not live any more.',

  answer_invalid: ({ why }: { why: string }) => `The answer does not fit: ${why}.`,
  answer_interrupts_form:
    'the server that sent a form cannot be told to stop the turn; interrupt the session',
  answer_dismisses_other: 'only a form can be closed without an answer',
  answer_once_only: ({ tool }: { tool: string }) =>
    `${tool} is asked about each time: it can only be allowed once`,
  answer_without_answers: 'a question is answered with `answers`, by the text of each question',
  answer_to_no_question: ({ question }: { question: string }) =>
    `there is no question ${JSON.stringify(question)}`,
  answer_not_text: ({ question }: { question: string }) =>
    `the answer to ${JSON.stringify(question)} must be a text, or a list of texts`,
  answer_of_plan: 'of a plan only `plan` can be edited, and it is text',
  answer_of_form: ({ path, fault }: { path: string; fault: string }) => `\`${path}\` ${fault}`,
  answer_field_unused: ({
    field,
    kind,
  }: {
    field: string
    kind: 'tool' | 'question' | 'plan' | 'elicitation'
  }) => {
    const what = { tool: 'a tool call', question: 'a question', plan: 'a plan', elicitation: 'a form' }
    return `\`${field}\` means nothing in the answer to ${what[kind]}`
  },
  edit_refused: ({ why }: { why: string }) => `The edited input is not allowed: ${why}`,
  edit_unchecked: 'the edited input cannot be checked',

  rule_not_found: 'There is no such rule, or it was revoked.',
  rule_in_configuration: 'This rule is in the configuration file; change it there.',
  rule_once_covers_call: 'What is allowed once covers this call alone; choose a lasting scope.',
  rule_impossible: 'No rule can be made of this call; allow it once.',
  rule_input_too_long: 'The input is too long for a rule that is for it alone.',
  rule_without_prefix: 'Claude Code proposes no rule for commands like this one.',
  rule_for_mcp_only: 'Only tools of MCP servers can be allowed whatever their input.',
  rule_fields_unfixed: 'These fields of the input cannot be held fixed by a rule.',
  rule_without_workspace: 'This session belongs to no workspace; allow it once or for the session.',
  rule_with_pattern:
    'A stored rule names one tool. Patterns with * belong into `rules` in the configuration file.',
  rule_asked_each_time: ({ tool }: { tool: string }) =>
    `${tool} is put to a person each time; no rule can allow it.`,
  rule_of_answer_fixed:
    'What this rule is for was chosen in an answer and cannot be changed; revoke it instead.',
  rule_only_allows: 'Claude Code alone matches this rule, so it can only allow; revoke it instead.',
}
