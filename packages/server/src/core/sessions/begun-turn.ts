/** The turn that the log says began and does not say ended. */
import { compareEventPositions, type EventPosition, positionOf, type StreamEvent } from '@dorkos/shared'
import type { EventLog } from '../ports/coordination.ts'

const pageSize = 1000

/**
 * Its `turn_start`; undefined when none is open. Ends of other turns may come in between: a message that waited was taken
 * back.
 */
export async function findBegunTurn(
  log: EventLog,
  sessionId: string,
): Promise<Extract<StreamEvent, { type: 'turn_start' }> | undefined> {
  const [start, end] = await Promise.all([
    log.latest(sessionId, 'turn_start'),
    log.latest(sessionId, 'turn_end'),
  ])
  if (start?.type !== 'turn_start') return undefined
  if (!end || compareEventPositions(positionOf(end), positionOf(start)) < 0) return start
  if (end.type === 'turn_end' && end.turn_id === start.turn_id) return undefined
  for await (const event of eventsAfter(log, sessionId, positionOf(start)))
    if (event.type === 'turn_end' && event.turn_id === start.turn_id) return undefined
  return start
}

/** All events of a session after one of them. */
export async function* eventsAfter(
  log: EventLog,
  sessionId: string,
  after: EventPosition,
): AsyncGenerator<StreamEvent> {
  let last: EventPosition | undefined = after
  while (last !== undefined) {
    const page: StreamEvent[] = await log.readSession(sessionId, last, pageSize)
    yield* page
    const newest = page.at(-1)
    last = newest && page.length === pageSize ? positionOf(newest) : undefined
  }
}
