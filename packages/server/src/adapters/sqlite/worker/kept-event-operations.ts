/** Events that stay when the log is trimmed, in SQL. They are in `events` first, and are moved here when that part goes. */
import { keptEventTypes, maxKeptEvents } from '../../../core/ports/coordination.ts'
import { operation } from './operation.ts'
import type { WorkerStore } from './worker-store.ts'

/** Epoch, seq, time and JSON. */
type KeptEvent = [epoch: number, seq: number, time: string, json: string]

type KeptRow = { epoch: number; seq: number; time: string; event: string }

const types = keptEventTypes.map((type) => `'${type}'`).join(', ')
/** Limits that are kept to are in the log alone. */
const isKept = `type IN (${types}) AND NOT (type = 'rate_limit' AND event ->> '$.status' IS 'allowed')`

const afterAllTimes = '~'
const newest = 'ORDER BY epoch DESC, seq DESC LIMIT ?'
/** Left to itself, SQLite reads all events of the session in their order, and most are of types that are not kept. */
const selectLogged = `SELECT epoch, seq, time, event FROM events INDEXED BY events_by_type
  WHERE session = ? AND time >= ? AND time < ? AND ${isKept} ${newest}`
const selectTrimmedFrom = `SELECT epoch, seq, time, event FROM kept_events
  WHERE session = ? AND time >= ? AND time < ? ${newest}`
/** The plus keeps SQLite from finding them by time and sorting them all: they are read in their own order. */
const selectTrimmed = `SELECT epoch, seq, time, event FROM kept_events
  WHERE session = ? AND +time >= ? AND +time < ? ${newest}`

/** Before the events of a session up to this one are removed. The oldest of too many go. */
export function keepEvents(
  { database }: WorkerStore,
  session: number,
  through: { epoch: number; seq: number },
): void {
  const added = database.run(
    `INSERT OR IGNORE INTO kept_events (session, epoch, seq, time, event)
      SELECT session, epoch, seq, time, event FROM events
      WHERE session = ? AND (epoch, seq) <= (?, ?) AND ${isKept}`,
    session,
    through.epoch,
    through.seq,
  )
  if (added === 0) return
  database.run(
    `DELETE FROM kept_events WHERE session = ? AND (epoch, seq) <= (
      SELECT epoch, seq FROM kept_events WHERE session = ?
      ORDER BY epoch DESC, seq DESC LIMIT 1 OFFSET ${maxKeptEvents})`,
    session,
    session,
  )
}

export function forgetKept({ database }: WorkerStore, sessionId: string): void {
  database.run(
    'DELETE FROM kept_events WHERE session IN (SELECT number FROM leases WHERE session_id = ?)',
    sessionId,
  )
}

export const keptEventOperations = {
  /** The newest first. */
  'events.kept': operation(
    'none',
    (
      { database },
      input: { sessionId: string; from: string | undefined; until: string | undefined; limit: number },
    ): KeptEvent[] => {
      const lease = database.get<{ number: number }>(
        'SELECT number FROM leases WHERE session_id = ?',
        input.sessionId,
      )
      if (!lease) return []
      const range = [lease.number, input.from ?? '', input.until ?? afterAllTimes] as const
      const logged = database.all<KeptRow>(selectLogged, ...range, input.limit)
      // Only ever a beginning is trimmed: all that was kept is older.
      const trimmed =
        logged.length < input.limit
          ? database.all<KeptRow>(
              input.from === undefined ? selectTrimmed : selectTrimmedFrom,
              ...range,
              input.limit - logged.length,
            )
          : []
      return [...logged, ...trimmed].map(({ epoch, seq, time, event }) => [epoch, seq, time, event])
    },
  ),
}
