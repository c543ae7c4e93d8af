/** Costs as people see them. */
import type { CostSum, Ledger } from '../ports/records.ts'
import type { CostService } from '../services.ts'
import { sum } from './usage-figures.ts'

export function createCostReports(ledger: Ledger, budgets: CostService['budgets']): CostService {
  return {
    async report({ principal }, { group, from, to, demo }) {
      const filter = {
        principal,
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(demo !== undefined && { demo }),
      }
      const totals = await ledger.totals({ ...filter, group })
      // A turn can use several models, but belongs to one session.
      const turns = group === 'model' ? await ledger.totals({ ...filter, group: 'session' }) : totals
      return { group, totals, total: { ...sum(totals), turns: countTurns(turns) } }
    },
    async entries({ principal }, { session_id, before, limit }) {
      const entries = await ledger.list({
        principal,
        ...(session_id !== undefined && { sessionId: session_id }),
        ...(before !== undefined && { before }),
        limit,
      })
      const last = entries.length < limit ? undefined : entries.at(-1)
      return { entries, ...(last && { before: last.id }) }
    },
    budgets,
  }
}

function countTurns(totals: readonly CostSum[]): number {
  return totals.reduce((turns, total) => turns + total.turns, 0)
}
