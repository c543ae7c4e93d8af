/** What a server's tools did: how often they were called, how often that failed, and how long it took. */
import type { ToolStats } from '../server-status.ts'

const rememberedCalls = 200
const mostTools = 2000

interface Row {
  calls: number
  errors: number
  /** Milliseconds, oldest first. */
  times: number[]
}

export class ToolStatsTable {
  readonly #rows = new Map<string, Row>()

  record(tool: string, ms: number, isError: boolean): void {
    let row = this.#rows.get(tool)
    if (!row) {
      if (this.#rows.size >= mostTools) return
      row = { calls: 0, errors: 0, times: [] }
      this.#rows.set(tool, row)
    }
    row.calls += 1
    if (isError) row.errors += 1
    row.times.push(ms)
    if (row.times.length > rememberedCalls) row.times.shift()
  }

  snapshot(): Record<string, ToolStats> {
    return Object.fromEntries([...this.#rows].map(([tool, row]) => [tool, statsOf(row)]))
  }
}

function statsOf(row: Row): ToolStats {
  const sorted = row.times.toSorted((one, other) => one - other)
  return {
    calls: row.calls,
    errors: row.errors,
    p50Ms: percentile(sorted, 0.5),
    p95Ms: percentile(sorted, 0.95),
    lastMs: rounded(row.times.at(-1)),
  }
}

/** The smallest value that is not below `part` of all. */
function percentile(sorted: readonly number[], part: number): number | undefined {
  return rounded(sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)])
}

function rounded(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 10) / 10
}
