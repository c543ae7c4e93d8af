/** What the turns that run cost, in memory. */
import type { Clock } from '../../core/ports/clock.ts'
import type { RunningCosts } from '../../core/ports/coordination.ts'
import type { Owners } from './memory-leases.ts'

export function createMemoryRunningCosts(owners: Owners, clock: Clock): RunningCosts {
  return {
    async report(sessionId, epoch, { usd, bookedTo }) {
      owners.check(sessionId, epoch).cost = { usd, bookedTo }
    },
    async list() {
      const running = [...owners.entries()].filter(([, one]) => owners.isRunning(one, clock.now()))
      return running.flatMap(([sessionId, { cost }]) =>
        cost && cost.usd !== 0 ? { sessionId, ...cost } : [],
      )
    },
  }
}
