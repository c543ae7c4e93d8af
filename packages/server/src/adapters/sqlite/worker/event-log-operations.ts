/** The event log in SQL. Long reads and removals come in pieces, so that no append waits for more than one of them. */
import type { EventPosition } from '@dorkos/shared'
import { StaleEpochError } from '../../../core/ports/coordination.ts'
import { forgetKept, keepEvents, keptEventOperations } from './kept-event-operations.ts'
import { operation } from './operation.ts'
import type { WorkerStore } from './worker-store.ts'

export interface StoredBatch {
  sessionId: string
  epoch: number
  firstSeq: number
  /** Type, time and JSON of each event, one after the other: strings alone are the cheapest to pass to a thread. */
  parts: string[]
}

export type AppendResult = 'appended' | 'stale' | { nextSeq: number }

export type StoredEvent = [epoch: number, seq: number, time: string, json: string]

type EventRow = { epoch: number; seq: number; time: string; event: string }

/** Too many to index, and nobody looks for the latest of them. */
const unindexedTypes: ReadonlySet<string> = new Set([
  'text_delta',
  'thinking_delta',
  'tool_call_delta',
  'tool_progress',
])
const eventsPerRead = 256
const rowsPerRemoval = 2000
const sessionsPerTrim = 100

const eventColumns = 'events.epoch AS epoch, seq, time, event'
const eventTables = 'events JOIN leases ON leases.number = events.session'
const insertEvent = 'INSERT INTO events (session, epoch, seq, type, time, event) VALUES (?, ?, ?, ?, ?, ?)'

type LeaseRow = { number: number; epoch: number; last_seq: number }

export function findLease(store: WorkerStore, sessionId: string): LeaseRow | undefined {
  return store.database.get<LeaseRow>(
    'SELECT number, epoch, last_seq FROM leases WHERE session_id = ?',
    sessionId,
  )
}

/** Throws unless `epoch` is the session's current one. */
export function checkEpoch(store: WorkerStore, sessionId: string, epoch: number): void {
  const current = findLease(store, sessionId)
  if (!current || current.epoch !== epoch) throw new StaleEpochError(sessionId, epoch)
}

function appendBatch(store: WorkerStore, batch: StoredBatch): AppendResult {
  const lease = findLease(store, batch.sessionId)
  if (!lease || lease.epoch !== batch.epoch) return 'stale'
  if (batch.firstSeq !== lease.last_seq + 1) return { nextSeq: lease.last_seq + 1 }
  const count = batch.parts.length / 3
  for (let index = 0; index < count; index++) {
    const [type = '', time = '', json = ''] = batch.parts.slice(index * 3, index * 3 + 3)
    insert(store, lease.number, batch.epoch, batch.firstSeq + index, type, time, json)
  }
  if (count > 0)
    store.database.run(
      'UPDATE leases SET last_seq = ? WHERE number = ?',
      lease.last_seq + count,
      lease.number,
    )
  return 'appended'
}

function insert(
  { database }: WorkerStore,
  session: number,
  epoch: number,
  seq: number,
  type: string,
  time: string,
  json: string,
): void {
  const indexed = unindexedTypes.has(type) ? null : type
  database.run(insertEvent, session, epoch, seq, indexed, time, json)
}

/** The first event of a new epoch. The lease must hold seq 1 already. */
export function appendFirstEvent(
  store: WorkerStore,
  lease: { number: number; epoch: number },
  time: string,
  reason: string,
): void {
  const json = JSON.stringify({ type: 'session_taken_over', reason })
  insert(store, lease.number, lease.epoch, 1, 'session_taken_over', time, json)
}

function toStored(row: EventRow): StoredEvent {
  return [row.epoch, row.seq, row.time, row.event]
}

