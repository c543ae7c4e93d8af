/** Costs and budgets. */
import type { CostService } from '../../core/services.ts'
import type { Handlers } from '../route.ts'

export function costRoutes(costs: CostService) {
  return {
    getCosts: ({ query }) => costs.report(query),
    listLedger: ({ query }) => costs.entries(query),
    listBudgets: async () => ({ budgets: await costs.budgets() }),
  } satisfies Partial<Handlers>
}
