import { ChartColumn, Table2 } from 'lucide-react'
import { useState } from 'react'
import { text as words } from '../text/text.ts'
import { IconButton } from '../ui/button.tsx'
import { BarPlot } from './bar-plot.tsx'
import { type ChartSeries, chartColor, totals } from './chart-data.ts'
import { ChartTable } from './chart-table.tsx'

interface StackedBarsProps {
  /** Said by screen readers; above the plot. */
  title: string
  /** One a bar. Keep the same array while the data is the same: another one draws anew. */
  labels: readonly string[]
  series: readonly ChartSeries[]
  format?: (value: number) => string
  height?: number
}

/** Bars of several parts, with a legend that shows the figures under the pointer, and a table with all of them. */
export function StackedBars({ title, labels, series, format = String, height = 220 }: StackedBarsProps) {
  const [table, setTable] = useState(false)
  const [failed, setFailed] = useState(false)
  const [labelIndex, setLabelIndex] = useState<number>()
  const sums = totals(labels, series)
  const empty = sums.every((sum) => sum === 0)
  const summary = words.render.chartSummary(title, labels.length, format(Math.max(0, ...sums)))
  return (
    <figure className="min-w-0" aria-label={summary}>
      <figcaption className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate text-sm font-medium">{title}</span>
        {!failed && (
          <IconButton
            label={table ? words.render.chartPlot : words.render.chartTable}
            icon={table ? ChartColumn : Table2}
            iconSize={16}
            onClick={() => setTable(!table)}
          />
        )}
      </figcaption>
      {failed && (
        <p role="status" className="pb-1 text-xs text-soft">
          {words.render.chartFailed}
        </p>
      )}
      {table || failed ? (
        <ChartTable title={title} labels={labels} series={series} format={format} />
      ) : empty ? (
        <p className="flex items-center justify-center text-sm text-faint" style={{ height }}>
          {words.render.chartEmpty}
        </p>
      ) : (
        <>
          <BarPlot
            labels={labels}
            series={series}
            format={format}
            height={height}
            onPoint={setLabelIndex}
            onFailed={() => setFailed(true)}
          />
          <Legend labels={labels} series={series} sums={sums} labelIndex={labelIndex} format={format} />
        </>
      )}
    </figure>
  )
}

interface LegendProps {
  labels: readonly string[]
  series: readonly ChartSeries[]
  sums: readonly number[]
  labelIndex: number | undefined
  format: (value: number) => string
}

function Legend({ labels, series, sums, labelIndex, format }: LegendProps) {
  const label = labelIndex === undefined ? words.render.chartTotal : (labels[labelIndex] ?? '')
  const sum = labelIndex === undefined ? sums.reduce((a, b) => a + b, 0) : (sums[labelIndex] ?? 0)
  const value = (one: ChartSeries) =>
    labelIndex === undefined ? one.values.reduce((a, b) => a + b, 0) : (one.values[labelIndex] ?? 0)
  return (
    <div className="flex min-h-5 flex-wrap gap-x-4 gap-y-1 pt-1 text-xs text-soft tabular-nums">
      <span className="font-medium text-text">{words.render.chartFigure(label, format(sum))}</span>
      {series.length > 1 &&
        series.map((one, index) => (
          <span key={one.name} className="inline-flex max-w-60 items-center gap-1.5">
            <span
              aria-hidden
              className="size-2.5 shrink-0 rounded-xs"
              style={{ backgroundColor: `var(${chartColor(index)})` }}
            />
            <bdi className="truncate" title={one.name}>
              {one.name}
            </bdi>
            {format(value(one))}
          </span>
        ))}
    </div>
  )
}
