/** Who owns a session, in memory. */
import { type Clock, isoTime } from '../../core/ports/clock.ts'
import { type Lease, type LeaseGrant, StaleEpochError } from '../../core/ports/coordination.ts'

interface Ownership {
  epoch: number
  lastSeq: number
  owner: string | undefined
  expiresAt: number
}

export class Owners {
  readonly #sessions = new Map<string, Ownership>()

  get(sessionId: string): Ownership | undefined {
    return this.#sessions.get(sessionId)
  }

  set(sessionId: string, ownership: Ownership): void {
    this.#sessions.set(sessionId, ownership)
  }

  entries(): Iterable<[string, Ownership]> {
    return this.#sessions
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
  appendFirst: (grant: LeaseGrant, time: string, reason: string) => void,
): Lease {
  const held = (grant: LeaseGrant, owner: string) => {
    const current = owners.get(grant.sessionId)
    return current?.epoch === grant.epoch && current.owner === owner ? current : undefined
  }
  return {
    async acquire(sessionId, owner, ttlMs, reason) {
      const current = owners.get(sessionId)
      const now = clock.monotonic()
      if (current?.owner !== undefined && current.owner !== owner && now < current.expiresAt) return undefined
      const grant = { sessionId, epoch: (current?.epoch ?? 0) + 1 }
      owners.set(sessionId, { epoch: grant.epoch, lastSeq: 1, owner, expiresAt: now + ttlMs })
      appendFirst(grant, isoTime(clock.now()), reason)
      return grant
    },
    async renew(grants, owner, ttlMs) {
      return grants.filter((grant) => {
        const current = held(grant, owner)
        if (current) current.expiresAt = clock.monotonic() + ttlMs
        return !current
      })
    },
    async release(grant, owner) {
      const current = held(grant, owner)
      if (current) current.owner = undefined
    },
    async epochOf(sessionId) {
      return owners.get(sessionId)?.epoch ?? 0
    },
    async inherit(owner) {
      const inherited: string[] = []
      for (const [sessionId, current] of owners.entries()) {
        if (current.owner === undefined || current.owner === owner) continue
        current.owner = owner
        current.expiresAt = Number.NEGATIVE_INFINITY
        inherited.push(sessionId)
      }
      return inherited.toSorted()
    },
  }
}
