import type { McpList, McpServer } from '@dorkos/shared'
import { Link } from 'wouter'
import { api } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import { formatCount } from '../ui/format.ts'
import { QueryView } from '../ui/query-view.tsx'
import { Switch } from '../ui/switch.tsx'
import { FileFaults } from './file-faults.tsx'
import { Fold } from './fold.tsx'
import { groupServers, totalsOf } from './group-servers.ts'
import { useMcpChange, useMcpList, useSessionMcp } from './mcp-queries.ts'
import { hasPage, isOff, pageOf } from './server-state.ts'
import { SourceLink } from './source-link.tsx'
import { placeOf } from './source-text.ts'
import { StateMark } from './state-mark.tsx'
import { UnusedServer } from './unused-server.tsx'

/** What MCP servers a session has, and a switch for each, for this session alone. */
export function SessionMcp({ sessionId }: { sessionId: string }) {
  const query = useSessionMcp(sessionId)
  return <QueryView query={query}>{(list) => <Servers sessionId={sessionId} list={list} />}</QueryView>
}

function Servers({ sessionId, list }: { sessionId: string; list: McpList }) {
  const place = list.workspace_id
  const { data: ofWorkspace } = useMcpList(place, place !== undefined)
  const { used, unused } = groupServers(list.servers)
  const { connected, active, tools, contextTokens } = totalsOf(list.servers)
  const words = text.mcp.totals
  const isOffInWorkspace = ({ name }: McpServer) =>
    ofWorkspace?.servers.some((one) => one.name === name && one.reason === 'switched_off') ?? false
  if (list.servers.length === 0 && list.faults.length === 0)
    return <p className="text-sm text-soft">{text.mcp.session.none}</p>
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <FileFaults faults={list.faults} />
      <p className="flex flex-wrap gap-x-4 text-sm text-soft tabular-nums">
        <span className="font-medium text-text">{words.servers(connected, active)}</span>
        <span>{words.tools(tools)}</span>
        <span>{words.tokens(formatCount(contextTokens))}</span>
      </p>
      <ul className="flex flex-col gap-1.5">
        {used.map((server) => (
          <OneServer
            key={`${server.name} ${placeOf(server.source)}`}
            server={server}
            sessionId={sessionId}
            place={place}
            offInWorkspace={isOffInWorkspace(server)}
          />
        ))}
      </ul>
      {unused.length > 0 && (
        <Fold label={text.mcp.session.unused(unused.length)}>
          <ul className="flex flex-col gap-2">
            {unused.map((server) => (
              <UnusedServer key={`${server.name} ${placeOf(server.source)}`} server={server} />
            ))}
          </ul>
        </Fold>
      )}
    </div>
  )
}

interface OneServerProps {
  server: McpServer
  sessionId: string
  place: string | undefined
  /** A session cannot switch on what its workspace has switched off. */
  offInWorkspace: boolean
}

function OneServer({ server, sessionId, place, offInWorkspace }: OneServerProps) {
  const isAdmin = useCan('admin')
  const { busy, run } = useMcpChange()
  const { health } = server
  const canSwitch = server.use === 'active' || server.reason === 'switched_off'
  const change = (on: boolean) =>
    run(() => api.switchMcp({ body: { session_id: sessionId, server: server.name, off: !on } }))
  return (
    <li className="flex items-start gap-3 rounded-lg border border-line px-3 py-2">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3">
          <ServerName server={server} place={place} />
          <StateMark server={server} />
          {health?.state === 'connected' && (
            <span className="text-xs text-soft">{text.mcp.tools(health.tools)}</span>
          )}
          {server.held_tools > 0 && (
            <Badge tone="warn" title={text.mcp.heldHint}>
              {text.mcp.held(server.held_tools)}
            </Badge>
          )}
        </div>
        <SourceLink server={server} />
        {health?.error !== undefined && health.state !== 'connected' && (
          <p dir="auto" className="text-xs break-words text-danger">
            <SafeText text={health.error} />
          </p>
        )}
        {isOff(server) && (
          <p className="text-xs text-soft">
            <SafeText text={offInWorkspace ? text.mcp.switches.inWorkspace : (server.message ?? '')} />
          </p>
        )}
      </div>
      {canSwitch && (
        <span className="flex h-6 items-center">
          <Switch
            label={text.mcp.switches.session(withVisibleControls(server.name))}
            checked={server.use === 'active'}
            disabled={!isAdmin || busy || offInWorkspace}
            onChange={(on) => void change(on)}
          />
        </span>
      )}
    </li>
  )
}

function ServerName({ server, place }: { server: McpServer; place: string | undefined }) {
  const name = (
    <bdi>
      <SafeText text={server.name} />
    </bdi>
  )
  if (!hasPage(server)) return <span className="min-w-0 truncate font-medium">{name}</span>
  return (
    <Link href={pageOf(server.name, place)} className="min-w-0 truncate font-medium hover:underline">
      {name}
    </Link>
  )
}
