/** The MCP servers of a session, each once: what its process says of them beside what the files say. Pure. */
import type { McpServer, McpServerHealth } from '@dorkos/shared'
import { countServers, ownServerName } from './count-servers.ts'
import { type ShownState, shownState } from './server-state.ts'

export interface SessionServer {
  name: string
  state: ShownState
  tools: number | undefined
  error: string | undefined
  /** DorkOS's own tools. Nobody else's server can have their name. */
  isOwn: boolean
  /** Undefined where no file gives it to the session. */
  entry: McpServer | undefined
}

/** `used` keep their order; DorkOS's own goes first, what only the process knows last. */
export function sessionServers(
  ofProcess: readonly McpServerHealth[],
  used: readonly McpServer[],
): SessionServer[] {
  const reported = new Map(ofProcess.map((one) => [one.name, one]))
  const listed = new Set(used.map(({ name }) => name))
  const others = ofProcess.filter(({ name }) => !listed.has(name))
  return [
    ...others.filter(isOwn).map(unlisted),
    ...used.map((entry) => withEntry(entry, reported.get(entry.name))),
    ...others.filter((one) => !isOwn(one)).map(unlisted),
  ]
}

export function sessionTotals(servers: readonly SessionServer[]) {
  const { all, connected } = countServers(servers)
  return {
    active: all,
    connected,
    /** With DorkOS's own: all that the agent has. */
    tools: servers.reduce((sum, { tools = 0 }) => sum + tools, 0),
  }
}

const isOwn = ({ name }: McpServerHealth) => name === ownServerName

function unlisted(reported: McpServerHealth): SessionServer {
  const { name, status, error, tool_count: tools } = reported
  return { name, state: status, tools, error, isOwn: isOwn(reported), entry: undefined }
}

/** The process hears of a switch later than the list does: whether a server is off is for the list to say. */
function withEntry(entry: McpServer, reported: McpServerHealth | undefined): SessionServer {
  const { name, health, use } = entry
  const isReported = use === 'active' && reported !== undefined && reported.status !== 'disabled'
  const state = isReported ? reported.status : shownState(entry)
  return {
    name,
    state,
    tools: state === 'connected' ? (reported?.tool_count ?? health?.tools) : undefined,
    error: state === 'connected' ? undefined : (health?.error ?? (isReported ? reported.error : undefined)),
    isOwn: false,
    entry,
  }
}
