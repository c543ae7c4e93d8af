/** One row of the conversation. */
import { ApprovalCard } from '../approvals/deferred-approval-card.tsx'
import type { ApprovalItem, Item } from '../live/live-session.ts'
import { useAnswered, useApproval } from './conversation-context.tsx'
import { DayLine } from './day-line.tsx'
import { MarkerRow } from './marker-row.tsx'
import type { Row } from './rows.ts'
import { TextRow } from './text-row.tsx'
import { ThinkingRow } from './thinking-row.tsx'
import { ToolCard } from './tools/tool-card.tsx'
import { ToolGroup } from './tools/tool-group.tsx'
import { TurnRow } from './turn-row.tsx'
import { UserRow } from './user-row.tsx'
import { WorkingRow } from './working-row.tsx'

export function MessageRow({ row }: { row: Row }) {
  if (row.type === 'working') return <WorkingRow />
  return (
    <>
      {row.newDay !== undefined && <DayLine time={row.newDay} />}
      {row.type === 'group' ? <ToolGroup items={row.items} /> : <ItemView item={row.item} />}
    </>
  )
}

/** Also for what subagents say and do, inside their card. */
function ItemView({ item }: { item: Item }) {
  switch (item.kind) {
    case 'user':
      return <UserRow item={item} />
    case 'text':
      return <TextRow item={item} />
    case 'thinking':
      return <ThinkingRow item={item} />
    case 'tool':
      return <ToolCard item={item} />
    case 'approval':
      return <ApprovalRow item={item} />
    case 'turn':
      return <TurnRow item={item} />
    case 'marker':
      return <MarkerRow item={item} />
  }
}

function ApprovalRow({ item }: { item: ApprovalItem }) {
  const approval = useApproval(item.approvalId)
  const onAnswered = useAnswered(item.approvalId)
  if (approval === undefined) return null
  return (
    <div className="py-1.5">
      <ApprovalCard approval={approval} place="flow" onAnswered={onAnswered} />
    </div>
  )
}
