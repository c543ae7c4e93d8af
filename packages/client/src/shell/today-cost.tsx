/** What today has cost so far, where one starts: the way to Costs. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { Link } from 'wouter'
import { api } from '../api.ts'
import { dayOf, timesOf } from '../costs/days.ts'
import { useTurnEnds } from '../costs/use-turn-ends.ts'
import { useServerClock } from '../live/use-live.ts'
import { useStatus } from '../queries/use-status.ts'
import { text } from '../text/later-text.ts'
import { formatUsd } from '../ui/format.ts'

export function TodayCost() {
  const today = dayOf(Date.now() + useServerClock())
  const queries = useQueryClient()
  // Nobody pays for the demo model.
  const isPaid = useStatus()?.model.mode === 'anthropic'
  const { data } = useQuery({
    queryKey: ['costs', 'day', today, today, false],
    queryFn: ({ signal }) =>
      api.getCosts({ query: { group: 'day', demo: 'false', ...timesOf([today]) }, signal }),
    enabled: isPaid,
  })
  useTurnEnds(useCallback(() => void queries.invalidateQueries({ queryKey: ['costs'] }), [queries]))
  if (!isPaid || !data) return null
  return (
    <Link href="/costs" className="link text-sm tabular-nums max-sm:min-h-10 max-sm:content-center">
      {text.shell.home.today(formatUsd(data.total.usd))}
    </Link>
  )
}