function trimSession(store: WorkerStore, lease: { number: number; session_id: string }, before: string) {
  const { database } = store
  const running = database.get<{ epoch: number | null }>(
    "SELECT max(epoch) AS epoch FROM turns WHERE session_id = ? AND state IN ('claimed', 'running')",
    lease.session_id,
  )
  const keptEpoch = running?.epoch ?? Number.MAX_SAFE_INTEGER
  const oldest = database.all<{ epoch: number; seq: number; time: string }>(
    `SELECT epoch, seq, time FROM events WHERE session = ? ORDER BY epoch, seq LIMIT ${rowsPerRemoval}`,
    lease.number,
  )
  // Only ever a beginning of the session's events, so that what remains has no hole, whatever the clock did.
  const kept = oldest.findIndex((event) => event.time >= before || event.epoch >= keptEpoch)
  const dropped = kept === -1 ? oldest : oldest.slice(0, kept)
  const last = dropped.at(-1)
  if (!last) return { removed: 0, more: false }
  keepEvents(store, lease.number, last)
  database.run(
    'DELETE FROM events WHERE session = ? AND (epoch, seq) <= (?, ?)',
    lease.number,
    last.epoch,
    last.seq,
  )
  return { removed: dropped.length, more: kept === -1 && dropped.length === rowsPerRemoval }
}

export const eventLogOperations = {
  ...keptEventOperations,

  'events.append': operation('normal', (store, batches: StoredBatch[]): AppendResult[] =>
    batches.map((batch) => appendBatch(store, batch)),
  ),

  'events.readSession': operation(
    'none',
    ({ database }, input: { sessionId: string; epoch: number; seq: number; limit: number }) =>
      database
        .all<EventRow>(
          `SELECT ${eventColumns} FROM ${eventTables}
            WHERE leases.session_id = ? AND (events.epoch, seq) > (?, ?) ORDER BY events.epoch, seq LIMIT ?`,
          input.sessionId,
          input.epoch,
          input.seq,
          Math.min(input.limit, eventsPerRead),
        )
        .map(toStored),
  ),

  'events.end': operation('none', (store, sessionId: string): EventPosition | undefined => {
    const lease = findLease(store, sessionId)
    return lease && { epoch: lease.epoch, seq: lease.last_seq }
  }),

  'events.continues': operation('none', (store, input: { sessionId: string; after: EventPosition }) => {
    const { sessionId, after } = input
    const lease = findLease(store, sessionId)
    const isStart = after.epoch === 0 && after.seq === 0
    if (!lease) return isStart
    if (after.epoch === lease.epoch && after.seq === lease.last_seq) return true
    const { epoch, seq } = isStart ? { epoch: 1, seq: 1 } : after
    const find = 'SELECT 1 AS found FROM events WHERE session = ? AND epoch = ? AND seq = ?'
    return store.database.get(find, lease.number, epoch, seq) !== undefined
  }),

  'events.latest': operation(
    'none',
    ({ database }, input: { sessionId: string; type: string }): StoredEvent | undefined => {
      const indexed = !unindexedTypes.has(input.type)
      const row = database.get<EventRow>(
        `SELECT ${eventColumns} FROM ${eventTables} WHERE leases.session_id = ? AND
          ${indexed ? 'type' : "event ->> '$.type'"} = ? ORDER BY events.epoch DESC, seq DESC LIMIT 1`,
        input.sessionId,
        input.type,
      )
      return row && toStored(row)
    },
  ),

  /** Trims some sessions, the first after `after`; `next` says where to go on. */
  'events.trim': operation(
    'normal',
    (store, input: { before: string; after: string }): { removed: number; next?: string } => {
      const sessions = store.database.all<{ number: number; session_id: string }>(
        `SELECT number, session_id FROM leases WHERE session_id > ? ORDER BY session_id LIMIT ${sessionsPerTrim}`,
        input.after,
      )
      let removed = 0
      let done = input.after
      for (const session of sessions) {
        const part = trimSession(store, session, input.before)
        removed += part.removed
        if (part.more) return { removed, next: done }
        done = session.session_id
        if (removed >= rowsPerRemoval) return { removed, next: done }
      }
      return sessions.length < sessionsPerTrim ? { removed } : { removed, next: done }
    },
  ),

  /** Removes some events, oldest first. Answers with whether there may be more. */
  'events.remove': operation('normal', (store, sessionId: string): boolean => {
    forgetKept(store, sessionId)
    const removed = store.database.run(
      `DELETE FROM events WHERE position IN (
        SELECT position FROM ${eventTables} WHERE leases.session_id = ?
        ORDER BY events.epoch, seq LIMIT ${rowsPerRemoval})`,
      sessionId,
    )
    return removed === rowsPerRemoval
  }),
}
