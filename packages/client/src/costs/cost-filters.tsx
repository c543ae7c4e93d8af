import { text } from '../text/page-text.ts'
import { Field, Input } from '../ui/field.tsx'
import { Segments } from '../ui/segments.tsx'
import { type CostView, type Period, periodLengths } from './cost-view.ts'
import { isDay } from './days.ts'

const groups = ['day', 'workspace', 'model', 'session'] as const

interface CostFiltersProps {
  view: CostView
  /** As it is, where nobody chose. */
  demo: boolean
  /** The days that are shown: where a custom period begins. */
  first: string
  last: string
  today: string
  onChange: (change: Partial<CostView>) => void
}

export function CostFilters({ view, demo, first, last, today, onChange }: CostFiltersProps) {
  const t = text.costs
  const { period } = view
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
      <Segments
        label={t.period}
        value={period.kind === 'days' ? String(period.days) : 'custom'}
        options={[
          ...periodLengths.map((days) => ({ value: String(days), label: t.days(days) })),
          { value: 'custom', label: t.custom },
        ]}
        onChange={(chosen) => {
          const days = periodLengths.find((length) => String(length) === chosen)
          onChange({ period: days ? { kind: 'days', days } : { kind: 'custom', first, last } })
        }}
      />
      <Segments
        label={t.group}
        value={view.group}
        options={groups.map((group) => ({ value: group, label: t.groups[group] }))}
        onChange={(group) => onChange({ group })}
      />
      <Segments
        label={t.turnsOf}
        value={demo ? 'demo' : 'real'}
        options={[
          { value: 'real', label: t.realTurns },
          { value: 'demo', label: t.demoTurns },
        ]}
        onChange={(chosen) => onChange({ demo: chosen === 'demo', metric: undefined })}
      />
      {period.kind === 'custom' && (
        <CustomPeriod period={period} today={today} onChange={(next) => onChange({ period: next })} />
      )}
    </div>
  )
}

interface CustomPeriodProps {
  period: Extract<Period, { kind: 'custom' }>
  today: string
  onChange: (period: Period) => void
}

function CustomPeriod({ period, today, onChange }: CustomPeriodProps) {
  const t = text.costs
  const { first, last } = period
  const change = (next: { first: string; last: string }) => {
    if (isDay(next.first) && isDay(next.last)) onChange({ kind: 'custom', ...next })
  }
  return (
    <div className="flex w-full flex-wrap gap-3">
      <Field label={t.from}>
        {(ids) => (
          <Input
            {...ids}
            type="date"
            value={first}
            max={last}
            onChange={({ target }) => change({ first: target.value, last })}
          />
        )}
      </Field>
      <Field label={t.to}>
        {(ids) => (
          <Input
            {...ids}
            type="date"
            value={last}
            min={first}
            max={today}
            onChange={({ target }) => change({ first, last: target.value })}
          />
        )}
      </Field>
    </div>
  )
}
