/** The turn that the log says began and does not say ended. */
import type { EventLog, LoggedEvent } from '../ports/coordination.ts'

const pageSize = 1000

/**
 * Its `turn_start`; undefined when none is open. Ends of other turns may come in between: a message that waited was taken
 * back.
 */
export async function findBegunTurn(
  log: EventLog,
  sessionId: string,
): Promise<{ start: LoggedEvent; id: string } | undefined> {
  const [start, end] = await Promise.all([
    log.latest(sessionId, 'turn_start'),
    log.latest(sessionId, 'turn_end'),
  ])
  if (start?.event.type !== 'turn_start') return undefined
  const id = start.event.turn_id
  const begun = { start, id }
  if (!end || end.position < start.position) return begun
  if (end.event.type === 'turn_end' && end.event.turn_id === id) return undefined
  for await (const { event } of eventsAfter(log, sessionId, start.position))
    if (event.type === 'turn_end' && event.turn_id === id) return undefined
  return begun
}

/** All events of a session after a position. */
export async function* eventsAfter(
  log: EventLog,
  sessionId: string,
  after: number,
): AsyncGenerator<LoggedEvent> {
  let position: number | undefined = after
  while (position !== undefined) {
    const page: LoggedEvent[] = await log.readMany([sessionId], position, pageSize)
    yield* page
    position = page.length === pageSize ? page.at(-1)?.position : undefined
  }
}
