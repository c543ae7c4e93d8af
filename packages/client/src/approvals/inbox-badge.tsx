import { useApprovals } from '../live/use-live.ts'
import { text } from '../text/text.ts'

/** How many approvals and questions wait, for the navigation; nothing when none does. */
export function InboxCount() {
  const { length } = useApprovals()
  if (length === 0) return null
  return (
    <span
      title={text.approvals.inbox.count(length)}
      className="min-w-5 rounded-full bg-attention-fill px-1.5 text-center text-xs leading-5 font-semibold text-on-attention"
    >
      {length > 99 ? '99+' : length}
    </span>
  )
}
