/** What lets a session go on whose turn a budget has ended. */
import type { TurnReasonCode } from '@dorkos/shared'
import { Link } from 'wouter'
import { SessionBudgetButton } from '../costs/session-budget-button.tsx'
import { useSession } from '../live/use-live.ts'
import { text } from '../text/page-text.ts'
import { useConversation } from './conversation-context.tsx'
import { limitOf } from './cost-details.tsx'

export function BudgetActions({ code }: { code: TurnReasonCode | undefined }) {
  const { sessionId } = useConversation()
  const state = useSession(sessionId)
  if (code === 'day_budget') {
    return (
      <Link href="/costs#day-budget" className="font-medium underline">
        {text.costs.toDayBudget}
      </Link>
    )
  }
  return <SessionBudgetButton id={sessionId} limit={limitOf(state)} used={state.cost?.session_usd} />
}
