/** Events that stay when the log is trimmed, in SQL. They are in `events` first, and are moved here when that part goes. */
import { keptEventTypes } from '../../../core/ports/coordination.ts'
import { operation } from './operation.ts'
import type { WorkerStore } from './worker-store.ts'

/** Epoch, seq, time and JSON. */
type KeptEvent = [epoch: number, seq: number, time: string, json: string]

type KeptRow = { epoch: number; seq: number; time: string; event: string }

const types = keptEventTypes.map((type) => `'${type}'`).join(', ')
/** Of limits that are kept to, only the log tells. */
const isKept = `type IN (${types}) AND NOT (type = 'rate_limit' AND event ->> '$.status' IS 'allowed')`

/** Before the events of a session up to this one are removed. */
export function keepEvents(
  { database }: WorkerStore,
  session: number,
  through: { epoch: number; seq: number },
): void {
  database.run(
    `INSERT OR IGNORE INTO kept_events (session, epoch, seq, time, event)
      SELECT session, epoch, seq, time, event FROM events
      WHERE session = ? AND (epoch, seq) <= (?, ?) AND ${isKept}`,
    session,
    through.epoch,
    through.seq,
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
      const between = 'session = ? AND time >= ? AND time < ?'
      const values = [lease.number, input.from ?? '', input.until ?? afterAllTimes] as const
      return database
        .all<KeptRow>(
          `SELECT epoch, seq, time, event FROM events WHERE ${between} AND ${isKept}
            UNION ALL SELECT epoch, seq, time, event FROM kept_events WHERE ${between}
            ORDER BY epoch DESC, seq DESC LIMIT ?`,
          ...values,
          ...values,
          input.limit,
        )
        .map(({ epoch, seq, time, event }) => [epoch, seq, time, event])
    },
  ),
}

const afterAllTimes = '~'
