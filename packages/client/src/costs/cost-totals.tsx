import { text } from '../text/page-text.ts'
import { formatCount, formatUsd } from '../ui/format.ts'
import { allTokens, type CostFigures } from './cost-rows.ts'
import type { Metric } from './cost-view.ts'

/** The whole period in up to four figures. */
export function CostTotals({ total, metrics }: { total: CostFigures; metrics: readonly Metric[] }) {
  const t = text.costs
  const all: readonly [Metric, string, string][] = [
    ['usd', t.cost, formatUsd(total.usd)],
    ['turns', t.turns, total.turns.toLocaleString('en')],
    ['usd', t.perTurn, formatUsd(total.turns > 0 ? total.usd / total.turns : 0)],
    ['tokens', t.tokens, formatCount(allTokens(total.tokens))],
  ]
  const figures = all.filter(([metric]) => metrics.includes(metric))
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4">
      {figures.map(([, name, value]) => (
        <div key={name}>
          <dt className="text-xs text-soft">{name}</dt>
          <dd className="text-xl font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
