/** How the servers of a session do: as its events show it, and as the log does. Pure. */
import type { ServerStatus } from '@dorkos/mcp-gateway'
import type { McpServerHealth } from '@dorkos/shared'
import type { HealthRow } from './describe-servers.ts'

/** Of one that we run. */
export function toHealth(name: string, status: ServerStatus | undefined): McpServerHealth {
  if (!status) return { name, status: 'pending' }
  const { state, error, tools } = status
  return {
    name,
    status: state === 'stopped' ? 'pending' : state,
    tool_count: tools,
    ...(error !== undefined && { error }),
  }
}

/** `ms` is what we know besides, of one that we run. */
export function toHealthRow(health: McpServerHealth, ms: number | undefined): HealthRow {
  const { name, status, error, tool_count } = health
  return {
    name,
    state: status,
    ...(ms !== undefined && { ms }),
    ...(error !== undefined && { error }),
    ...(tool_count !== undefined && { tools: tool_count }),
  }
}
