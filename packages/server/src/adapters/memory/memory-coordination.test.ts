import { approvalsConformance } from '../../core/ports/approvals.conformance.ts'
import { eventLogConformance } from '../../core/ports/event-log.conformance.ts'
import type { OpenCoordination } from '../../core/ports/fixtures.conformance.ts'
import { leaseConformance } from '../../core/ports/lease.conformance.ts'
import { runningCostsConformance } from '../../core/ports/running-costs.conformance.ts'
import { shortLivedConformance } from '../../core/ports/short-lived.conformance.ts'
import { turnQueueConformance } from '../../core/ports/turn-queue.conformance.ts'
import { createMemoryCoordination } from './memory-coordination.ts'

const open: OpenCoordination = async (clock) => ({
  coordination: createMemoryCoordination(clock),
  close: async () => undefined,
})

eventLogConformance('memory', open)
leaseConformance('memory', open)
turnQueueConformance('memory', open)
approvalsConformance('memory', open)
shortLivedConformance('memory', open)
runningCostsConformance('memory', open)
