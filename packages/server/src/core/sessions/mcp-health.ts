/** The CLI's word on an MCP server, in the contract's words. */
import type { McpServerHealth } from '@dorkos/shared'
import type { LiveAgent } from '../ports/agent.ts'

type McpStatus = Awaited<ReturnType<LiveAgent['mcpStatus']>>[number]

export function toMcpHealth({ name, status, error, tools }: McpStatus): McpServerHealth {
  const known = ['connected', 'failed', 'needs-auth', 'pending', 'disabled'] as const
  return {
    name,
    status: known.find((state) => state === status) ?? 'pending',
    ...(error !== undefined && { error }),
    ...(tools && { tool_count: tools.length }),
  }
}
