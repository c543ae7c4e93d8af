import type { Budget } from '@dorkos/shared'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { useHash } from '../browser/use-hash.ts'
import { useSessionTitles } from '../queries/use-session-titles.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { BudgetBar } from './budget-bar.tsx'
import { DayBudgetForm } from './day-budget-form.tsx'
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
  return (
    <div className="flex flex-col gap-4">
      <DayBudget day={day} />
      {sessions.map(({ budget, id }) => (
        <BudgetBar
          key={id}
          budget={budget}
          name={<SessionLink id={id} name={titleOf(id)} />}
          action={<SessionBudgetButton id={id} limit={budget.limit_usd} used={budget.used_usd} />}
        />
      ))}
    </div>
  )
}

function DayBudget({ day }: { day: Budget | undefined }) {
  const t = text.costs
  const admin = useCan('admin')
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
        <BudgetBar budget={day} name={t.dayBudget} action={change} />
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
