import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { api } from '../api.ts'
import { useServerClock } from '../live/use-live.ts'
import { useStatus } from '../queries/use-status.ts'
import { text } from '../text/page-text.ts'
import { useFilters } from '../ui/filters.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { BudgetsCard } from './budgets-card.tsx'
import { CostFilters } from './cost-filters.tsx'
import { CostReport } from './cost-report.tsx'
import { activeChoices, type CostView, readView, writeView } from './cost-view.ts'
import { dayOf, daysOf, timesOf } from './days.ts'
import { useTurnEnds } from './use-turn-ends.ts'

export function CostsPage() {
  const t = text.costs
  const status = useStatus()
  const search = useSearch()
  const [, go] = useLocation()
  const view = useMemo(() => readView(search), [search])
  const today = dayOf(Date.now() + useServerClock())
  const days = useMemo(() => daysOf(view.period, today), [view.period, today])
  const demo = view.demo ?? status?.model.mode === 'demo'
  const metric = view.metric ?? (demo ? 'tokens' : 'usd')
  const change = (next: Partial<CostView>) => {
    const written = writeView({ ...view, ...next })
    go(written === '' ? '/costs' : `/costs?${written}`, { replace: true })
  }
  const query = useQuery({
    queryKey: ['costs', view.group, days[0], days.at(-1), demo],
    queryFn: ({ signal }) =>
      api.getCosts({ query: { group: view.group, demo: demo ? 'true' : 'false', ...timesOf(days) }, signal }),
    enabled: status !== undefined || view.demo !== undefined,
    placeholderData: keepPreviousData,
  })
  useRefresh()
  const filters = useFilters(
    activeChoices(view),
    <CostFilters
      view={view}
      demo={demo}
      first={days[0] ?? today}
      last={days.at(-1) ?? today}
      today={today}
      onChange={change}
    />,
  )
  return (
    <Page title={t.title} description={t.lead} wide actions={filters.button}>
      {filters.fields}
      <QueryView query={query}>
        {({ group, totals, total }) => (
          <CostReport
            group={group}
            metric={metric}
            onMetric={(next) => change({ metric: next })}
            days={days}
            totals={totals}
            total={total}
            demo={demo}
          >
            <BudgetsCard />
          </CostReport>
        )}
      </QueryView>
      {status?.model.source === 'cli_login' ? (
        <Notice>{t.estimateNote}</Notice>
      ) : (
        <p className="text-sm text-soft">{t.ownFiguresNote}</p>
      )}
    </Page>
  )
}

/** New figures come when turns end. */
function useRefresh(): void {
  const queries = useQueryClient()
  useTurnEnds(
    useCallback(() => {
      void queries.invalidateQueries({ queryKey: ['costs'] })
      void queries.invalidateQueries({ queryKey: ['budgets'] })
    }, [queries]),
  )
}
