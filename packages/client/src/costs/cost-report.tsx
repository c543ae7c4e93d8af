import type { CostTotal } from '@dorkos/shared'
import { ChartNoAxesColumn, Download } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { errorText } from '../api.ts'
import { StackedBars } from '../render/chart.tsx'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { formatCount, formatUsd } from '../ui/format.ts'
import { Card, Empty } from '../ui/page.tsx'
import { Segments } from '../ui/segments.tsx'
import { toast } from '../ui/toast.tsx'
import { type CostFigures, costRows, dayChart, fillDays, sortRows } from './cost-rows.ts'
import { CostTable } from './cost-table.tsx'
import { CostTotals } from './cost-totals.tsx'
import { type CostGroup, type Metric, metrics } from './cost-view.ts'
import { dayLabel } from './days.ts'
import { downloadCosts } from './download-costs.ts'
import { RankBars } from './rank-bars.tsx'
import { useCostNames } from './use-cost-names.ts'

const formats: Record<Metric, (value: number) => string> = {
  usd: formatUsd,
  turns: formatCount,
  tokens: formatCount,
}
const firstRows = { day: 10, workspace: 25, model: 25, session: 25 }

interface CostReportProps {
  group: CostGroup
  metric: Metric
  onMetric: (metric: Metric) => void
  days: readonly string[]
  totals: readonly CostTotal[]
  total: CostFigures
  /** Between the plot and the table. */
  children: ReactNode
}

/** The figures of a period: in sum, as a plot, and one by one. */
export function CostReport({ group, metric, onMetric, days, totals, total, children }: CostReportProps) {
  const t = text.costs
  const [all, setAll] = useState(false)
  const filled = useMemo(() => (group === 'day' ? fillDays(totals, days) : totals), [group, totals, days])
  const rows = useMemo(() => {
    const made = costRows(filled)
    return group === 'day' ? made.toReversed() : sortRows(made, metric)
  }, [filled, group, metric])
  const shown = useMemo(() => (all ? rows : rows.slice(0, firstRows[group])), [all, rows, group])
  const nameOf = useCostNames(
    group,
    useMemo(() => shown.map(({ key }) => key), [shown]),
  )
  if (total.turns === 0)
    return (
      <>
        <Empty icon={ChartNoAxesColumn} title={t.nothing}>
          {t.nothingLead}
        </Empty>
        {children}
      </>
    )
  const download = () => {
    const [first = '', last = ''] = [days[0], days.at(-1)]
    downloadCosts({ group, rows, first, last, nameOf: (key) => nameOf(key).name }).catch((error: unknown) =>
      toast.error(errorText(error)),
    )
  }
  const title = t.plotTitles[metric][group]
  return (
    <>
      <Card className="flex flex-col gap-4">
        <CostTotals total={total} />
        <Segments
          label={t.metric}
          value={metric}
          options={metrics.map((one) => ({ value: one, label: t.metrics[one] }))}
          onChange={onMetric}
        />
        {group === 'day' ? (
          <DayPlot title={title} totals={filled} metric={metric} />
        ) : (
          <RankBars title={title} rows={rows} metric={metric} nameOf={nameOf} format={formats[metric]} />
        )}
      </Card>
      {children}
      <section className="flex flex-col gap-2">
        <div className="flex items-center gap-2">
          <h2 className="min-w-0 flex-1 font-semibold">{t.tableTitle}</h2>
          <Button size="sm" icon={Download} onClick={download}>
            {t.download}
          </Button>
        </div>
        <CostTable
          group={group}
          rows={shown}
          total={total}
          nameOf={nameOf}
          hidden={rows.length - shown.length}
          onShowAll={() => setAll(true)}
        />
      </section>
    </>
  )
}

function DayPlot({ title, totals, metric }: { title: string; totals: readonly CostTotal[]; metric: Metric }) {
  const { labels, series } = useMemo(() => {
    const last = totals.at(-1)?.key ?? ''
    const names = { metric: text.costs.metrics[metric], tokens: text.costs.tokenKinds }
    return { labels: totals.map(({ key }) => dayLabel(key, last)), series: dayChart(totals, metric, names) }
  }, [totals, metric])
  return <StackedBars title={title} labels={labels} series={series} format={formats[metric]} height={240} />
}
