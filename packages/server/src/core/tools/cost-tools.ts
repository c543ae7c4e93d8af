/** `get_costs`. */
import type { CostTotal } from '@dorkos/shared'
import type { CostGroup, ServerToolDeps } from './mcp-tool-deps.ts'
import { answering, cut } from './tool-answer.ts'
import { visibilityFor, visibleSessions } from './visible-sessions.ts'

const DAY_MS = 24 * 60 * 60_000

export function createGetCostsHandler(
  deps: Pick<ServerToolDeps, 'costs' | 'now' | 'sessions' | 'visibilityOf'>,
) {
  return answering<{ group?: CostGroup | undefined; days?: number | undefined; limit?: number | undefined }>(
    'Failed to add up the costs',
    async ({ group = 'day', days = 30, limit = 20 }, caller) => {
      const visibility = await visibilityFor(deps, caller)
      const now = deps.now?.() ?? Date.now()
      const from = new Date(now - days * DAY_MS).toISOString()
      if (visibility.kind !== 'all') return visibleCosts(deps, visibility, from)
      const { totals, total } = await deps.costs.report(visibility.actor, { group, from })
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

/** By session, whatever was asked for: totals of days and models hold what others cost. */
async function visibleCosts(
  deps: Pick<ServerToolDeps, 'costs' | 'sessions'>,
  visibility: Parameters<typeof visibleSessions>[1],
  from: string,
): Promise<unknown> {
  const own = new Set((await visibleSessions(deps, visibility)).map(({ id }) => id))
  const { totals } = await deps.costs.report(visibility.actor, { group: 'session', from })
  const kept = totals.filter(({ key }) => own.has(key))
  return { from, group: 'session', total: { usd: kept.reduce((sum, { usd }) => sum + usd, 0) }, totals: kept }
}

function newestFirst(a: CostTotal, b: CostTotal): number {
  return a.key < b.key ? 1 : -1
}

function largestFirst(a: CostTotal, b: CostTotal): number {
  return b.usd - a.usd
}
