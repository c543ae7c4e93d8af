/** Leases in SQL. Times are the caller's wall clock. */
import type { LeaseGrant, LeaseOwner, RunningLease } from '../../../core/ports/coordination.ts'
import { appendFirstEvent, findLease } from './event-log-operations.ts'
import { forgetKept } from './kept-event-operations.ts'
import { operation } from './operation.ts'

type OwnedRow = { session_id: string; owner: LeaseOwner }
type RunningRow = OwnedRow & { epoch: number }

/** One that was renewed long from now was renewed before the clock was set back: nobody may hold it until then. */
export const isRunning = 'abs(? - renewed_at) < ttl_ms'

export const leaseOperations = {
  // An epoch that was given out must not be given out again after a power cut.
  'leases.acquire': operation(
    'full',
    (
      store,
      input: {
        sessionId: string
        owner: LeaseOwner
        ttlMs: number
        reason: string
        now: number
        time: string
      },
    ): LeaseGrant | undefined => {
      const { database } = store
      const held = database.get<OwnedRow>(
        `SELECT session_id, owner FROM leases WHERE session_id = ? AND owner <> ? AND ${isRunning}`,
        input.sessionId,
        input.owner,
        input.now,
      )
      if (held) return undefined
      database.run(
        `INSERT INTO leases (session_id, epoch, last_seq, owner, renewed_at, ttl_ms) VALUES (?, 1, 1, ?, ?, ?)
          ON CONFLICT (session_id) DO UPDATE SET epoch = epoch + 1, last_seq = 1, owner = excluded.owner,
            renewed_at = excluded.renewed_at, ttl_ms = excluded.ttl_ms, running_usd = 0`,
        input.sessionId,
        input.owner,
        input.now,
        input.ttlMs,
      )
      const lease = findLease(store, input.sessionId)
      if (!lease) throw new Error('the lease is not there')
      appendFirstEvent(store, lease, input.time, input.reason)
      return { sessionId: input.sessionId, epoch: lease.epoch }
    },
  ),

  'leases.renew': operation(
    'normal',
    ({ database }, input: { grants: LeaseGrant[]; owner: LeaseOwner; ttlMs: number; now: number }) =>
      input.grants.filter(
        (grant) =>
          database.run(
            'UPDATE leases SET renewed_at = ?, ttl_ms = ? WHERE session_id = ? AND epoch = ? AND owner = ?',
            input.now,
            input.ttlMs,
            grant.sessionId,
            grant.epoch,
            input.owner,
          ) === 0,
      ),
  ),

  'leases.release': operation(
    'normal',
    ({ database }, input: { grant: LeaseGrant; owner: LeaseOwner }): void => {
      database.run(
        'UPDATE leases SET owner = NULL WHERE session_id = ? AND epoch = ? AND owner = ?',
        input.grant.sessionId,
        input.grant.epoch,
        input.owner,
      )
    },
  ),

  'leases.forget': operation(
    'normal',
    (store, { grant, owner }: { grant: LeaseGrant; owner: LeaseOwner }): void => {
      const { database } = store
      const held = database.get<{ number: number }>(
        'SELECT number FROM leases WHERE session_id = ? AND epoch = ? AND owner = ?',
        grant.sessionId,
        grant.epoch,
        owner,
      )
      if (!held) return
      forgetKept(store, grant.sessionId)
      database.run('DELETE FROM events WHERE session = ?', held.number)
      database.run('DELETE FROM leases WHERE number = ?', held.number)
    },
  ),

  'leases.epochOf': operation('none', (store, sessionId: string) => findLease(store, sessionId)?.epoch ?? 0),

  'leases.running': operation(
    'none',
    ({ database }, input: { sessionIds: readonly string[] | undefined; now: number }) => {
      const running = `SELECT session_id, owner, epoch FROM leases WHERE owner IS NOT NULL AND ${isRunning}`
      const { sessionIds, now } = input
      const rows =
        sessionIds === undefined
          ? database.all<RunningRow>(running, now)
          : database.all<RunningRow>(
              `${running} AND session_id IN (SELECT value FROM json_each(?))`,
              now,
              JSON.stringify(sessionIds),
            )
      return rows.map(({ session_id, owner, epoch }): [string, RunningLease] => [
        session_id,
        { owner, epoch },
      ])
    },
  ),

  'leases.inherit': operation('normal', ({ database }, owner: LeaseOwner): void => {
    const node = owner.slice(0, owner.lastIndexOf('/') + 1)
    database.run(
      'UPDATE leases SET ttl_ms = 0 WHERE substr(owner, 1, length(?)) = ? AND owner <> ?',
      node,
      node,
      owner,
    )
  }),

  'leases.abandoned': operation('none', ({ database }, now: number) =>
    database
      .all<OwnedRow>(
        `SELECT session_id, owner FROM leases WHERE owner IS NOT NULL AND NOT ${isRunning} ORDER BY session_id`,
        now,
      )
      .map(({ session_id }) => session_id),
  ),
}
