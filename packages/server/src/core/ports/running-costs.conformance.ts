/** What every store of running costs keeps to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Coordination } from './coordination.ts'
import {
  acquire,
  type CoordinationSubject,
  createManualClock,
  newSessionId,
  type OpenCoordination,
} from './fixtures.conformance.ts'

export function runningCostsConformance(name: string, open: OpenCoordination): void {
  describe(`${name}: running costs`, () => {
    const clock = createManualClock()
    let subject: CoordinationSubject
    let coordination: Coordination
    beforeAll(async () => {
      subject = await open(clock)
      coordination = subject.coordination
    })
    afterAll(() => subject.close())
    const costOf = async (sessionId: string) =>
      (await coordination.runningCosts.list()).find((cost) => cost.sessionId === sessionId)

    it('has what was reported last, of all sessions', async () => {
      const { runningCosts } = coordination
      const one = await acquire(coordination, newSessionId(), 'a/1')
      const two = await acquire(coordination, newSessionId(), 'b/1')
      expect(await costOf(one.sessionId)).toBeUndefined()
      await runningCosts.report(one.sessionId, one.epoch, { usd: 0.1, bookedTo: 0 })
      await runningCosts.report(two.sessionId, two.epoch, { usd: 2, bookedTo: 7 })
      await runningCosts.report(one.sessionId, one.epoch, { usd: 0.1 + 0.2, bookedTo: 3 })
      const byUsd = (await runningCosts.list()).toSorted((a, b) => a.usd - b.usd)
      expect(byUsd).toEqual([
        { sessionId: one.sessionId, usd: 0.1 + 0.2, bookedTo: 3 },
        { sessionId: two.sessionId, usd: 2, bookedTo: 7 },
      ])
      await runningCosts.report(two.sessionId, two.epoch, { usd: 0, bookedTo: 8 })
      expect(await costOf(two.sessionId)).toBeUndefined()
    })

    it('has nothing of a session that was given back', async () => {
      const grant = await acquire(coordination, newSessionId(), 'a/1')
      await coordination.runningCosts.report(grant.sessionId, grant.epoch, { usd: 1, bookedTo: 0 })
      await coordination.leases.release(grant, 'a/1')
      expect(await costOf(grant.sessionId)).toBeUndefined()
    })

    it('has nothing of an owner that is gone, nor does the next one take it over', async () => {
      const { sessionId, epoch } = await acquire(coordination, newSessionId(), 'a/1')
      await coordination.runningCosts.report(sessionId, epoch, { usd: 1, bookedTo: 0 })
      clock.advance(59_999)
      expect(await costOf(sessionId)).toMatchObject({ usd: 1 })
      clock.advance(1)
      expect(await costOf(sessionId)).toBeUndefined()
      await acquire(coordination, sessionId, 'b/1')
      expect(await costOf(sessionId)).toBeUndefined()
    })

    it('refuses who is not the owner any more, or never was', async () => {
      const { runningCosts } = coordination
      const old = await acquire(coordination, newSessionId(), 'a/1')
      const current = await acquire(coordination, old.sessionId, 'a/1')
      await runningCosts.report(current.sessionId, current.epoch, { usd: 1, bookedTo: 0 })
      const late = runningCosts.report(old.sessionId, old.epoch, { usd: 64, bookedTo: 0 })
      await expect(late).rejects.toMatchObject({ name: 'StaleEpochError' })
      const unknown = runningCosts.report(newSessionId(), 1, { usd: 64, bookedTo: 0 })
      await expect(unknown).rejects.toMatchObject({ name: 'StaleEpochError' })
      expect(await costOf(old.sessionId)).toMatchObject({ usd: 1 })
    })

    it('keeps them when opened again', async (context) => {
      if (!subject.reopen) return context.skip()
      const { sessionId, epoch } = await acquire(coordination, newSessionId(), 'a/1')
      await coordination.runningCosts.report(sessionId, epoch, { usd: 0.5, bookedTo: 4 })
      coordination = await subject.reopen()
      expect(await costOf(sessionId)).toEqual({ sessionId, usd: 0.5, bookedTo: 4 })
    })
  })
}
