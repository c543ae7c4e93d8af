/** The CLI's word on an MCP server, in the contract's words. */
import { type McpServerHealth, mcpServerHealthSchema } from '@dorkos/shared'
import type { LiveAgent } from '../ports/agent.ts'

type McpStatus = Awaited<ReturnType<LiveAgent['mcpStatus']>>[number]

export function toMcpHealth({ name, status, error, tools }: McpStatus): McpServerHealth {
  return {
    name,
    status: mcpServerHealthSchema.shape.status.catch('pending').parse(status),
    ...(error !== undefined && { error }),
    ...(tools && { tool_count: tools.length }),
  }
}
