import { FolderSearch, ListTodo } from 'lucide-react'
import { memo, useContext } from 'react'
import type { ToolItem } from '../../live/page-session.ts'
import { SafeText } from '../../render/safe-text.tsx'
import { text } from '../../text/text.ts'
import { Badge } from '../../ui/badge.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { TodosContext, useConversation, useOpened } from '../conversation-context.tsx'
import { useCallsBehind } from './calls-behind.ts'
import { groupSummary } from './group-summary.ts'
import { ToolCard } from './tool-card.tsx'
import { NotStarted, ToolStatusView } from './tool-status.tsx'
import { toolTitle } from './tool-title.ts'
import { toolView } from './tool-views.tsx'

const mostShown = 40

/** Several calls of one family as one line. */
export const ToolGroup = memo(function ToolGroup({ items }: { items: readonly ToolItem[] }) {
  const { cwd } = useConversation()
  const todos = useContext(TodosContext)
  const key = `group:${items[0]?.key}`
  const opened = useOpened(key)
  const [showsAll, setShowsAll] = useOpened(`${key}:all`)
  const behind = useCallsBehind()
  const { words, isRunning, failed } = groupSummary(items)
  const waits = items.some(({ status, callId }) => status === 'running' && behind.has(callId))
  const hidden = showsAll ? 0 : Math.max(0, items.length - mostShown)
  const newest = items.at(-1)
  const Icon = newest && toolView(newest.name).icon === ListTodo ? ListTodo : FolderSearch
  const label = (
    <>
      <span className="shrink-0 font-medium">{words}</span>
      {newest && !opened[0] && (
        <bdi dir="ltr" className="min-w-0 truncate font-mono text-[0.8125rem] text-faint">
          <SafeText text={toolTitle(newest, cwd, todos).target.slice(0, 300)} />
        </bdi>
      )}
      <span className="ml-auto flex shrink-0 items-center gap-2">
        {failed > 0 && <Badge tone="danger">{text.conversation.groupFailed(failed)}</Badge>}
        {waits && <NotStarted />}
        {!waits && (isRunning || failed === 0) && <ToolStatusView status={isRunning ? 'running' : 'done'} />}
      </span>
    </>
  )
  return (
    <div className="py-1">
      <Disclosure
        look="head"
        icon={Icon}
        label={label}
        opened={opened}
        className="overflow-hidden rounded-lg border border-line bg-card"
        bodyClassName="border-t border-line px-2 py-1"
      >
        {hidden > 0 && (
          <button
            type="button"
            onClick={() => setShowsAll(true)}
            className="min-h-8 px-2 text-xs font-medium link max-sm:min-h-10"
          >
            {text.conversation.showEarlier(hidden)}
          </button>
        )}
        {items.slice(hidden).map((item) => (
          <ToolCard key={item.key} item={item} />
        ))}
      </Disclosure>
    </div>
  )
})
