/** What the session has cost, with its budget. */
import { Link } from 'wouter'
import type { SessionState } from '../live/session-state.ts'
import { text } from '../text/text.ts'
import { cx } from '../ui/class-names.ts'
import { formatUsd } from '../ui/format.ts'
import { Notice } from '../ui/notice.tsx'
import { Popover } from '../ui/popover.tsx'
import { useConversation } from './conversation-context.tsx'
import { MeterButton } from './meter-button.tsx'

export function CostMeter({ state }: { state: SessionState }) {
  const { demo } = useConversation()
  const { cost, session } = state
  const usd = cost?.session_usd ?? session?.cost_usd ?? 0
  const budget = cost?.budget
  const words = demo ? text.conversation.demoCost : formatUsd(usd)
  return (
    <Popover
      label={text.conversation.cost}
      align="end"
      trigger={
        <MeterButton
          aria-label={demo ? text.conversation.costOfDemo : text.conversation.costOf(words)}
          title={text.conversation.cost}
          className={cx(budget && (budget.reached ? 'font-medium text-danger' : 'font-medium text-warn'))}
        >
          {words}
        </MeterButton>
      }
    >
      <CostDetails state={state} usd={usd} />
    </Popover>
  )
}

function CostDetails({ state, usd }: { state: SessionState; usd: number }) {
  const { demo, estimate } = useConversation()
  const { cost, session } = state
  const budget = cost?.budget
  const limit = session?.budget_usd
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-medium">{text.conversation.cost}</h3>
      {demo && <p className="text-xs text-soft">{text.conversation.costDemo}</p>}
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-sm">
        {cost && <Figure name={text.conversation.costTurn} value={formatUsd(cost.turn_usd)} />}
        <Figure
          name={text.conversation.costSession}
          value={
            limit === undefined
              ? formatUsd(usd)
              : text.conversation.costUsedOf(formatUsd(usd), formatUsd(limit))
          }
        />
        {cost && <Figure name={text.conversation.costDay} value={formatUsd(cost.day_usd)} />}
      </dl>
      {budget && (
        <Notice tone={budget.reached ? 'danger' : 'warn'}>
          <p>
            {text.conversation.costBudget(
              budget.kind,
              Math.round(budget.used * 100),
              formatUsd(budget.limit_usd),
            )}
          </p>
          {budget.reached && <p>{text.conversation.costReached}</p>}
        </Notice>
      )}
      {estimate && !demo && <p className="text-xs text-faint">{text.conversation.costEstimate}</p>}
      <Link href="/costs" className="text-sm text-accent hover:underline">
        {text.conversation.costPage}
      </Link>
    </div>
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
