/** Ids of the contract: sessions, events, and the position of a reader in a stream. */
import { z } from 'zod'

/** A session's id is the first id that the CLI used for it. */
export const sessionIdSchema = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'not a session id')

/** Ids that the server makes: short, random, with a prefix that names the kind. */
export const recordIdSchema = z.string().regex(/^[a-z]{2,6}_[0-9a-z]{8,40}$/, 'not an id')

export const uuidSchema = sessionIdSchema.describe('a UUID in lower case')

export const timeSchema = z.iso.datetime().describe('ISO 8601, UTC')

/**
 * The id of an event in its session: `<epoch>-<seq>`. The epoch grows by one each time a process takes the session over;
 * within an epoch seq counts 1, 2, 3 without a gap. Epoch 0 marks events read from a transcript: ordered, stable, not dense.
 */
export const eventIdSchema = z.string().regex(/^\d{1,15}-\d{1,15}$/, 'not an event id')

export interface EventPosition {
  epoch: number
  seq: number
}

export function formatEventId({ epoch, seq }: EventPosition): string {
  return `${epoch}-${seq}`
}

/** Before the first event of a session. */
export const logStart: EventPosition = { epoch: 0, seq: 0 }

/** Undefined for anything that is not an event id. */
export function parseEventId(id: string): EventPosition | undefined {
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(id)
  return match ? { epoch: Number(match[1]), seq: Number(match[2]) } : undefined
}

/** The position of an event of a log. */
export function positionOf({ id }: { id: string }): EventPosition {
  const position = parseEventId(id)
  if (!position) throw new RangeError(`${id} is not an event id`)
  return position
}

/** Negative when `a` is the older one. */
export function compareEventPositions(a: EventPosition, b: EventPosition): number {
  return a.epoch - b.epoch || a.seq - b.seq
}
