/** How an MCP server does, in one word. */
import type { McpServer } from '@dorkos/shared'
import type { Style } from '../style.ts'

export interface McpMark {
  text: string
  color: keyof Style
}

type State = NonNullable<McpServer['health']>['state']

export const stateMarks: Record<State, McpMark> = {
  connected: { text: '[OK]', color: 'green' },
  failed: { text: '[FAILED]', color: 'red' },
  needs_auth: { text: '[NEEDS AUTH]', color: 'yellow' },
  pending: { text: '[PENDING]', color: 'yellow' },
  disabled: { text: '[DISABLED]', color: 'dim' },
  stopped: { text: '[STOPPED]', color: 'dim' },
}

const notStarted: McpMark = { text: '[NOT STARTED]', color: 'dim' }

/** A server that never ran is no stopped one; one that passes through is Claude Code's to start. */
export function markOf(server: McpServer): McpMark {
  if (isDisabled(server)) return stateMarks.disabled
  if (server.health) return hasRun(server.health) ? stateMarks[server.health.state] : notStarted
  return isLeftToCli(server) ? { text: '[CLAUDE CODE]', color: 'dim' } : notStarted
}

function hasRun({ state, connect_ms, error }: NonNullable<McpServer['health']>): boolean {
  return state !== 'stopped' || connect_ms !== undefined || error !== undefined
}

/** Somebody turned it off: it is not given to agents because that was wanted. */
export function isDisabled({ use, reason, health }: McpServer): boolean {
  return use === 'filtered'
    ? reason === 'disabled' || reason === 'switched_off'
    : health?.state === 'disabled'
}

/** Agents get it, and it answers. */
export function isConnected(server: McpServer): boolean {
  return server.health?.state === 'connected' && !isDisabled(server)
}

export function isLeftToCli({ use, entry, health }: McpServer): boolean {
  return use === 'active' && entry.passthrough === true && !health
}

const scopes: Record<string, string> = {
  dorkos: 'DorkOS',
  local: 'local',
  project: 'project',
  user: 'user',
  settings: 'settings.json',
  plugin: 'plugin',
}

export function scopeWord(scope: McpServer['source']['scope']): string {
  return scopes[scope] ?? scope
}
