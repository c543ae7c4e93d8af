/** What the session has cost, with its budget. */
import type { PageSession } from '../live/page-session.ts'
import { text } from '../text/text.ts'
import { deferred } from '../ui/deferred.tsx'
import { formatUsd } from '../ui/format.ts'
import { Popover } from '../ui/popover.tsx'
import { useConversation } from './conversation-context.tsx'
import { MeterButton } from './meter-button.tsx'

const CostDetails = deferred(async () => (await import('./cost-details.tsx')).CostDetails)

export function CostMeter({ state }: { state: PageSession }) {
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
          aria-label={demo ? text.conversation.costOfDemo : text.conversation.costOf(words, budget?.used)}
          title={text.conversation.cost}
          tone={budget === undefined ? 'plain' : budget.reached ? 'danger' : 'warn'}
        >
          {words}
        </MeterButton>
      }
    >
      <CostDetails state={state} usd={usd} />
    </Popover>
  )
}
