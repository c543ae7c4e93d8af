/** Encodes events once, however many clients follow. */
import { encodeRecord } from '@dorkos/shared'
import type { LoggedEvent } from '../core/ports/coordination.ts'
import type { PublishedEvent, PublishedServerEvent } from '../core/services.ts'

export interface EventFrames {
  /** For the stream of one session: the id is the event's. */
  ofSession(event: PublishedEvent): Buffer
  /** For the stream of many: the id is the position in the log. */
  ofMany(event: PublishedEvent): Buffer
  ofServer(event: PublishedServerEvent): Buffer
  cursor(position: number): string
}

export function createEventFrames(logId: string): EventFrames {
  const cursor = (position: number) => `${logId}.${position}`
  return {
    ofSession: once(({ event, json }) => encodeRecord(json, { id: event.id })),
    ofMany: once(({ position, json }) => encodeRecord(json, { id: cursor(position) })),
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

/** An event from the log, as the hub would tell it. */
export function published({ position, event }: LoggedEvent): PublishedEvent {
  return { position, event, json: JSON.stringify(event) }
}

/** The position in a cursor of this log; undefined for any other. */
export function positionOfCursor(cursor: string, logId: string): number | undefined {
  const text = cursor.startsWith(`${logId}.`) ? cursor.slice(logId.length + 1) : ''
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
