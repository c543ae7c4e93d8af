/** Who was asked, and what was answered. */
import { type Approval, type EventOf, isRecord } from '@dorkos/shared'
import type { Decision, ToolItem, ToolStatus } from './page-session.ts'
import { isOpen } from './reduce-tools.ts'
import { changeCall, keepOrphan, ownItems, pushItem, type SessionDraft } from './session-draft.ts'
import { saidOf, textOf } from './untrusted-field.ts'

type Asked = EventOf<'approval_required' | 'question_prompt'>
type Resolved = EventOf<'approval_resolved' | 'question_resolved'>

const maxApprovals = 500

/** Puts an approval in the session's list. What is settled stays so, whatever comes late. */
export function keepApproval(draft: SessionDraft, approval: Approval): void {
  const known = draft.approvals[approval.id]
  if (known !== undefined && known.state !== 'pending' && approval.state === 'pending') return
  const approvals = { ...draft.approvals, [approval.id]: approval }
  const settled = Object.values(approvals).filter(({ state }) => state !== 'pending')
  for (const { id } of settled.slice(0, -maxApprovals)) delete approvals[id]
  draft.approvals = approvals
}

export function onAsked(draft: SessionDraft, event: Asked): void {
  const { approval } = event
  if (!isRecord(approval) || textOf(approval.id) === undefined) return
  keepApproval(draft, approval)
  const callId = textOf(approval.tool_call_id)
  if (callId !== undefined && attach(draft, callId, approval)) return
  showAlone(draft, approval)
  // Its call may stand in a page that is not loaded, or come in a moment.
  if (callId !== undefined) keepOrphan(draft, event)
}

function attach(draft: SessionDraft, callId: string, approval: Approval): boolean {
  const isThere = changeCall(draft, callId, (call) => ({
    ...call,
    approvalId: approval.id,
    status: isOpen(call.status) ? 'waiting' : call.status,
  }))
  if (isThere) hideAlone(draft, approval.id)
  return isThere
}

const aloneKey = (approvalId: string): string => `approval:${approvalId}`

function showAlone(draft: SessionDraft, approval: Approval): void {
  const key = aloneKey(approval.id)
  if (draft.items.some((item) => item.key === key)) return
  const time = textOf(approval.created_at) ?? ''
  pushItem(ownItems(draft), { kind: 'approval', key, time, approvalId: approval.id })
}

function hideAlone(draft: SessionDraft, approvalId: string): void {
  const key = aloneKey(approvalId)
  const at = draft.items.findLastIndex((item) => item.key === key)
  if (at !== -1) ownItems(draft).splice(at, 1)
}

export function onResolved(draft: SessionDraft, event: Resolved): void {
  const approvalId = textOf(event.approval_id)
  if (approvalId === undefined || textOf(event.state) === undefined) return
  const known = draft.approvals[approvalId]
  if (known !== undefined) keepApproval(draft, settledApproval(known, event))
  const callId = textOf(event.tool_call_id) ?? known?.tool_call_id
  if (callId === undefined) return
  const isThere = changeCall(draft, callId, (call) => decided(call, approvalId, decisionOf(event)))
  if (!isThere) keepOrphan(draft, event)
}

function settledApproval(approval: Approval, event: Resolved): Approval {
  return {
    ...approval,
    state: event.state,
    decided_at: textOf(event.decided_at) ?? event.time,
    ...(isRecord(event.decided_by) && { decided_by: event.decided_by }),
    ...(textOf(event.message) !== undefined && { message: event.message, said: saidOf(event.said) }),
    ...(event.type === 'approval_resolved' && resolvedFields(event)),
    ...('answer' in event && { answer: event.answer }),
  }
}

function resolvedFields(event: EventOf<'approval_resolved'>): Partial<Approval> {
  const { edited, updated_input, scope, rule_id } = event
  return {
    ...(edited === true && { edited }),
    ...(isRecord(updated_input) && { updated_input }),
    ...(textOf(scope) !== undefined && { scope }),
    ...(textOf(rule_id) !== undefined && { rule_id }),
  }
}

function decisionOf(event: Resolved): Decision {
  return {
    state: event.state,
    by: isRecord(event.decided_by) ? event.decided_by : undefined,
    time: textOf(event.decided_at) ?? event.time,
    message: textOf(event.message),
    said: saidOf(event.said),
    edited: 'edited' in event && event.edited === true,
    updatedInput: 'updated_input' in event && isRecord(event.updated_input) ? event.updated_input : undefined,
    scope: 'scope' in event ? event.scope : undefined,
    answer: 'answer' in event ? event.answer : undefined,
  }
}

function decided(call: ToolItem, approvalId: string, decision: Decision): ToolItem {
  return {
    ...call,
    approvalId,
    decision,
    status: statusAfter(call.status, decision.state),
  }
}

/** Nobody was asked: a rule, the mode or the server decided. */
export function onUnasked(
  draft: SessionDraft,
  event: EventOf<'tool_call_allowed' | 'tool_call_denied'>,
): void {
  const callId = textOf(event.tool_call_id)
  if (callId === undefined || !isRecord(event.decided_by)) return
  const decision: Decision = {
    state: event.type === 'tool_call_denied' ? 'denied' : 'allowed',
    by: event.decided_by,
    time: textOf(event.decided_at) ?? event.time,
    message: event.type === 'tool_call_denied' ? textOf(event.message) : undefined,
    edited: false,
    answer: undefined,
  }
  const isThere = changeCall(draft, callId, (call) =>
    call.decision === undefined
      ? { ...call, decision, status: statusAfter(call.status, decision.state) }
      : call,
  )
  if (!isThere) keepOrphan(draft, event)
}

function statusAfter(status: ToolStatus, state: Decision['state']): ToolStatus {
  if (state === 'allowed') return status === 'waiting' ? 'running' : status
  // The end of the turn, or the CLI's error result, may come before: still it never ran.
  const canBe = isOpen(status) || ['interrupted', 'unknown', 'failed'].includes(status)
  return canBe && (state === 'denied' || state === 'expired' || state === 'void') ? state : status
}
