/** What every lease keeps to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Coordination, RunningLease } from './coordination.ts'
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
    forgetTests(get, clock.advance)

    it('keeps owners and epochs when opened again', async (context) => {
      if (!subject.reopen) return context.skip()
      const sessionId = newSessionId()
      await coordination.leases.acquire(sessionId, 'a/1', 1000, 'start')
      coordination = await subject.reopen()
      expect(await coordination.leases.epochOf(sessionId)).toBe(1)
      expect(await coordination.leases.acquire(sessionId, 'b/1', 1000, 'start')).toBeUndefined()
      await coordination.leases.inherit('a/2')
      expect(await coordination.leases.abandoned()).toContain(sessionId)
      expect(await coordination.leases.acquire(sessionId, 'b/1', 1000, 'start')).toMatchObject({ epoch: 2 })
    })
  })
}

function grantTests(get: () => Coordination, advance: (ms: number) => void): void {
  it('raises the epoch by one with each owner, and begins each epoch with an event', async () => {
    const { leases, events } = get()
    const sessionId = newSessionId()
    expect(await leases.epochOf(sessionId)).toBe(0)
    const first = await leases.acquire(sessionId, 'a/1', 1000, 'server started')
    expect(first).toEqual({ sessionId, epoch: 1 })
    if (first) await leases.release(first, 'a/1')
    expect(await leases.acquire(sessionId, 'b/1', 1000, 'moved')).toEqual({ sessionId, epoch: 2 })
    expect(await leases.epochOf(sessionId)).toBe(2)
    expect(await events.readSession(sessionId, undefined, 10)).toMatchObject([
      { id: '1-1', type: 'session_taken_over', reason: 'server started', session: sessionId },
      { id: '2-1', type: 'session_taken_over', reason: 'moved' },
    ])
  })

  it('refuses another owner while the lease runs, and appends nothing then', async () => {
    const { leases, events } = get()
    const sessionId = newSessionId()
    await leases.acquire(sessionId, 'a/1', 1000, 'start')
    advance(999)
    expect(await leases.acquire(sessionId, 'b/1', 1000, 'steal')).toBeUndefined()
    expect(await leases.epochOf(sessionId)).toBe(1)
    expect(await events.readSession(sessionId, undefined, 10)).toHaveLength(1)
    advance(1)
    expect(await leases.acquire(sessionId, 'b/1', 1000, 'expired')).toMatchObject({ epoch: 2 })
  })

  it('makes the older grant of the same owner stale', async () => {
    const sessionId = newSessionId()
    const first = await acquire(get(), sessionId)
    const second = await acquire(get(), sessionId)
    expect(second.epoch).toBe(2)
    await expect(append(get(), first, 2, ['x'])).rejects.toMatchObject({ name: 'StaleEpochError' })
    expect(await get().leases.renew([first, second], 'server-a/1', 1000)).toEqual([first])
  })

  it('has one winner when many want a session at once', async () => {
    const sessionId = newSessionId()
    const owners = Array.from({ length: 50 }, (_, index) => `node-${index}/1` as const)
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
    const [kept, lost, released] = await Promise.all(
      [1, 2, 3].map(() => acquire(get(), newSessionId(), 'a/1')),
    )
    if (!kept || !lost || !released) throw new Error('no grants')
    advance(60_000)
    await leases.acquire(lost.sessionId, 'b/1', 1000, 'expired')
    await leases.release(released, 'a/1')
    // Expired, but nobody took it.
    expect(await leases.renew([kept, lost, released], 'a/1', 5000)).toEqual([lost, released])
    advance(4999)
    expect(await leases.acquire(kept.sessionId, 'b/1', 1000, 'steal')).toBeUndefined()
    advance(1)
    expect(await leases.acquire(kept.sessionId, 'b/1', 1000, 'expired')).toMatchObject({ epoch: 2 })
    expect(await leases.renew([], 'a/1', 1000)).toEqual([])
  })

  it('ignores a release by one who is not the owner any more', async () => {
    const { leases } = get()
    const old = await acquire(get(), newSessionId(), 'a/1')
    advance(60_000)
    const current = await acquire(get(), old.sessionId, 'b/1')
    await leases.release(old, 'a/1')
    await leases.release(current, 'a/1')
    await leases.release({ sessionId: newSessionId(), epoch: 1 }, 'a/1')
    expect(await leases.acquire(old.sessionId, 'c/1', 1000, 'steal')).toBeUndefined()
    await leases.release(current, 'b/1')
    expect(await leases.acquire(old.sessionId, 'c/1', 1000, 'free')).toMatchObject({ epoch: 3 })
  })

  it('says who owns what, until a lease runs out or is given back', async () => {
    const { leases } = get()
    const [one, two] = await Promise.all([
      acquire(get(), newSessionId(), 'a/1'),
      acquire(get(), newSessionId(), 'b/1'),
    ])
    const ids = [one.sessionId, two.sessionId, newSessionId()]
    const owned: [string, RunningLease][] = [
      [one.sessionId, { owner: 'a/1', epoch: 1 }],
      [two.sessionId, { owner: 'b/1', epoch: 1 }],
    ]
    expect(await leases.running(ids)).toEqual(new Map(owned))
    const all = await leases.running()
    expect(all).toEqual(new Map([...all, ...owned]))
    await leases.release(one, 'a/1')
    expect(await leases.running(ids)).toEqual(new Map(owned.slice(1)))
    expect(await leases.running([])).toEqual(new Map())
    advance(60_000)
    expect(await leases.running(ids)).toEqual(new Map())
    expect(await leases.abandoned()).toContain(two.sessionId)
    expect(await leases.abandoned()).not.toContain(one.sessionId)
  })

  it('a clock that was set back does not lock a session for as long', async () => {
    const { leases } = get()
    const { sessionId } = await acquire(get(), newSessionId(), 'a/1')
    advance(-3_600_000)
    expect(await leases.running([sessionId])).toEqual(new Map())
    expect(await leases.acquire(sessionId, 'b/1', 1000, 'set back')).toMatchObject({ epoch: 2 })
    advance(3_600_000)
  })

  it('inherit ends the leases of the node’s earlier runs, and nobody else’s', async () => {
    const { leases } = get()
    const dead = await acquire(get(), newSessionId(), 'mine/1')
    const mine = await acquire(get(), newSessionId(), 'mine/2')
    const others = await acquire(get(), newSessionId(), 'other/1')
    const alike = await acquire(get(), newSessionId(), 'mine-too/1')
    await leases.inherit('mine/2')
    const left = await leases.abandoned()
    expect(left).toContain(dead.sessionId)
    for (const { sessionId } of [mine, others, alike]) expect(left).not.toContain(sessionId)
    expect(await leases.renew([others], 'other/1', 60_000)).toEqual([])
    expect(await leases.renew([mine], 'mine/2', 60_000)).toEqual([])
    expect(await leases.acquire(dead.sessionId, 'other/1', 1000, 'start')).toMatchObject({ epoch: 2 })
    expect(await leases.renew([dead], 'mine/1', 1000)).toEqual([dead])
  })

  it('what an heir did not get to stays abandoned; what it released does not', async () => {
    const { leases } = get()
    const { sessionId } = await acquire(get(), newSessionId(), 'heirs/1')
    await leases.inherit('heirs/2')
    await leases.inherit('heirs/3')
    expect(await leases.abandoned()).toContain(sessionId)
    const grant = await leases.acquire(sessionId, 'heirs/3', 1000, 'start')
    expect(await leases.abandoned()).not.toContain(sessionId)
    if (grant) await leases.release(grant, 'heirs/3')
    expect(await leases.abandoned()).not.toContain(sessionId)
  })
}

function forgetTests(get: () => Coordination, advance: (ms: number) => void): void {
  it('forget leaves nothing of what never was a session, and nothing of it comes back', async () => {
    const coordination = get()
    const { leases, events } = coordination
    const [spare, session] = [
      await acquire(coordination, newSessionId(), 'a/1'),
      await acquire(coordination, newSessionId(), 'a/1'),
    ]
    await append(coordination, spare, 2, ['one'])
    await append(coordination, session, 2, ['two'])
    await leases.forget({ ...spare, epoch: 7 }, 'a/1')
    await leases.forget(spare, 'b/1')
    expect(await events.readSession(spare.sessionId, undefined, 10)).toHaveLength(2)

    await leases.forget(spare, 'a/1')
    expect(await leases.epochOf(spare.sessionId)).toBe(0)
    expect(await events.readSession(spare.sessionId, undefined, 10)).toEqual([])
    expect(await events.end(spare.sessionId)).toBeUndefined()
    expect(await leases.renew([spare], 'a/1', 60_000)).toEqual([spare])
    await expect(append(coordination, spare, 3, ['late'])).rejects.toThrow()
    expect(await events.readSession(session.sessionId, undefined, 10)).toHaveLength(2)
    expect(await leases.running([spare.sessionId, session.sessionId])).toEqual(
      new Map([[session.sessionId, { owner: 'a/1', epoch: 1 }]]),
    )
    advance(120_000)
    expect(await leases.abandoned()).not.toContain(spare.sessionId)
  })
}
