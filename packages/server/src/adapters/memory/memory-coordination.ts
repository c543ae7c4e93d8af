/** Coordination in memory, for tests of the core: the same contract, nothing kept. */
import type { Clock } from '../../core/ports/clock.ts'
import type { Coordination } from '../../core/ports/coordination.ts'
import { createMemoryApprovals } from './memory-approvals.ts'
import { createMemoryEventLog } from './memory-event-log.ts'
import { createMemoryLeases, Owners } from './memory-leases.ts'
import { createMemoryRunningCosts } from './memory-running-costs.ts'
import { createMemoryShortLived } from './memory-short-lived.ts'
import { createMemoryTurnQueue } from './memory-turn-queue.ts'

export function createMemoryCoordination(clock: Clock): Coordination {
  const owners = new Owners()
  const turns = createMemoryTurnQueue(owners)
  const log = createMemoryEventLog(owners, turns.runningEpoch)
  return {
    shortLived: createMemoryShortLived(clock),
    events: log.events,
    leases: createMemoryLeases(owners, clock, log),
    turns: turns.queue,
    approvals: createMemoryApprovals(owners),
    runningCosts: createMemoryRunningCosts(owners, clock),
  }
}
