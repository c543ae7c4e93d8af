/** What every lease keeps to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Coordination } from './coordination.ts'
import {
  acquire,
  append,
  type CoordinationSubject,
  createManualClock,
  newSessionId,
  type OpenCoordination,
} from './fixtures.conformance.ts'

export function leaseConformance(name: string, open: OpenCoordination): void {
  describe(`${name}: lease`, () => {
    const clock = createManualClock()
    let subject: CoordinationSubject
    let coordination: Coordination
    beforeAll(async () => {
      subject = await open(clock)
      coordination = subject.coordination
    })
    afterAll(() => subject.close())
    const get = () => coordination

    grantTests(get, clock.advance)
    endTests(get, clock.advance)

    it('keeps owners and epochs when opened again', async (context) => {
      if (!subject.reopen) return context.skip()
      const sessionId = newSessionId()
      await coordination.leases.acquire(sessionId, 'a', 1000, 'start')
      coordination = await subject.reopen()
      expect(await coordination.leases.epochOf(sessionId)).toBe(1)
      expect(await coordination.leases.acquire(sessionId, 'b', 1000, 'start')).toBeUndefined()
      expect(await coordination.leases.inherit('b')).toContain(sessionId)
      expect(await coordination.leases.acquire(sessionId, 'b', 1000, 'start')).toMatchObject({ epoch: 2 })
    })
  })
}

function grantTests(get: () => Coordination, advance: (ms: number) => void): void {
  it('raises the epoch by one with each owner, and begins each epoch with an event', async () => {
    const { leases, events } = get()
    const sessionId = newSessionId()
    expect(await leases.epochOf(sessionId)).toBe(0)
    const first = await leases.acquire(sessionId, 'a', 1000, 'server started')
    expect(first).toEqual({ sessionId, epoch: 1 })
    if (first) await leases.release(first, 'a')
    expect(await leases.acquire(sessionId, 'b', 1000, 'moved')).toEqual({ sessionId, epoch: 2 })
    expect(await leases.epochOf(sessionId)).toBe(2)
    expect((await events.readSession(sessionId, undefined, 10)).map(({ event }) => event)).toMatchObject([
      { id: '1-1', type: 'session_taken_over', reason: 'server started', session: sessionId },
      { id: '2-1', type: 'session_taken_over', reason: 'moved' },
    ])
  })

  it('refuses another owner while the lease runs, and appends nothing then', async () => {
    const { leases, events } = get()
    const sessionId = newSessionId()
    await leases.acquire(sessionId, 'a', 1000, 'start')
    advance(999)
    expect(await leases.acquire(sessionId, 'b', 1000, 'steal')).toBeUndefined()
    expect(await leases.epochOf(sessionId)).toBe(1)
    expect(await events.readSession(sessionId, undefined, 10)).toHaveLength(1)
    advance(1)
    expect(await leases.acquire(sessionId, 'b', 1000, 'expired')).toMatchObject({ epoch: 2 })
  })

  it('makes the older grant of the same owner stale', async () => {
    const sessionId = newSessionId()
    const first = await acquire(get(), sessionId)
    const second = await acquire(get(), sessionId)
    expect(second.epoch).toBe(2)
    await expect(append(get(), first, 2, ['x'])).rejects.toMatchObject({ name: 'StaleEpochError' })
    expect(await get().leases.renew([first, second], 'server-a', 1000)).toEqual([first])
  })

  it('has one winner when many want a session at once', async () => {
    const sessionId = newSessionId()
    const owners = Array.from({ length: 50 }, (_, index) => `owner-${index}`)
    const grants = await Promise.all(
      owners.map((owner) => get().leases.acquire(sessionId, owner, 1000, 'race')),
    )
    expect(grants.filter((grant) => grant !== undefined)).toEqual([{ sessionId, epoch: 1 }])
    expect(await get().events.readSession(sessionId, undefined, 100)).toHaveLength(1)
  })
}

function endTests(get: () => Coordination, advance: (ms: number) => void): void {
  it('renews all grants that are still held, and names the others', async () => {
    const { leases } = get()
    const [kept, lost, released] = await Promise.all([1, 2, 3].map(() => acquire(get(), newSessionId(), 'a')))
    if (!kept || !lost || !released) throw new Error('no grants')
    advance(60_000)
    await leases.acquire(lost.sessionId, 'b', 1000, 'expired')
    await leases.release(released, 'a')
    // Expired, but nobody took it.
    expect(await leases.renew([kept, lost, released], 'a', 5000)).toEqual([lost, released])
    advance(4999)
    expect(await leases.acquire(kept.sessionId, 'b', 1000, 'steal')).toBeUndefined()
    advance(1)
    expect(await leases.acquire(kept.sessionId, 'b', 1000, 'expired')).toMatchObject({ epoch: 2 })
    expect(await leases.renew([], 'a', 1000)).toEqual([])
  })

  it('ignores a release by one who is not the owner any more', async () => {
    const { leases } = get()
    const old = await acquire(get(), newSessionId(), 'a')
    advance(60_000)
    const current = await acquire(get(), old.sessionId, 'b')
    await leases.release(old, 'a')
    await leases.release(current, 'a')
    await leases.release({ sessionId: newSessionId(), epoch: 1 }, 'a')
    expect(await leases.acquire(old.sessionId, 'c', 1000, 'steal')).toBeUndefined()
    await leases.release(current, 'b')
    expect(await leases.acquire(old.sessionId, 'c', 1000, 'free')).toMatchObject({ epoch: 3 })
  })

  it('ends the leases of all other owners', async () => {
    const { leases } = get()
    const dead = await acquire(get(), newSessionId(), 'dead')
    const mine = await acquire(get(), newSessionId(), 'mine')
    const inherited = await leases.inherit('mine')
    expect(inherited).toContain(dead.sessionId)
    expect(inherited).not.toContain(mine.sessionId)
    expect(await leases.inherit('mine')).toEqual([])
    expect(await leases.renew([dead], 'dead', 1000)).toEqual([dead])
    expect(await leases.renew([mine], 'mine', 1000)).toEqual([])
    expect(await leases.acquire(dead.sessionId, 'mine', 1000, 'start')).toMatchObject({ epoch: 2 })
  })

  it('an heir that dies before it acquired leaves the sessions to the next one; one that released them does not', async () => {
    const { leases } = get()
    const { sessionId } = await acquire(get(), newSessionId(), 'dead')
    expect(await leases.inherit('heir')).toContain(sessionId)
    expect(await leases.inherit('next')).toContain(sessionId)
    const grant = await leases.acquire(sessionId, 'next', 1000, 'start')
    if (grant) await leases.release(grant, 'next')
    expect(await leases.inherit('last')).not.toContain(sessionId)
  })

  it('inherited leases have run out: another owner may take them', async () => {
    const { leases } = get()
    const { sessionId } = await acquire(get(), newSessionId(), 'dead')
    await leases.inherit('heir')
    expect(await leases.acquire(sessionId, 'another', 1000, 'start')).toMatchObject({ epoch: 2 })
  })
}
