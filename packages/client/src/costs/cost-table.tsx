import { ScrollBox } from '../render/scroll-box.tsx'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { formatCount, formatNumber, formatPercent, formatUsd } from '../ui/format.ts'
import { CostName } from './cost-name.tsx'
import { type CostFigures, type CostRow, tokenKinds } from './cost-rows.ts'
import type { CostGroup, Metric } from './cost-view.ts'
import type { CostLabel } from './use-cost-names.ts'

const cell = 'px-2 py-1.5 text-right tabular-nums whitespace-nowrap'
const head = 'px-2 py-1.5 text-right text-xs font-medium whitespace-nowrap text-soft'
/** The name stays in sight while the figures scroll below it. */
const first = 'sticky left-0 z-10 bg-card px-2 py-1.5 text-left max-w-40 sm:max-w-72'

interface CostTableProps {
  group: CostGroup
  rows: readonly CostRow[]
  total: CostFigures
  nameOf: (key: string) => CostLabel
  /** What there are columns for. */
  metrics: readonly Metric[]
  /** How many more there are; 0 for none. */
  hidden: number
  onShowAll: () => void
}

export function CostTable({ group, rows, total, nameOf, metrics, hidden, onShowAll }: CostTableProps) {
  const t = text.costs
  const [cost, tokens] = [metrics.includes('usd'), metrics.includes('tokens')]
  const titles = [
    ...(cost ? [t.cost] : []),
    ...(cost || tokens ? [t.share] : []),
    t.turns,
    ...(tokens ? tokenKinds.map((kind) => t.tokenKinds[kind]) : []),
  ]
  return (
    <div className="flex flex-col items-start gap-2">
      <ScrollBox
        label={t.tableTitle}
        className="scroll-shadow w-full overflow-x-auto rounded-lg border border-line bg-card"
      >
        <table className="w-full text-sm">
          <thead className="border-b border-line">
            <tr>
              <th scope="col" className={cx(first, 'text-xs font-medium text-soft')}>
                {t.groups[group]}
              </th>
              {titles.map((title) => (
                <th key={title} scope="col" className={head}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key} className="border-b border-line last:border-0">
                <th scope="row" className={cx(first, 'font-normal')}>
                  <CostName {...nameOf(row.key)} />
                </th>
                {cost && <td className={cell}>{formatUsd(row.usd)}</td>}
                {(cost || tokens) && <td className={cell}>{formatPercent(row.share)}</td>}
                <Counts figures={row} tokens={tokens} />
              </tr>
            ))}
          </tbody>
          <tfoot className="border-t border-line-strong font-medium">
            <tr>
              <th scope="row" className={first}>
                {t.total}
              </th>
              {cost && <td className={cell}>{formatUsd(total.usd)}</td>}
              {(cost || tokens) && <td className={cell} />}
              <Counts figures={total} tokens={tokens} />
            </tr>
          </tfoot>
        </table>
      </ScrollBox>
      {hidden > 0 && (
        <Button size="sm" variant="ghost" onClick={onShowAll}>
          {t.showAll(rows.length + hidden)}
        </Button>
      )}
    </div>
  )
}

function Counts({ figures, tokens }: { figures: CostFigures; tokens: boolean }) {
  return (
    <>
      <td className={cell}>{formatNumber(figures.turns)}</td>
      {(tokens ? tokenKinds : []).map((kind) => (
        <td key={kind} className={cell} title={formatNumber(figures.tokens[kind])}>
          {formatCount(figures.tokens[kind])}
        </td>
      ))}
    </>
  )
}
