import { ChevronRight, FolderSearch, ListTodo } from 'lucide-react'
import { memo, useContext } from 'react'
import type { ToolItem } from '../../live/live-session.ts'
import { SafeText } from '../../render/safe-text.tsx'
import { text } from '../../text/text.ts'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/class-names.ts'
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
  const [isOpen, setOpen] = useOpened(key)
  const [showsAll, setShowsAll] = useOpened(`${key}:all`)
  const behind = useCallsBehind()
  const { words, isRunning, failed } = groupSummary(items)
  const waits = items.some(({ status, callId }) => status === 'running' && behind.has(callId))
  const hidden = showsAll ? 0 : Math.max(0, items.length - mostShown)
  const newest = items.at(-1)
  const Icon = newest && toolView(newest.name).icon === ListTodo ? ListTodo : FolderSearch
  return (
    <div className="py-1">
      <div className="overflow-hidden rounded-lg border border-line bg-card">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-9 w-full items-center gap-2 px-3 py-1.5 text-left text-sm transition-colors hover:bg-hover max-sm:min-h-11"
        >
          <Icon aria-hidden size={15} className="shrink-0 text-faint" />
          <span className="shrink-0 font-medium">{words}</span>
          {newest && !isOpen && (
            <bdi dir="ltr" className="min-w-0 truncate font-mono text-[0.8125rem] text-faint">
              <SafeText text={toolTitle(newest, cwd, todos).target.slice(0, 300)} />
            </bdi>
          )}
          <span className="ml-auto flex shrink-0 items-center gap-2">
            {failed > 0 && <Badge tone="danger">{text.conversation.groupFailed(failed)}</Badge>}
            {waits && <NotStarted />}
            {!waits && (isRunning || failed === 0) && (
              <ToolStatusView status={isRunning ? 'running' : 'done'} />
            )}
          </span>
          <ChevronRight
            aria-hidden
            size={14}
            className={cx('shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
          />
        </button>
        {isOpen && (
          <div className="border-t border-line px-2 py-1">
            {hidden > 0 && (
              <button
                type="button"
                onClick={() => setShowsAll(true)}
                className="min-h-8 px-2 text-xs font-medium text-accent hover:underline max-sm:min-h-10"
              >
                {text.conversation.showEarlier(hidden)}
              </button>
            )}
            {items.slice(hidden).map((item) => (
              <ToolCard key={item.key} item={item} />
            ))}
          </div>
        )}
      </div>
    </div>
  )
})
