/** What the page of costs shows, as its address says it: a link leads to the same figures. */
import { costGroups, type TokenCounts } from '@dorkos/shared'
import { allTokens } from './cost-rows.ts'
import { isDay } from './days.ts'

export type CostGroup = (typeof costGroups)[number]
const metrics = ['usd', 'turns', 'tokens'] as const
export type Metric = (typeof metrics)[number]
export const periodLengths = [7, 30, 90] as const

export type Period =
  | { readonly kind: 'days'; readonly days: (typeof periodLengths)[number] }
  /** Both days belong to it. */
  | { readonly kind: 'custom'; readonly first: string; readonly last: string }

export interface CostView {
  readonly period: Period
  readonly group: CostGroup
  /** Undefined: nobody chose, and the page decides. */
  readonly metric: Metric | undefined
  readonly demo: boolean | undefined
}

const standardDays = 30

export function readView(search: string): CostView {
  const given = new URLSearchParams(search)
  return {
    period: readPeriod(given),
    group: costGroups.find((group) => group === given.get('by')) ?? 'day',
    metric: metrics.find((metric) => metric === given.get('show')),
    demo: given.has('demo') ? given.get('demo') === '1' : undefined,
  }
}

function readPeriod(given: URLSearchParams): Period {
  const first = given.get('from')
  const last = given.get('to')
  if (first !== null && last !== null && isDay(first) && isDay(last))
    return first <= last ? { kind: 'custom', first, last } : { kind: 'custom', first: last, last: first }
  const days = periodLengths.find((length) => String(length) === given.get('days'))
  return { kind: 'days', days: days ?? standardDays }
}

/** What there is to show. Nothing of the demo model costs anything: a column of zeros says nothing. */
export function metricsFor(total: { usd: number; tokens: TokenCounts }, demo: boolean): readonly Metric[] {
  return metrics.filter((metric) => {
    if (!demo) return true
    if (metric === 'usd') return total.usd > 0
    return metric === 'turns' || allTokens(total.tokens) > 0
  })
}

/** How many choices are other than what is shown unasked. The metric is none of them: it is chosen beside the figures. */
export function activeChoices({ period, group, demo }: CostView): number {
  const isOwnPeriod = period.kind === 'custom' || period.days !== standardDays
  return [isOwnPeriod, group !== 'day', demo !== undefined].filter(Boolean).length
}

/** The part of the address after `?`; empty for what is shown unasked. */
export function writeView({ period, group, metric, demo }: CostView): string {
  const search = new URLSearchParams()
  if (period.kind === 'custom') {
    search.set('from', period.first)
    search.set('to', period.last)
  } else if (period.days !== standardDays) search.set('days', String(period.days))
  if (group !== 'day') search.set('by', group)
  if (metric !== undefined) search.set('show', metric)
  if (demo !== undefined) search.set('demo', demo ? '1' : '0')
  return search.toString()
}
