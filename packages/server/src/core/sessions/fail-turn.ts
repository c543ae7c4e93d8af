/** Ends the next message of a session whose agent does not start: it is stored and told with the reason. */
import type { NewEvent } from '@dorkos/shared'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { LeaseGrant, TurnQueue } from '../ports/coordination.ts'
import type { SessionEvents } from './session-events.ts'

export interface FailTurnParts {
  turns: TurnQueue
  grant: LeaseGrant
  events: SessionEvents
  clock: Clock
}

/** False when no message waits. */
export async function failTurn(parts: FailTurnParts, reason: string): Promise<boolean> {
  const { turns, grant, events, clock } = parts
  const { sessionId, epoch } = grant
  const turn = await turns.claim(sessionId, epoch)
  if (!turn) return false
  const told: NewEvent[] = [
    { type: 'turn_start', turn_id: turn.id, cause: turn.cause },
    { type: 'user_message', message_id: turn.id, turn_id: turn.id, content: turn.content ?? '' },
    { type: 'turn_end', turn_id: turn.id, outcome: 'failed', reason, reason_code: 'not_started' },
  ]
  const end = {
    outcome: 'failed' as const,
    endedAt: isoTime(clock.now()),
    reason,
    reasonCode: 'not_started' as const,
  }
  await events.storeThenEmit(
    () => turns.end(sessionId, epoch, turn.id, end),
    () => told,
  )
  return true
}
