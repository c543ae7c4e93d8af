import { randomBytes } from 'node:crypto'
import type { Approval } from '@dorkos/shared'
import type { PermissionQuestion } from '../ports/agent.ts'
import { isoTime } from '../ports/clock.ts'
import { proposedRule } from './proposed-rule.ts'
import { riskOf } from './risk.ts'
import type { SeenCall } from './seen-call.ts'
import type { SessionContext } from './session-permissions.ts'
import { kindOf } from './tool-names.ts'

/** The record of a question that is about to be put to a person. */
export function newApproval(
  call: SeenCall,
  { toolCallId, reason, commandRule }: Partial<PermissionQuestion>,
  { sessionId, workspace, principal, turnId }: SessionContext,
  { now, deadline }: { now: number; deadline: number },
): Approval {
  const turn = turnId()
  const rule = proposedRule(call, workspace?.id, commandRule)
  return {
    id: `appr_${randomBytes(12).toString('hex')}`,
    kind: kindOf(call.tool),
    session_id: sessionId,
    ...(workspace && { workspace_id: workspace.id }),
    principal,
    ...(turn !== undefined && { turn_id: turn }),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
    tool: call.tool,
    input: call.input,
    input_hash: call.hash,
    risk: riskOf(call.tool, call.input),
    ...(reason !== undefined && { reason }),
    ...(rule && { proposed_rule: rule }),
    state: 'pending',
    created_at: isoTime(now),
    deadline: isoTime(deadline),
  }
}
