/** `get_costs`. */
import type { CostTotal } from '@dorkos/shared'
import type { CostGroup, ServerToolDeps } from './mcp-tool-deps.ts'
import { toldOf, toldSessions } from './told-sessions.ts'
import { answering, cut } from './tool-answer.ts'

const DAY_MS = 24 * 60 * 60_000

export function createGetCostsHandler(deps: Pick<ServerToolDeps, 'costs' | 'now' | 'sessions' | 'toldTo'>) {
  return answering<{ group?: CostGroup | undefined; days?: number | undefined; limit?: number | undefined }>(
    'Failed to add up the costs',
    async ({ group = 'day', days = 30, limit = 20 }, caller) => {
      const told = await toldOf(deps, caller)
      const now = deps.now?.() ?? Date.now()
      const from = new Date(now - days * DAY_MS).toISOString()
      if (told.kind !== 'all') return costsTold(deps, told, from)
      const { totals, total } = await deps.costs.report(told.actor, { group, from })
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
async function costsTold(
  deps: Pick<ServerToolDeps, 'costs' | 'sessions'>,
  told: Parameters<typeof toldSessions>[1],
  from: string,
): Promise<unknown> {
  const own = new Set((await toldSessions(deps, told)).map(({ id }) => id))
  const { totals } = await deps.costs.report(told.actor, { group: 'session', from })
  const kept = totals.filter(({ key }) => own.has(key))
  return { from, group: 'session', total: { usd: kept.reduce((sum, { usd }) => sum + usd, 0) }, totals: kept }
}

function newestFirst(a: CostTotal, b: CostTotal): number {
  return a.key < b.key ? 1 : -1
}

function largestFirst(a: CostTotal, b: CostTotal): number {
  return b.usd - a.usd
}
