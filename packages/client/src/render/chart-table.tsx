import { text as words } from '../text/text.ts'
import { type ChartSeries, totals } from './chart-data.ts'
import { ScrollBox } from './scroll-box.tsx'

interface ChartTableProps {
  title: string
  labels: readonly string[]
  series: readonly ChartSeries[]
  format: (value: number) => string
}

/** The same figures in words, for those who do not see the plot and for copying. What the plot has last, which is the newest, comes first. */
export function ChartTable({ title, labels, series, format }: ChartTableProps) {
  const sums = totals(labels, series)
  const rows = labels.map((label, index) => ({ label, index })).toReversed()
  const cell = 'px-2 py-1 text-right tabular-nums whitespace-nowrap'
  return (
    <ScrollBox label={title} className="max-h-80 overflow-auto rounded-lg border border-line">
      <table className="w-full text-sm">
        <thead className="sticky top-0 bg-raised">
          <tr>
            <th scope="col" className="px-2 py-1 text-left font-medium">
              {words.render.chartLabel}
            </th>
            {series.map((one) => (
              <th key={one.name} scope="col" className={`${cell} font-medium`}>
                <bdi>{one.name}</bdi>
              </th>
            ))}
            {series.length > 1 && (
              <th scope="col" className={`${cell} font-medium`}>
                {words.render.chartTotal}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, index }) => (
            <tr key={label} className="border-t border-line">
              <th scope="row" className="px-2 py-1 text-left font-normal whitespace-nowrap">
                {label}
              </th>
              {series.map((one) => (
                <td key={one.name} className={cell}>
                  {format(one.values[index] ?? 0)}
                </td>
              ))}
              {series.length > 1 && <td className={cell}>{format(sums[index] ?? 0)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
