/** Whether sessions share a server's process, and why. Pure. */
import type { Sharing } from '@dorkos/mcp-gateway'
import type { McpSharing } from '@dorkos/shared'
import type { McpEntry } from './found-server.ts'
import { statelessServer } from './stateless-servers.ts'

export interface SharingDecision {
  /** What the owner wants here, or else what the entry says. */
  choice: McpSharing
  sharing: Sharing
  /** `chosen`: somebody said so. Otherwise why `auto` comes to this. */
  why: 'chosen' | 'stateless' | 'remote' | 'unknown'
}

/**
 * `auto` shares what is known to keep nothing between calls, and what is reached by HTTP, where keeping sessions apart is the server's own
 * business. Whatever else may keep state, and each session gets a process.
 */
export function decideSharing(
  entry: McpEntry,
  choice: McpSharing = entry.sharing ?? 'auto',
): SharingDecision {
  if (choice !== 'auto') return { choice, sharing: choice, why: 'chosen' }
  if (entry.type !== 'stdio') return { choice, sharing: 'until_asked', why: 'remote' }
  const isStateless = statelessServer(entry.command, entry.args, entry.env) !== undefined
  return isStateless
    ? { choice, sharing: 'until_asked', why: 'stateless' }
    : { choice, sharing: 'session', why: 'unknown' }
}
