import type { Approval, RuleScope } from '@dorkos/shared'
import type { SeenCall } from './seen-call.ts'
import { canBeAllowedByRule } from './tool-names.ts'

/** As long as a rule's `match` may be. */
const longestMatch = 100_000

/** What "always" would make of this call; undefined where no rule can answer calls like it. */
export function proposedRule(
  call: SeenCall,
  workspaceId: string | undefined,
): NonNullable<Approval['proposed_rule']> | undefined {
  if (!canBeAllowedByRule(call.tool) || call.subject.length > longestMatch) return undefined
  if (call.input.dangerouslyDisableSandbox) return undefined
  return { tool: call.tool, match: call.subject, scope: workspaceId === undefined ? 'session' : 'workspace' }
}

/** Where a rule holds that an answer makes. `always` needs a workspace. */
export function scopeOfAnswer(
  scope: 'session' | 'always',
  approval: Pick<Approval, 'session_id' | 'workspace_id'>,
): RuleScope | undefined {
  if (scope === 'session') return { kind: 'session', session_id: approval.session_id }
  if (approval.workspace_id === undefined) return undefined
  return { kind: 'workspace', workspace_id: approval.workspace_id }
}
