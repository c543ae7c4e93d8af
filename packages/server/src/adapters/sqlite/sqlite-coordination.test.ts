import { approvalsConformance } from '../../core/ports/approvals.conformance.ts'
import { eventLogConformance } from '../../core/ports/event-log.conformance.ts'
import type { OpenCoordination } from '../../core/ports/fixtures.conformance.ts'
import { leaseConformance } from '../../core/ports/lease.conformance.ts'
import { runningCostsConformance } from '../../core/ports/running-costs.conformance.ts'
import { shortLivedConformance } from '../../core/ports/short-lived.conformance.ts'
import { turnQueueConformance } from '../../core/ports/turn-queue.conformance.ts'
import { openTestStore } from './test-store.conformance.ts'

const open: OpenCoordination = async (clock) => {
  const test = await openTestStore({ clock })
  return {
    coordination: test.store.coordination,
    reopen: async () => (await test.reopen()).coordination,
    close: test.close,
  }
}

eventLogConformance('SQLite', open)
leaseConformance('SQLite', open)
turnQueueConformance('SQLite', open)
approvalsConformance('SQLite', open)
shortLivedConformance('SQLite', open)
runningCostsConformance('SQLite', open)
