import type { CostTotal } from '@dorkos/shared'
import { ChartNoAxesColumn, Download } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { errorText } from '../api.ts'
import { StackedBars } from '../render/chart.tsx'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { formatCount, formatNumber, formatUsd } from '../ui/format.ts'
import { Notice } from '../ui/notice.tsx'
import { Card, Empty } from '../ui/page.tsx'
import { Segments } from '../ui/segments.tsx'
import { toast } from '../ui/toast.tsx'
import { allTokens, type CostFigures, costRows, dayChart, fillDays, sortRows, usedRows } from './cost-rows.ts'
import { CostTable } from './cost-table.tsx'
import { type CostGroup, type Metric, metricsFor } from './cost-view.ts'
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
  /** Of the demo model. */
  demo: boolean
  /** Between the plot and the table. */
  children: ReactNode
}

/** The figures of a period: in sum, as a plot, and one by one. */
export function CostReport({
  group,
  onMetric,
  days,
  totals,
  total,
  demo,
  children,
  ...wanted
}: CostReportProps) {
  const t = text.costs
  const metrics = metricsFor(total, demo)
  const metric = metrics.includes(wanted.metric) ? wanted.metric : (metrics.at(-1) ?? 'turns')
  const note = demo ? <Notice>{t.demoNote}</Notice> : null
  const [all, setAll] = useState(false)
  const filled = useMemo(() => (group === 'day' ? fillDays(totals, days) : totals), [group, totals, days])
  const rows = useMemo(() => {
    const made = costRows(filled)
    return group === 'day' ? made.toReversed() : sortRows(made, metric)
  }, [filled, group, metric])
  const used = useMemo(() => usedRows(rows), [rows])
  const shown = useMemo(() => (all ? used : used.slice(0, firstRows[group])), [all, used, group])
  const nameOf = useCostNames(
    group,
    useMemo(() => shown.map(({ key }) => key), [shown]),
  )
  if (total.turns === 0)
    return (
      <>
        {note}
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
      {note}
      <Card className="flex flex-col gap-4">
        <CostTotals total={total} metrics={metrics} />
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
          metrics={metrics}
          hidden={used.length - shown.length}
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

/** The whole period in up to four figures. */
function CostTotals({ total, metrics }: { total: CostFigures; metrics: readonly Metric[] }) {
  const t = text.costs
  const all: readonly [Metric, string, string][] = [
    ['usd', t.cost, formatUsd(total.usd)],
    ['turns', t.turns, formatNumber(total.turns)],
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
