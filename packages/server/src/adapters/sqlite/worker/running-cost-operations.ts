/** What the turns that run cost, in SQL: beside the lease of their session, with which it ends. */
import type { RunningCost } from '../../../core/ports/coordination.ts'
import { checkEpoch } from './event-log-operations.ts'
import { isRunning } from './lease-operations.ts'
import { operation } from './operation.ts'

type CostRow = { sessionId: string; usd: number; bookedTo: number }

export const runningCostOperations = {
  'runningCosts.report': operation(
    'normal',
    (store, { sessionId, epoch, cost }: { sessionId: string; epoch: number; cost: RunningCost }): void => {
      checkEpoch(store, sessionId, epoch)
      store.database.run(
        'UPDATE leases SET running_usd = ?, booked_to = ? WHERE session_id = ?',
        cost.usd,
        cost.bookedTo,
        sessionId,
      )
    },
  ),

  'runningCosts.list': operation('none', ({ database }, now: number) =>
    database.all<CostRow>(
      `SELECT session_id AS sessionId, running_usd AS usd, booked_to AS bookedTo FROM leases
        WHERE owner IS NOT NULL AND running_usd <> 0 AND ${isRunning}`,
      now,
    ),
  ),
}
