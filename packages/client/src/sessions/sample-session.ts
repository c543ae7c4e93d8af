/** For tests: a session as the server returns it. */
import type { Session } from '@dorkos/shared'

export function sampleSession(more: Partial<Session> = {}): Session {
  return {
    id: '11111111-1111-4111-8111-111111111111',
    cwd: '/projects/demo',
    origin: 'dorkos',
    state: 'idle',
    live: false,
    permission_mode: 'default',
    created_at: '2025-06-01T10:00:00.000Z',
    updated_at: '2025-06-01T10:00:00.000Z',
    archived: false,
    pinned: false,
    unattended: false,
    demo: false,
    cli_session_ids: [],
    pending_approvals: 0,
    queued_messages: 0,
    ...more,
  }
}
