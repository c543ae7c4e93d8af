import { text } from '../text/page-text.ts'
import { CostName } from './cost-name.tsx'
import { type CostFigures, type CostRow, metricOf, topRows } from './cost-rows.ts'
import type { Metric } from './cost-view.ts'
import type { CostLabel } from './use-cost-names.ts'

const most = 10

interface RankBarsProps {
  title: string
  /** In their order. */
  rows: readonly CostRow[]
  metric: Metric
  nameOf: (key: string) => CostLabel
  format: (value: number) => string
}

/** Lying bars, the longest first: names of any length stay readable beside them. */
export function RankBars({ title, rows, metric, nameOf, format }: RankBarsProps) {
  const { top, rest } = topRows(rows, most)
  const bars = [
    ...top.map((row) => ({ key: `of ${row.key}`, name: nameOf(row.key), figures: row as CostFigures })),
    ...(rest
      ? [{ key: 'rest', name: { name: text.costs.others(rest.count), href: undefined }, figures: rest }]
      : []),
  ]
  const longest = Math.max(...bars.map((bar) => metricOf(bar.figures, metric)), 0)
  return (
    <figure className="min-w-0">
      <figcaption className="pb-2 text-sm font-medium">{title}</figcaption>
      <ul className="flex flex-col gap-2">
        {bars.map(({ key, name, figures }) => {
          const value = metricOf(figures, metric)
          return (
            <li
              key={key}
              className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 text-sm sm:grid-cols-[minmax(0,14rem)_minmax(0,1fr)_5rem] sm:items-center"
            >
              <CostName {...name} />
              <span className="text-right tabular-nums sm:order-last">{format(value)}</span>
              <span aria-hidden className="col-span-2 h-3 rounded-sm bg-raised sm:col-span-1">
                <span
                  className="block h-full rounded-sm bg-chart"
                  style={{ width: longest > 0 ? `${Math.max(0.5, (value / longest) * 100)}%` : 0 }}
                />
              </span>
            </li>
          )
        })}
      </ul>
    </figure>
  )
}
