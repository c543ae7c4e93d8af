/** `get_costs`. */
import type { CostTotal } from '@dorkos/shared'
import type { CostGroup, McpToolDeps } from './mcp-tool-deps.ts'
import { answering, cut } from './tool-answer.ts'

const DAY_MS = 24 * 60 * 60_000

export function createGetCostsHandler(deps: Pick<McpToolDeps, 'costs' | 'now'>) {
  return answering<{ group?: CostGroup | undefined; days?: number | undefined; limit?: number | undefined }>(
    'Failed to add up the costs',
    async ({ group = 'day', days = 30, limit = 20 }) => {
      const now = deps.now?.() ?? Date.now()
      const from = new Date(now - days * DAY_MS).toISOString()
      const { totals, total } = await deps.costs.report({ group, from })
      const sorted = totals.toSorted(group === 'day' ? newestFirst : largestFirst)
      const kept = sorted.slice(0, Math.min(100, limit))
      return {
        from,
        group,
        total,
        totals: kept.map((one) => ({ ...one, key: cut(one.key, 200) })),
        has_more: totals.length > kept.length,
      }
    },
  )
}

function newestFirst(a: CostTotal, b: CostTotal): number {
  return a.key < b.key ? 1 : -1
}

function largestFirst(a: CostTotal, b: CostTotal): number {
  return b.usd - a.usd
}
