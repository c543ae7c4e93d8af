import type { Approval, NewEvent } from '@dorkos/shared'

/** The event which says that a session waits for a person. */
export function promptEvent(approval: Approval): NewEvent {
  return approval.kind === 'tool'
    ? { type: 'approval_required', approval }
    : { type: 'question_prompt', approval }
}

/** The event which says what became of that. */
export function resolvedEvent(approval: Approval): NewEvent {
  const common = {
    approval_id: approval.id,
    ...(approval.tool_call_id !== undefined && { tool_call_id: approval.tool_call_id }),
    state: approval.state,
    ...(approval.decided_at !== undefined && { decided_at: approval.decided_at }),
    ...(approval.decided_by && { decided_by: approval.decided_by }),
    ...(approval.message !== undefined && { message: approval.message }),
    ...(approval.said && { said: approval.said }),
  }
  if (approval.kind === 'tool') {
    const { edited, updated_input, scope, rule_id } = approval
    return {
      type: 'approval_resolved',
      ...common,
      ...(edited && { edited }),
      ...(updated_input && { updated_input }),
      ...(scope && { scope }),
      ...(rule_id !== undefined && { rule_id }),
    }
  }
  const answer = approval.answer === undefined ? {} : { answer: approval.answer }
  return { type: 'question_resolved', ...common, ...answer }
}
