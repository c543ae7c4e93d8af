import type { McpServer } from '@dorkos/shared'
import { useId } from 'react'
import { Link } from 'wouter'
import { api } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import { formatCount } from '../ui/format.ts'
import { Switch } from '../ui/switch.tsx'
import { useMcpChange } from './mcp-queries.ts'
import { hasPage, isOff, pageOf } from './server-state.ts'
import type { SessionServer } from './session-servers.ts'
import { SignInCard } from './sign-in-card.tsx'
import { wantsSignIn } from './sign-in-steps.ts'
import { SourceLink } from './source-link.tsx'
import { whyUnused } from './source-text.ts'
import { StateWord } from './state-mark.tsx'

interface SessionServerRowProps {
  server: SessionServer
  sessionId: string
  workspaceId: string | undefined
  /** A session cannot switch on what its workspace has switched off. */
  offInWorkspace: boolean
}

/** One MCP server of a session: how it does there, where it comes from, and its switch. */
export function SessionServerRow({ server, sessionId, workspaceId, offInWorkspace }: SessionServerRowProps) {
  const { entry, state, tools, error } = server
  const whyOff = useId()
  return (
    <li className="flex items-start gap-3 rounded-lg border border-line px-3 py-2">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3">
          <ServerName server={server} workspaceId={workspaceId} />
          <StateWord state={state} />
          {tools !== undefined && <span className="text-xs text-soft">{text.mcp.tools(tools)}</span>}
          {entry && <EntryFigures entry={entry} />}
        </div>
        {entry ? (
          <SourceLink server={entry} />
        ) : (
          <p className="text-xs text-soft">
            {server.isOwn ? text.mcp.session.own : text.mcp.session.elsewhere}
          </p>
        )}
        {entry && state === 'needs_auth' && wantsSignIn(entry) ? (
          <div className="pt-1">
            <SignInCard server={entry} workspaceId={workspaceId} compact />
          </div>
        ) : (
          error !== undefined && <Fault error={error} />
        )}
        {entry && isOff(entry) && (
          <p id={whyOff} className="text-xs text-soft">
            <SafeText text={offInWorkspace ? text.mcp.switches.inWorkspace : whyUnused(entry)} />
          </p>
        )}
      </div>
      {entry && (
        <SessionSwitch entry={entry} sessionId={sessionId} offInWorkspace={offInWorkspace} whyOff={whyOff} />
      )}
    </li>
  )
}

function Fault({ error }: { error: string }) {
  return (
    <p dir="auto" className="text-xs break-words text-danger">
      <SafeText text={error} />
    </p>
  )
}

function EntryFigures({ entry: { health, held_tools: held } }: { entry: McpServer }) {
  return (
    <>
      {health?.state === 'connected' && (
        <span title={text.mcp.tokensHint} className="text-xs text-soft">
          {text.mcp.tokens(formatCount(health.context_tokens))}
        </span>
      )}
      {held > 0 && (
        <Badge tone="warn" title={text.mcp.heldHint}>
          {text.mcp.held(held)}
        </Badge>
      )}
    </>
  )
}

interface SessionSwitchProps extends Pick<SessionServerRowProps, 'sessionId' | 'offInWorkspace'> {
  entry: McpServer
  /** Names what says why it is off. */
  whyOff: string
}

function SessionSwitch({ entry, sessionId, offInWorkspace, whyOff }: SessionSwitchProps) {
  const isAdmin = useCan('admin')
  const { busy, run } = useMcpChange()
  if (!isAdmin || (entry.use !== 'active' && entry.reason !== 'switched_off')) return null
  const change = (on: boolean) =>
    run(() => api.switchMcp({ body: { session_id: sessionId, server: entry.name, off: !on } }))
  return (
    <span className="flex h-6 items-center">
      <Switch
        label={text.mcp.switches.session(withVisibleControls(entry.name))}
        checked={entry.use === 'active'}
        disabled={busy || offInWorkspace}
        describedBy={offInWorkspace ? whyOff : undefined}
        onChange={(on) => void change(on)}
      />
    </span>
  )
}

function ServerName({ server, workspaceId }: { server: SessionServer; workspaceId: string | undefined }) {
  const { name, entry, isOwn } = server
  const shown = (
    <bdi>
      <SafeText text={name} />
    </bdi>
  )
  const page = isOwn ? '/tools' : entry && hasPage(entry) ? pageOf(name, workspaceId) : undefined
  if (page === undefined) return <span className="min-w-0 truncate font-medium">{shown}</span>
  return (
    <Link href={page} className="min-w-0 truncate font-medium hover:underline">
      {shown}
    </Link>
  )
}
