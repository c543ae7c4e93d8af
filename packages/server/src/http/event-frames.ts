/** Encodes events once, however many clients follow. */
import { type EventPosition, encodeRecord, parseEventId } from '@dorkos/shared'
import type { PublishedEvent, PublishedServerEvent } from '../core/services.ts'

export interface EventFrames {
  /** For the stream of one session: the id is the event's. */
  ofSession(event: PublishedEvent): Buffer
  /** For the stream of many: the id is a cursor of the event's session. */
  ofMany(event: PublishedEvent): Buffer
  ofServer(event: PublishedServerEvent): Buffer
  cursor(sessionId: string, eventId: string): string
}

export function createEventFrames(logId: string): EventFrames {
  const cursor = (sessionId: string, eventId: string) => `${logName(logId)}.${sessionId}.${eventId}`
  return {
    ofSession: once(({ event, json }) => encodeRecord(json, { id: event.id })),
    ofMany: once(({ event, json }) => encodeRecord(json, { id: cursor(event.session, event.id) })),
    ofServer: once(({ json }) => encodeRecord(json, { event: 'server' })),
    cursor,
  }
}

function once<T extends object>(encode: (value: T) => string): (value: T) => Buffer {
  const known = new WeakMap<T, Buffer>()
  return (value) => {
    let bytes = known.get(value)
    if (!bytes) {
      bytes = Buffer.from(encode(value))
      known.set(value, bytes)
    }
    return bytes
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

/** Enough to tell logs apart, and short: the cursors of all sessions of a stream go into one header. */
function logName(logId: string): string {
  return logId.slice(0, 8)
}
