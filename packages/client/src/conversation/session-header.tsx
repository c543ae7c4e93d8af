import { ChevronDown, GitBranch } from 'lucide-react'
import { useContext, useState } from 'react'
import { useIsPhone } from '../browser/use-media.ts'
import type { PageSession } from '../live/page-session.ts'
import { useWorkspaceName } from '../queries/use-names.ts'
import { markLook, markOf } from '../sessions/session-mark.ts'
import { text } from '../text/text.ts'
import { Badge, StateGlyph } from '../ui/badge.tsx'
import { deferred } from '../ui/deferred.tsx'
import { HeaderStart } from '../ui/page.tsx'
import { Popover } from '../ui/popover.tsx'
import { ContextMeter } from './context-meter.tsx'
import { CostMeter } from './cost-meter.tsx'
import { McpChip } from './mcp-chip.tsx'
import { PanelButton } from './panel-button.tsx'
import { SessionActions } from './session-actions.tsx'
import { SessionTitle } from './session-title.tsx'
import { startingSince } from './starting.ts'
import { TodoButton } from './todo-panel.tsx'

const BackgroundChip = deferred(
  async () => (await import('../commands/background-notice.tsx')).BackgroundChip,
  null,
)

const SessionDetails = deferred(async () => (await import('./session-details.tsx')).SessionDetails)

export function SessionHeader({ state }: { state: PageSession }) {
  const { session } = state
  const start = useContext(HeaderStart)
  const isPhone = useIsPhone()
  const [isEditing, setEditing] = useState(false)
  const turns = state.items.filter(({ kind }) => kind === 'turn').length
  if (session === undefined) return null
  const known = markOf(session, false)
  const mark = known === 'idle' && startingSince(state) !== undefined ? 'working' : known
  return (
    <header className="flex items-center gap-2 border-b border-line bg-ground px-1 py-1 max-sm:py-0.5 sm:px-4">
      {start}
      <StateGlyph {...markLook(mark)} />
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex min-w-0 items-center gap-2">
          <SessionTitle session={session} isEditing={isEditing} setEditing={setEditing} />
          <span className="flex shrink-0 items-center gap-1 empty:hidden">
            {session.origin === 'terminal' && <Badge>{text.conversation.terminalBadge}</Badge>}
            {session.archived && <Badge>{text.conversation.archivedBadge}</Badge>}
            {session.unattended && <Badge>{text.conversation.unattendedBadge}</Badge>}
          </span>
        </div>
        <div className="flex min-w-0 items-center gap-2">
          {isPhone && session.permission_mode === 'bypassPermissions' && <BypassChip />}
          <DirectoryLine state={state} />
        </div>
      </div>
      <div className="flex shrink-0 items-center">
        <span className="flex sm:hidden">
          <TodoButton todos={state.todos} />
          {isPhone && state.tasks.length > 0 && state.turn === undefined && (
            <BackgroundChip tasks={state.tasks} />
          )}
        </span>
        {session.live && (
          <span className="max-sm:hidden">
            <ContextMeter id={session.id} turns={turns} />
          </span>
        )}
        <span className="max-sm:hidden">
          <CostMeter state={state} />
        </span>
        <span className="max-sm:hidden">
          <McpChip id={session.id} servers={state.mcpServers} />
        </span>
        <PanelButton />
        <SessionActions session={session} onRename={() => setEditing(true)} />
      </div>
    </header>
  )
}

/** On a phone, where a line above the composer would take the conversation's room. */
function BypassChip() {
  const words = text.composer
  return (
    <p
      role="status"
      title={words.bypassWord}
      className="shrink-0 rounded bg-danger-fill px-1.5 text-xs leading-5 font-semibold text-white"
    >
      {words.modeNames.bypassPermissions}
    </p>
  )
}

/** Where it works, in one line; all of it when pressed. */
function DirectoryLine({ state }: { state: PageSession }) {
  const { session } = state
  const workspace = useWorkspaceName(session?.workspace_id)
  if (session === undefined) return null
  const folder = session.cwd.split(/[\\/]/).filter(Boolean).at(-1) ?? session.cwd
  const model = session.demo ? text.conversation.demoModel : session.model
  const parts = [workspace ?? folder, model].filter((part) => part !== undefined)
  return (
    <Popover
      label={text.conversation.details}
      align="start"
      trigger={
        <button
          type="button"
          title={text.conversation.details}
          className="-mx-1.5 flex w-fit max-w-full items-center gap-1 rounded-md px-1.5 text-xs text-faint hover:bg-hover hover:text-soft max-sm:min-h-7"
        >
          <bdi className="min-w-0 truncate">{parts.join(' · ')}</bdi>
          {session.branch !== undefined && session.branch !== 'HEAD' && (
            <span className="flex min-w-0 items-center gap-0.5">
              <span aria-hidden>{text.conversation.dot}</span>
              <GitBranch aria-hidden size={11} className="shrink-0" />
              <bdi className="max-w-32 truncate">{session.branch}</bdi>
            </span>
          )}
          <ChevronDown aria-hidden size={12} className="shrink-0" />
        </button>
      }
    >
      <SessionDetails state={state} workspace={workspace} />
    </Popover>
  )
}
