/** Costs and budgets. */
import type { CostService } from '../../core/services.ts'
import type { Handlers } from '../route.ts'

export function costRoutes(costs: CostService) {
  return {
    getCosts: ({ actor, query }) => costs.report(actor, query),
    listLedger: ({ actor, query }) => costs.entries(actor, query),
    listBudgets: async ({ actor }) => ({ budgets: await costs.budgets(actor) }),
  } satisfies Partial<Handlers>
}
