/** Leases in SQL. Times are the caller's monotonic clock. */
import type { LeaseGrant } from '../../../core/ports/coordination.ts'
import { appendFirstEvent, findLease } from './event-log-operations.ts'
import { operation } from './operation.ts'

type LeaseRow = { owner: string | null; renewed_at: number; ttl_ms: number }

/** A lease of the future is one of an earlier run, whose clock counted from elsewhere: its owner is gone. */
function runs(lease: LeaseRow, now: number): boolean {
  return lease.owner !== null && lease.renewed_at <= now && now < lease.renewed_at + lease.ttl_ms
}

export const leaseOperations = {
  // An epoch that was given out must not be given out again after a power cut.
  'leases.acquire': operation(
    'full',
    (
      store,
      input: { sessionId: string; owner: string; ttlMs: number; reason: string; now: number; time: string },
    ): LeaseGrant | undefined => {
      const { database } = store
      const held = database.get<LeaseRow>(
        'SELECT owner, renewed_at, ttl_ms FROM leases WHERE session_id = ?',
        input.sessionId,
      )
      if (held && held.owner !== input.owner && runs(held, input.now)) return undefined
      database.run(
        `INSERT INTO leases (session_id, epoch, last_seq, owner, renewed_at, ttl_ms) VALUES (?, 1, 1, ?, ?, ?)
          ON CONFLICT (session_id) DO UPDATE SET epoch = epoch + 1, last_seq = 1, owner = excluded.owner,
            renewed_at = excluded.renewed_at, ttl_ms = excluded.ttl_ms`,
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
    ({ database }, input: { grants: LeaseGrant[]; owner: string; ttlMs: number; now: number }) =>
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

  'leases.release': operation('normal', ({ database }, input: { grant: LeaseGrant; owner: string }): void => {
    database.run(
      'UPDATE leases SET owner = NULL WHERE session_id = ? AND epoch = ? AND owner = ?',
      input.grant.sessionId,
      input.grant.epoch,
      input.owner,
    )
  }),

  'leases.epochOf': operation('none', (store, sessionId: string) => findLease(store, sessionId)?.epoch ?? 0),

  'leases.inherit': operation('normal', ({ database }, owner: string) => {
    const held = database.all<{ session_id: string }>(
      'SELECT session_id FROM leases WHERE owner IS NOT NULL AND owner <> ? ORDER BY session_id',
      owner,
    )
    database.run(
      'UPDATE leases SET owner = ?, ttl_ms = 0 WHERE owner IS NOT NULL AND owner <> ?',
      owner,
      owner,
    )
    return held.map((row) => row.session_id)
  }),
}
