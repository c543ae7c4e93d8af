/** How an MCP server does, in one word and a colour, and what its switch does. Pure. */
import type { McpServer, McpServerDetails } from '@dorkos/shared'
import { text } from '../text/page-text.ts'
import { formatDuration } from '../ui/format.ts'
import type { Tone } from '../ui/notice.tsx'

type McpHealth = NonNullable<McpServer['health']>
export type McpTool = McpServerDetails['tools'][number]
export type ShownState = McpHealth['state'] | 'not_started' | 'left_to_cli' | 'unused'

const tones: Record<ShownState, Tone> = {
  connected: 'ok',
  pending: 'running',
  failed: 'danger',
  needs_auth: 'attention',
  disabled: 'neutral',
  stopped: 'neutral',
  not_started: 'neutral',
  left_to_cli: 'neutral',
  unused: 'neutral',
}

/** A server that never ran is no stopped one; one that passes through is Claude Code's to start. */
export function shownState(server: McpServer): ShownState {
  if (isOff(server)) return 'disabled'
  if (server.use !== 'active') return 'unused'
  const { health } = server
  if (!health) return server.entry.passthrough === true ? 'left_to_cli' : 'not_started'
  const hasRun = health.state !== 'stopped' || health.connect_ms !== undefined || health.error !== undefined
  return hasRun ? health.state : 'not_started'
}

export function stateTone(state: ShownState): Tone {
  return tones[state]
}

export function stateWord(state: ShownState): string {
  return text.mcp.states[state]
}

/** When it is tried again: that time may have passed by the time it is read. */
export function nextTryWords(inMs: number): string {
  return inMs > 0 ? text.mcp.nextTry(formatDuration(Math.ceil(inMs / 1000) * 1000)) : text.mcp.tryingNow
}

/** Somebody turned it off: it is not given to agents because that was wanted. */
export function isOff({ use, reason, health }: McpServer): boolean {
  return use === 'filtered'
    ? reason === 'disabled' || reason === 'switched_off'
    : health?.state === 'disabled'
}

/** It runs tool modules of the owner or the workspace. The server says so: a name can be anybody’s. */
export function isModules({ modules }: McpServer): boolean {
  return modules === true
}

/** Of DorkOS's own configuration, so it can be changed here. */
export function isOwnEntry(server: McpServer): boolean {
  return server.source.scope === 'dorkos' && !isModules(server)
}

/** What a switch beside the server does: nothing helps where a file, a mode or missing trust keeps it away. */
export type SwitchKind = 'workspace' | 'entry' | 'none'

export function switchKind(server: McpServer): SwitchKind {
  if (server.use === 'active' || server.reason === 'switched_off') return 'workspace'
  if (server.reason === 'disabled' && isOwnEntry(server)) return 'entry'
  return 'none'
}

/** DorkOS starts it itself, so it can be started anew. */
export function isRunHere({ use, entry, health }: McpServer): boolean {
  return use === 'active' && (entry.passthrough !== true || health !== undefined)
}

/** Names that an address of the API can hold; others are shown without a page of their own. */
export function hasPage({ name, use }: McpServer): boolean {
  return use !== 'overridden' && /^[\p{L}\p{N}][\p{L}\p{N}_.:@ -]{0,127}$/u.test(name)
}

export function pageOf(name: string, workspaceId: string | undefined): string {
  const query = workspaceId === undefined ? '' : `?workspace=${encodeURIComponent(workspaceId)}`
  return `/mcp/${encodeURI(name)}${query}`
}
