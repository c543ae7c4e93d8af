/** One session: what was said and done, what waits, and where one answers. */
import { MessageSquareOff } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { useCan } from '../auth/auth-store.ts'
import { useHash } from '../browser/use-hash.ts'
import { Composer } from '../composer/composer.tsx'
import { live } from '../live/live.ts'
import type { PageSession } from '../live/page-session.ts'
import { useSession } from '../live/use-live.ts'
import { useStatus } from '../queries/use-status.ts'
import { text } from '../text/text.ts'
import { deferred } from '../ui/deferred.tsx'
import { Empty } from '../ui/page.tsx'
import { Loading } from '../ui/spinner.tsx'
import { announcements } from './announcements.ts'
import {
  ApprovalsContext,
  type Conversation,
  ConversationContext,
  type OpenedParts,
  TasksContext,
  TodosContext,
} from './conversation-context.tsx'
import { MessageList } from './message-list.tsx'
import { MessageRow } from './message-row.tsx'
import { panelIn } from './panel-address.ts'
import type { Row } from './rows.ts'
import { SessionBanners } from './session-banners.tsx'
import { SessionHeader } from './session-header.tsx'
import { nextToRun, withNextHanded } from './starting.ts'
import { TodoPanel } from './todo-panel.tsx'
import { CallsBehindContext, useFoundBehind } from './tools/calls-behind.ts'
import { NestedRowContext } from './tools/nested-items.tsx'
import { WorkingContext } from './working-row.tsx'

const SessionSignIns = deferred(
  async () => (await import('../mcp/session-sign-ins.tsx')).SessionSignIns,
  null,
)

const SidePanel = deferred(async () => (await import('./side-panel.tsx')).SidePanel, null)

export function SessionPage({ id }: { id: string }) {
  const state = useNextHanded(useSession(id))
  if (state.phase === 'gone') return <Gone />
  if (state.phase === 'loading' || state.session === undefined) return <Loading />
  return <OpenSession state={state} />
}

const nestedRow = (row: Row) => <MessageRow row={row} />

function OpenSession({ state }: { state: PageSession }) {
  const [follows, setFollows] = useState(0)
  const follow = useCallback(() => setFollows((count) => count + 1), [])
  const conversation = useConversationValue(state, follow)
  const target = useHash()
  const loadOlder = useCallback(() => void live.loadOlder(state.id), [state.id])
  const behind = useFoundBehind(state)
  const panel = panelIn(useSearch())
  return (
    <ConversationContext value={conversation}>
      <ApprovalsContext value={state.approvals}>
        <CallsBehindContext value={behind}>
          <NestedRowContext value={nestedRow}>
            <WorkingContext value={state}>
              <TasksContext value={state.tasks}>
                <TodosContext value={state.todos}>
                  <div className="flex h-full min-h-0 min-w-0">
                    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
                      <SessionHeader state={state} />
                      <SessionBanners state={state} />
                      {state.mcpServers.some(({ status }) => status === 'needs_auth') && (
                        <SessionSignIns sessionId={state.id} ofProcess={state.mcpServers} />
                      )}
                      <MessageList
                        state={state}
                        row={MessageRow}
                        target={target}
                        follows={follows}
                        loadOlder={loadOlder}
                      />
                      <TodoPanel todos={state.todos} />
                      <Composer sessionId={state.id} state={state} onSent={follow} />
                      <Announcer state={state} />
                    </div>
                    {panel !== undefined && <SidePanel state={state} asked={panel} />}
                  </div>
                </TodosContext>
              </TasksContext>
            </WorkingContext>
          </NestedRowContext>
        </CallsBehindContext>
      </ApprovalsContext>
    </ConversationContext>
  )
}

function useConversationValue({ id, session, items, turn }: PageSession, follow: () => void): Conversation {
  const [opened] = useState<OpenedParts>(() => new Map())
  const canChat = useCan('chat')
  const canApprove = useCan('approve')
  const estimate = useStatus()?.model.source === 'cli_login'
  const cwd = session?.cwd
  const demo = session?.demo ?? false
  const lastMessageId = lastMessage(items)
  const isWorking = turn !== undefined
  return useMemo(
    () => ({
      sessionId: id,
      cwd,
      demo,
      estimate,
      canChat,
      canApprove,
      lastMessageId,
      isWorking,
      opened,
      follow,
    }),
    [id, cwd, demo, estimate, canChat, canApprove, lastMessageId, isWorking, opened, follow],
  )
}

function lastMessage(items: PageSession['items']): string | undefined {
  const last = items.findLast((item) => item.kind === 'user' && !item.synthetic && !item.joined)
  return last?.kind === 'user' ? last.messageId : undefined
}

function Gone() {
  return (
    <div className="mx-auto max-w-xl p-6">
      <Empty icon={MessageSquareOff} title={text.conversation.gone}>
        <p>{text.conversation.goneHint}</p>
        <Link href="/" className="mt-2 inline-block link">
          {text.conversation.goneLink}
        </Link>
      </Empty>
    </div>
  )
}

/** The one place of the conversation that speaks by itself. */
function Announcer({ state }: { state: PageSession }) {
  const before = useRef(state)
  const [said, setSaid] = useState<readonly { id: number; words: string }[]>([])
  useEffect(() => {
    const news = announcements(before.current, state)
    before.current = state
    if (news.length === 0) return
    setSaid((old) => {
      const first = (old.at(-1)?.id ?? 0) + 1
      return [...old, ...news.map((words, index) => ({ id: first + index, words }))].slice(-4)
    })
  }, [state])
  return (
    <div aria-live="polite" aria-relevant="additions" className="sr-only">
      {said.map(({ id, words }) => (
        <p key={id}>{words}</p>
      ))}
    </div>
  )
}

/** Longer than an agent takes to start. One that waits longer waits for something else, such as a free process. */
const patienceMs = 10_000

/** A message that is about to run stands in the conversation at once, not in the queue for a moment. */
function useNextHanded(state: PageSession): PageSession {
  const next = nextToRun(state)
  const [late, setLate] = useState<string>()
  useEffect(() => {
    if (next === undefined) return
    const timer = setTimeout(() => setLate(next), patienceMs)
    return () => clearTimeout(timer)
  }, [next])
  return useMemo(() => (next === late ? state : withNextHanded(state)), [state, next, late])
}
