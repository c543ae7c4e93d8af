/** What the streams of all clients need of an event, made once however many follow. */
import {
  type EventPosition,
  encodeRecord,
  parseEventId,
  type ServerEvent,
  type StreamEvent,
} from '@dorkos/shared'

export interface EventFrames {
  /** For the stream of one session: the id is the event's. */
  ofSession(event: StreamEvent): Buffer
  /** For the stream of many: the id is a cursor of the event's session. */
  ofMany(event: StreamEvent): Buffer
  ofServer(event: ServerEvent): Buffer
  cursor(sessionId: string, eventId: string): string
}

export function createEventFrames(logId: string): EventFrames {
  const cursor = (sessionId: string, eventId: string) => `${logName(logId)}.${sessionId}.${eventId}`
  return {
    ofSession: once((event) => frame(jsonOf(event), { id: event.id })),
    ofMany: once((event) => frame(jsonOf(event), { id: cursor(event.session, event.id) })),
    ofServer: once((event) => frame(JSON.stringify(event), { event: 'server' })),
    cursor,
  }
}

const jsonOf = once((event: StreamEvent) => JSON.stringify(event))

function frame(json: string, record: { event?: string; id?: string }): Buffer {
  return Buffer.from(encodeRecord(json, record))
}

function once<T extends object, R extends {}>(make: (value: T) => R): (value: T) => R {
  const made = new WeakMap<T, R>()
  return (value) => {
    let result = made.get(value)
    if (result === undefined) {
      result = make(value)
      made.set(value, result)
    }
    return result
  }
}

/** The positions, by session, in cursors of this log that a client joined with commas; undefined when anything else is among them. */
export function positionsOfCursors(text: string, logId: string): Map<string, EventPosition> | undefined {
  const positions = new Map<string, EventPosition>()
  for (const cursor of text.split(',')) {
    const [log, sessionId, eventId, ...rest] = cursor.trim().split('.')
    const position = eventId === undefined ? undefined : parseEventId(eventId)
    if (log !== logName(logId) || !sessionId || !position || rest.length > 0) return undefined
    positions.set(sessionId, position)
  }
  return positions
}

/** Enough to distinguish logs, and short: the cursors of all sessions of a stream go into one header. */
function logName(logId: string): string {
  return logId.slice(0, 8)
}
