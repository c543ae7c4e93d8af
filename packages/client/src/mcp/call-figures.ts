/** What the calls of all tools of a server come to. Pure. */
import type { McpTool } from './server-state.ts'

export interface CallFigures {
  calls: number
  errors: number
  /** What half of the calls took at most: the middle of the tools' own, each as often as it was called. */
  p50Ms: number | undefined
  /** Of the slowest tool. */
  p95Ms: number | undefined
}

export function callFigures(tools: readonly Pick<McpTool, 'stats'>[]): CallFigures {
  const timed = tools
    .flatMap(({ stats }) => (stats.p50_ms === undefined ? [] : [{ ms: stats.p50_ms, weight: stats.calls }]))
    .toSorted((a, b) => a.ms - b.ms)
  const half = timed.reduce((sum, { weight }) => sum + weight, 0) / 2
  let below = 0
  const middle = timed.find(({ weight }) => {
    below += weight
    return below >= half
  })
  const slow = tools.flatMap(({ stats }) => (stats.p95_ms === undefined ? [] : [stats.p95_ms]))
  return {
    calls: tools.reduce((sum, { stats }) => sum + stats.calls, 0),
    errors: tools.reduce((sum, { stats }) => sum + stats.errors, 0),
    p50Ms: middle?.ms,
    p95Ms: slow.length === 0 ? undefined : Math.max(...slow),
  }
}
