/** The servers of a workspace in the order in which people read them, and what they come to. Pure. */
import type { McpServer } from '@dorkos/shared'
import { countServers } from './count-servers.ts'
import { isOff, shownState } from './server-state.ts'

export interface ServerGroups {
  /** Sessions get them, or would if nobody had switched them off. */
  used: McpServer[]
  /** Overridden, or kept away by a file, a mode or missing trust. */
  unused: McpServer[]
}

const order = { failed: 0, needs_auth: 1, pending: 2, connected: 3, stopped: 4, disabled: 5 } as const

export function groupServers(servers: readonly McpServer[]): ServerGroups {
  const isUsed = (server: McpServer) => server.use === 'active' || isOff(server)
  return {
    used: servers.filter(isUsed).toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name)),
    unused: servers.filter((server) => !isUsed(server)).toSorted((a, b) => a.name.localeCompare(b.name)),
  }
}

/** What needs a look comes first. */
function rank(server: McpServer): number {
  if (isOff(server)) return order.disabled
  if (server.held_tools > 0) return order.needs_auth
  return order[server.health?.state ?? 'stopped']
}

export interface ServerTotals {
  active: number
  connected: number
  off: number
  tools: number
  contextTokens: number
  held: number
}

export function totalsOf(servers: readonly McpServer[]): ServerTotals {
  const { all, connected } = countServers(servers.map((one) => ({ name: one.name, state: shownState(one) })))
  const active = servers.filter(({ use }) => use === 'active')
  const sum = (value: (server: McpServer) => number) => active.reduce((all, server) => all + value(server), 0)
  return {
    active: all,
    connected,
    off: servers.filter(isOff).length,
    tools: sum(({ health }) => health?.tools ?? 0),
    contextTokens: sum(({ health }) => health?.context_tokens ?? 0),
    held: sum(({ held_tools }) => held_tools),
  }
}

/** What is not used because of this server. */
export function overriddenBy(server: McpServer, all: readonly McpServer[]): McpServer[] {
  const { file, line } = server.source
  return all.filter(
    ({ use, overridden_by: by }) => use === 'overridden' && by?.file === file && by.line === line,
  )
}
