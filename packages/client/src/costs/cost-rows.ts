/** Totals of the server → rows of the table and bars of the plot. */
import type { CostTotal, TokenCounts } from '@dorkos/shared'
import type { ChartSeries } from '../render/chart-data.ts'
import type { Metric } from './cost-view.ts'

export interface CostFigures {
  usd: number
  turns: number
  tokens: TokenCounts
}

export interface CostRow extends CostFigures {
  key: string
  /** From 0 to 1, of the cost; of all tokens where nothing cost anything. */
  share: number
}

const noTokens: TokenCounts = { input: 0, output: 0, cache_read: 0, cache_write: 0 }
export const tokenKinds = ['input', 'output', 'cache_read', 'cache_write'] as const

export function allTokens(tokens: TokenCounts): number {
  return tokenKinds.reduce((sum, kind) => sum + tokens[kind], 0)
}

export function metricOf(figures: CostFigures, metric: Metric): number {
  return metric === 'tokens' ? allTokens(figures.tokens) : figures[metric]
}

/** One for each day: days without a turn are 0. Days outside are left out. */
export function fillDays(totals: readonly CostTotal[], days: readonly string[]): CostTotal[] {
  const known = new Map(totals.map((total) => [total.key, total]))
  return days.map((key) => known.get(key) ?? { key, usd: 0, turns: 0, tokens: noTokens })
}

export function costRows(totals: readonly CostTotal[]): CostRow[] {
  const usd = totals.reduce((sum, total) => sum + total.usd, 0)
  const part: (total: CostTotal) => number =
    usd > 0 ? (total) => total.usd : (total) => allTokens(total.tokens)
  const whole = totals.reduce((sum, total) => sum + part(total), 0)
  return totals.map((total) => ({ ...total, share: whole > 0 ? part(total) / whole : 0 }))
}

/** Those that have anything to say. A day without a turn is a gap in the plot, not a row. */
export function usedRows(rows: readonly CostRow[]): CostRow[] {
  return rows.filter(({ turns }) => turns > 0)
}

/** By what is shown, the most first. */
export function sortRows(rows: readonly CostRow[], metric: Metric): CostRow[] {
  return rows.toSorted((a, b) => metricOf(b, metric) - metricOf(a, metric) || (a.key < b.key ? -1 : 1))
}

/** The first ones, and the rest as one. `rest` is undefined where all have room. */
export function topRows(
  rows: readonly CostRow[],
  most: number,
): { top: readonly CostRow[]; rest: (CostFigures & { count: number }) | undefined } {
  if (rows.length <= most) return { top: rows, rest: undefined }
  const left = rows.slice(most - 1)
  return { top: rows.slice(0, most - 1), rest: { ...sumOf(left), count: left.length } }
}

function sumOf(rows: readonly CostFigures[]): CostFigures {
  return rows.reduce<CostFigures>(
    (sum, row) => ({
      usd: sum.usd + row.usd,
      turns: sum.turns + row.turns,
      tokens: {
        input: sum.tokens.input + row.tokens.input,
        output: sum.tokens.output + row.tokens.output,
        cache_read: sum.tokens.cache_read + row.tokens.cache_read,
        cache_write: sum.tokens.cache_write + row.tokens.cache_write,
      },
    }),
    { usd: 0, turns: 0, tokens: noTokens },
  )
}

/** Bars by day: tokens by their kind, all else in one. */
export function dayChart(
  totals: readonly CostTotal[],
  metric: Metric,
  names: { metric: string; tokens: Record<keyof TokenCounts, string> },
): ChartSeries[] {
  if (metric !== 'tokens')
    return [{ name: names.metric, values: totals.map((total) => metricOf(total, metric)) }]
  return tokenKinds.map((kind) => ({
    name: names.tokens[kind],
    values: totals.map((total) => total.tokens[kind]),
  }))
}
