/** Who owns a session, in memory. */
import { type Clock, isoTime } from '../../core/ports/clock.ts'
import {
  type Lease,
  type LeaseGrant,
  type LeaseOwner,
  type RunningCost,
  type RunningLease,
  StaleEpochError,
} from '../../core/ports/coordination.ts'
import type { MemoryEventLog } from './memory-event-log.ts'

interface Ownership {
  epoch: number
  lastSeq: number
  owner: LeaseOwner | undefined
  renewedAt: number
  ttlMs: number
  /** What its turn has cost. Ends with the epoch. */
  cost?: RunningCost
}

export class Owners {
  readonly #sessions = new Map<string, Ownership>()

  get(sessionId: string): Ownership | undefined {
    return this.#sessions.get(sessionId)
  }

  set(sessionId: string, ownership: Ownership): void {
    this.#sessions.set(sessionId, ownership)
  }

  delete(sessionId: string): void {
    this.#sessions.delete(sessionId)
  }

  entries(): Iterable<[string, Ownership]> {
    return this.#sessions
  }

  /** One that was renewed long from now was renewed before the clock was set back: nobody may hold it until then. */
  isRunning({ owner, renewedAt, ttlMs }: Ownership, now: number): boolean {
    return owner !== undefined && Math.abs(now - renewedAt) < ttlMs
  }

  check(sessionId: string, epoch: number): Ownership {
    const current = this.get(sessionId)
    if (!current || current.epoch !== epoch) throw new StaleEpochError(sessionId, epoch)
    return current
  }
}

export function createMemoryLeases(
  owners: Owners,
  clock: Clock,
  log: Pick<MemoryEventLog, 'appendFirst' | 'remove'>,
): Lease {
  const isRunning = (ownership: Ownership) => owners.isRunning(ownership, clock.now())
  const held = (grant: LeaseGrant, owner: LeaseOwner) => {
    const current = owners.get(grant.sessionId)
    return current?.epoch === grant.epoch && current.owner === owner ? current : undefined
  }
  return {
    async acquire(sessionId, owner, ttlMs, reason) {
      const current = owners.get(sessionId)
      if (current && current.owner !== owner && isRunning(current)) return undefined
      const grant = { sessionId, epoch: (current?.epoch ?? 0) + 1 }
      owners.set(sessionId, { epoch: grant.epoch, lastSeq: 1, owner, renewedAt: clock.now(), ttlMs })
      log.appendFirst(grant, isoTime(clock.now()), reason)
      return grant
    },
    async renew(grants, owner, ttlMs) {
      return grants.filter((grant) => {
        const current = held(grant, owner)
        if (current) Object.assign(current, { renewedAt: clock.now(), ttlMs })
        return !current
      })
    },
    async release(grant, owner) {
      const current = held(grant, owner)
      if (current) current.owner = undefined
    },
    async forget(grant, owner) {
      if (!held(grant, owner)) return
      log.remove(grant.sessionId)
      owners.delete(grant.sessionId)
    },
    async epochOf(sessionId) {
      return owners.get(sessionId)?.epoch ?? 0
    },
    async running(sessionIds) {
      const wanted = sessionIds && new Set(sessionIds)
      const found = new Map<string, RunningLease>()
      for (const [sessionId, current] of owners.entries())
        if (current.owner && isRunning(current) && wanted?.has(sessionId) !== false)
          found.set(sessionId, { owner: current.owner, epoch: current.epoch })
      return found
    },
    async inherit(owner) {
      const node = owner.slice(0, owner.lastIndexOf('/') + 1)
      for (const [, current] of owners.entries())
        if (current.owner?.startsWith(node) && current.owner !== owner) current.ttlMs = 0
    },
    async abandoned() {
      const found = [...owners.entries()].filter(([, one]) => one.owner !== undefined && !isRunning(one))
      return found.map(([sessionId]) => sessionId).toSorted()
    },
  }
}
