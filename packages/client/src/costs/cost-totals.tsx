import { text } from '../text/page-text.ts'
import { formatCount, formatUsd } from '../ui/format.ts'
import { allTokens, type CostFigures } from './cost-rows.ts'

/** The whole period in four figures. */
export function CostTotals({ total }: { total: CostFigures }) {
  const t = text.costs
  const figures: readonly [string, string][] = [
    [t.cost, formatUsd(total.usd)],
    [t.turns, total.turns.toLocaleString('en')],
    [t.perTurn, formatUsd(total.turns > 0 ? total.usd / total.turns : 0)],
    [t.tokens, formatCount(allTokens(total.tokens))],
  ]
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt className="text-xs text-soft">{name}</dt>
          <dd className="text-xl font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
