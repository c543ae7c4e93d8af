/** One row of the conversation. */
import { memo } from 'react'
import { ApprovalCard } from '../approvals/deferred-approval-card.tsx'
import type { ApprovalItem, Item, TextItem } from '../live/page-session.ts'
import { Markdown } from '../render/markdown.tsx'
import { text } from '../text/text.ts'
import { formatWeekday } from '../ui/format.ts'
import { useAnswered, useApproval } from './conversation-context.tsx'
import { MarkerRow } from './marker-row.tsx'
import { MessageTools } from './message-tools.tsx'
import type { Row } from './rows.ts'
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
      {row.type === 'group' ? (
        <ToolGroup items={row.items} />
      ) : (
        <ItemView item={row.item} answer={row.answer} />
      )}
    </>
  )
}

/** Also for what subagents say and do, inside their card. */
function ItemView({ item, answer }: { item: Item; answer: TextItem | undefined }) {
  switch (item.kind) {
    case 'user':
      return <UserRow item={item} />
    case 'text':
      return <TextRow item={item} isAnswer={answer !== undefined} />
    case 'thinking':
      return <ThinkingRow item={item} />
    case 'tool':
      return <ToolCard item={item} />
    case 'approval':
      return <ApprovalRow item={item} />
    case 'turn':
      return <TurnRow item={item} answer={answer} />
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
      <ApprovalCard approval={approval} variant="flow" onAnswered={onAnswered} />
    </div>
  )
}

function DayLine({ time }: { time: string }) {
  return (
    <div className="flex items-center gap-3 pt-2 pb-3 text-xs text-faint">
      <span aria-hidden className="h-px flex-1 bg-line" />
      <time dateTime={time}>{formatWeekday(time)}</time>
      <span aria-hidden className="h-px flex-1 bg-line" />
    </div>
  )
}

/** What the agent says. Of its answer, the end of the turn has the tools. */
const TextRow = memo(function TextRow({ item, isAnswer }: { item: TextItem; isAnswer: boolean }) {
  return (
    <article tabIndex={-1} aria-label={text.conversation.agent} className="relative py-2 outline-none">
      {!item.streaming && !isAnswer && (
        <MessageTools
          value={item.text}
          linkKey={item.key}
          messageId={item.messageId}
          time={item.time}
          isBeside
        />
      )}
      <Markdown text={item.text} streaming={item.streaming} />
    </article>
  )
})
