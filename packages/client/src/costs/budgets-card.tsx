import type { Budget } from '@dorkos/shared'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { api } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { useHash } from '../browser/use-hash.ts'
import { useServerClock } from '../live/use-live.ts'
import { useSessionTitles } from '../queries/use-session-titles.ts'
import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { formatUsd } from '../ui/format.ts'
import { Card } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { DayBudgetForm } from './day-budget-form.tsx'
import { dayOf, timesOf } from './days.ts'
import { SessionBudgetButton } from './session-budget-button.tsx'
import { SessionLink } from './session-link.tsx'

export function BudgetsCard() {
  const query = useQuery({ queryKey: ['budgets'], queryFn: ({ signal }) => api.listBudgets({ signal }) })
  return (
    <Card className="flex flex-col gap-3">
      <div>
        <h2 className="font-semibold">{text.costs.budgets}</h2>
        <p className="text-sm text-soft">{text.costs.budgetsLead}</p>
      </div>
      <QueryView query={query}>{({ budgets }) => <Budgets budgets={budgets} />}</QueryView>
    </Card>
  )
}

function Budgets({ budgets }: { budgets: readonly Budget[] }) {
  const day = budgets.find(({ kind }) => kind === 'day')
  const sessions = useMemo(
    () =>
      budgets.flatMap((budget) =>
        budget.session_id === undefined ? [] : [{ budget, id: budget.session_id }],
      ),
    [budgets],
  )
  const titleOf = useSessionTitles(useMemo(() => sessions.map(({ id }) => id), [sessions]))
  const bar = ({ budget, id }: { budget: Budget; id: string }) => (
    <BudgetBar
      key={id}
      budget={budget}
      name={<SessionLink id={id} name={titleOf(id)} />}
      action={<SessionBudgetButton id={id} limit={budget.limit_usd} used={budget.used_usd} />}
    />
  )
  // An almost empty bar is no news.
  const near = sessions.filter(({ budget }) => isNear(budget))
  const far = sessions.filter(({ budget }) => !isNear(budget))
  return (
    <div className="flex flex-col gap-4">
      <DayBudget day={day} />
      {near.map(bar)}
      {far.length > 0 && (
        <Disclosure label={text.costs.underHalf(far.length)} bodyClassName="flex flex-col gap-4 pt-2">
          {far.map(bar)}
        </Disclosure>
      )}
    </div>
  )
}

const isNear = ({ used_usd, limit_usd }: Budget) => used_usd * 2 >= limit_usd

function DayBudget({ day }: { day: Budget | undefined }) {
  const t = text.costs
  const admin = useCan('admin')
  const running = useRunning(day)
  // A turn that the day's budget ended leads here.
  const [editing, setEditing] = useState(useHash() === 'day-budget')
  const change =
    admin && !editing ? (
      <Button size="sm" onClick={() => setEditing(true)}>
        {t.changeBudget}
      </Button>
    ) : undefined
  return (
    <div className="flex flex-col gap-3">
      {day ? (
        <BudgetBar budget={day} name={t.dayBudget} action={change} running={running} />
      ) : (
        <div className="flex items-center gap-3 text-sm text-soft">
          <span className="min-w-0 flex-1">{t.noDayBudget}</span>
          {change}
        </div>
      )}
      {admin && editing && <DayBudgetForm limit={day?.limit_usd ?? 0} onDone={() => setEditing(false)} />}
    </div>
  )
}

/** What the day's budget counts beyond the turns of today that are over. */
function useRunning(day: Budget | undefined): number | undefined {
  const today = dayOf(Date.now() + useServerClock())
  const { data } = useQuery({
    queryKey: ['costs', 'day', today, today, false],
    queryFn: ({ signal }) =>
      api.getCosts({ query: { group: 'day', demo: 'false', ...timesOf([today]) }, signal }),
    enabled: day !== undefined,
  })
  return day && data ? day.used_usd - data.total.usd : undefined
}

const fills = { ok: 'bg-ok', warning: 'bg-warn', reached: 'bg-danger' }
const tones = { warning: 'warn', reached: 'danger' } as const

interface BudgetBarProps {
  budget: Budget
  /** Whose it is. */
  name: ReactNode
  action?: ReactNode
  /** How much of it is of turns that have not ended, which no table has yet. */
  running?: number | undefined
}

/** How much of a budget is used: in words, and as a bar. */
function BudgetBar({ budget, name, action, running = 0 }: BudgetBarProps) {
  const { used_usd, limit_usd, state } = budget
  const part = limit_usd > 0 ? Math.min(1, Math.max(0, used_usd / limit_usd)) : 0
  const words = text.costs.usedOf(formatUsd(used_usd), formatUsd(limit_usd))
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <div className="min-w-0 flex-1 basis-40 truncate">{name}</div>
        <span className="tabular-nums text-soft">
          {running >= 0.005 ? text.costs.inclRunning(words, formatUsd(running)) : words}
        </span>
        {state !== 'ok' && <Badge tone={tones[state]}>{text.costs.budgetStates[state]}</Badge>}
        {action}
      </div>
      <div aria-hidden className="h-2 overflow-hidden rounded-full bg-raised">
        <div className={cx('h-full rounded-full', fills[state])} style={{ width: `${part * 100}%` }} />
      </div>
    </div>
  )
}
