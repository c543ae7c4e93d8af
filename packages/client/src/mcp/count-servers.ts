/** How many MCP servers there are and how they do: one rule, wherever they are counted. Pure. */
import type { ShownState } from './server-state.ts'

export interface CountedServer {
  readonly name: string
  readonly state: ShownState
}

export interface ServerCounts {
  readonly connected: number
  /** Also those that want somebody to sign in: neither gives tools. */
  readonly failed: number
  readonly pending: number
  /** Those that sessions get, however they do. Not those that are switched off or not used, nor DorkOS's own, which is always there. */
  readonly all: number
}

/** Nobody else's server can have it. */
export const ownServerName = 'dorkos'

export function countServers(servers: readonly CountedServer[]): ServerCounts {
  const counted = servers.filter(
    ({ name, state }) => name !== ownServerName && state !== 'disabled' && state !== 'unused',
  )
  const having = (...states: readonly ShownState[]) =>
    counted.filter(({ state }) => states.includes(state)).length
  return {
    connected: having('connected'),
    failed: having('failed', 'needs_auth'),
    pending: having('pending'),
    all: counted.length,
  }
}
