/** What of a server's list of tools waits for a person. Pure. */
import type { McpTool } from './server-state.ts'

/** Instructions that are new or have changed are listed among the tools, under this name. */
export const instructionsTool = '#instructions'

export function openTools(tools: readonly McpTool[]): McpTool[] {
  return tools.filter(({ pin }) => pin.status !== 'pinned')
}

export function realTools(tools: readonly McpTool[]): McpTool[] {
  return tools.filter(({ name }) => name !== instructionsTool)
}
