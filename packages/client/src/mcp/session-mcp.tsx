import type { McpList, McpServer, McpServerHealth } from '@dorkos/shared'
import { text } from '../text/page-text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { QueryFault } from '../ui/query-view.tsx'
import { Loading } from '../ui/spinner.tsx'
import { FileFaults } from './file-faults.tsx'
import { groupServers } from './group-servers.ts'
import { useMcpList, useSessionMcp } from './mcp-queries.ts'
import { SessionServerRow } from './session-server-row.tsx'
import { sessionServers, sessionTotals } from './session-servers.ts'
import { locationOf } from './source-text.ts'
import { UnusedServer } from './unused-server.tsx'

interface SessionMcpProps {
  sessionId: string
  /** What the session's process says of its servers. */
  ofProcess: readonly McpServerHealth[]
}

const noList: McpList = { servers: [], faults: [] }

/** What MCP servers a session has, and a switch for each, for this session alone. */
export function SessionMcp({ sessionId, ofProcess }: SessionMcpProps) {
  const query = useSessionMcp(sessionId)
  if (query.isPending) return <Loading />
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <QueryFault query={query} />
      <Servers sessionId={sessionId} ofProcess={ofProcess} list={query.data ?? noList} />
    </div>
  )
}

function Servers({ sessionId, ofProcess, list }: SessionMcpProps & { list: McpList }) {
  const workspaceId = list.workspace_id
  const { data: ofWorkspace } = useMcpList(workspaceId, workspaceId !== undefined)
  const { used, unused } = groupServers(list.servers)
  const servers = sessionServers(ofProcess, used)
  const { connected, active, tools } = sessionTotals(servers)
  const words = text.mcp.totals
  const isOffInWorkspace = (name: string) =>
    ofWorkspace?.servers.some((one) => one.name === name && one.reason === 'switched_off') ?? false
  if (servers.length + unused.length + list.faults.length === 0)
    return <p className="text-sm text-soft">{text.mcp.session.none}</p>
  return (
    <>
      <FileFaults faults={list.faults} />
      <p className="flex flex-wrap gap-x-4 text-sm text-soft tabular-nums">
        <span className="font-medium text-text">{words.servers(connected, active)}</span>
        <span>{words.tools(tools)}</span>
      </p>
      <ul className="flex flex-col gap-1.5">
        {servers.map((server) => (
          <SessionServerRow
            key={keyOf(server)}
            server={server}
            sessionId={sessionId}
            workspaceId={workspaceId}
            offInWorkspace={isOffInWorkspace(server.name)}
          />
        ))}
      </ul>
      {unused.length > 0 && (
        <Disclosure label={text.mcp.session.unused(unused.length)}>
          <ul className="flex flex-col gap-2">
            {unused.map((server) => (
              <UnusedServer key={keyOf({ name: server.name, entry: server })} server={server} />
            ))}
          </ul>
        </Disclosure>
      )}
    </>
  )
}

function keyOf({ name, entry }: { name: string; entry: McpServer | undefined }): string {
  return entry ? `${name} ${locationOf(entry.source)}` : name
}
