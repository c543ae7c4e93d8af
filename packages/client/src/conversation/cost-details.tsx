/** What a session has cost, its budget, and how much of a subscription is used. */
import type { RateLimit } from '@dorkos/shared'
import { Link } from 'wouter'
import { SessionBudgetButton } from '../costs/session-budget-button.tsx'
import type { PageSession } from '../live/page-session.ts'
import { numberOf, textOf } from '../live/untrusted-field.ts'
import { useServerClock } from '../live/use-live.ts'
import { text } from '../text/page-text.ts'
import { formatUsd } from '../ui/format.ts'
import { Notice } from '../ui/notice.tsx'
import { useConversation } from './conversation-context.tsx'
import { limitName, percentUsed, resetTime } from './marker-text.ts'

/** The session's limit in dollars; 0 for none, undefined where only the configuration knows it. */
export function limitOf({ session, cost }: PageSession): number | undefined {
  const budget = cost?.budget
  return session?.budget_usd ?? (budget?.kind === 'session' ? budget.limit_usd : undefined)
}

export function CostDetails({ state, usd }: { state: PageSession; usd: number }) {
  const t = text.costs
  const { demo, estimate } = useConversation()
  const { cost, session } = state
  const budget = cost?.budget
  const limit = limitOf(state)
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-medium">{text.conversation.cost}</h3>
      {demo && <p className="text-xs text-soft">{t.meterDemo}</p>}
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-sm">
        {cost && <Figure name={t.meterTurn} value={formatUsd(cost.turn_usd)} />}
        <Figure
          name={t.meterSession}
          value={limit ? t.usedOf(formatUsd(usd), formatUsd(limit)) : formatUsd(usd)}
        />
        {cost && <Figure name={t.meterDay} value={formatUsd(cost.day_usd)} />}
      </dl>
      {budget && (
        <Notice tone={budget.reached ? 'danger' : 'warn'}>
          <p>{t.meterBudget(budget.kind, Math.round(budget.used * 100), formatUsd(budget.limit_usd))}</p>
          {budget.reached && <p>{t.meterReached}</p>}
        </Notice>
      )}
      <PlanLimit limit={state.rateLimit} />
      {estimate && !demo && <p className="text-xs text-faint">{text.conversation.costEstimate}</p>}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Link href={budget?.kind === 'day' ? '/costs#day-budget' : '/costs'} className="link">
          {budget?.kind === 'day' ? t.toDayBudget : t.meterPage}
        </Link>
        {session !== undefined && !demo && <SessionBudgetButton id={session.id} limit={limit} used={usd} />}
      </div>
    </div>
  )
}

/** What the model's API said last of its own limit, until that begins anew. */
function PlanLimit({ limit }: { limit: RateLimit | undefined }) {
  const now = Date.now() + useServerClock()
  const kind = textOf(limit?.kind)
  const used = numberOf(limit?.utilization)
  const resets = textOf(limit?.resets_at)
  if (kind === undefined || (used === undefined && resets === undefined)) return null
  if (resets !== undefined && !(Date.parse(resets) > now)) return null
  return (
    <p className="text-xs text-soft">
      {text.costs.planLimit(
        limitName(kind),
        used === undefined ? undefined : percentUsed(used),
        resets === undefined ? undefined : resetTime(resets),
      )}
    </p>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div className="col-span-2 grid grid-cols-subgrid">
      <dt className="text-soft">{name}</dt>
      <dd className="text-right tabular-nums">{value}</dd>
    </div>
  )
}
