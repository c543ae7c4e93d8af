import type { Approval } from '@dorkos/shared'

/** An approval for tests: a command that waits. */
export function sampleApproval(change: Partial<Approval> = {}): Approval {
  return {
    id: 'appr_00000001',
    kind: 'tool',
    session_id: '11111111-1111-4111-8111-111111111111',
    workspace_id: 'ws_00000001',
    principal: 'owner',
    tool: 'Bash',
    input: { command: 'ls -la' },
    input_hash: 'hash',
    risk: 'execute',
    proposed_rule: { tool: 'Bash', match: 'ls -la', scope: 'workspace' },
    state: 'pending',
    created_at: '2026-01-01T09:00:00.000Z',
    deadline: '2026-01-01T12:00:00.000Z',
    ...change,
  }
}
