/** The tools among a module's exports: single ones, and lists of them. Whatever else it exports is its own affair. */
import type { SdkTool } from 'claude-code-agent'

const mostTools = 100

export function exportedTools(exports: Readonly<Record<string, unknown>>): SdkTool[] {
  const found = new Set<SdkTool>()
  for (const name of Object.keys(exports)) {
    const value = exports[name]
    for (const item of Array.isArray(value) ? value : [value]) if (looksLikeTool(item)) found.add(item)
  }
  if (found.size === 0) {
    throw new Error('It exports no tool: export what tool() returns, or a list of such')
  }
  if (found.size > mostTools)
    throw new Error(`It exports ${found.size} tools; at most ${mostTools} are taken`)
  return [...found]
}

/** What is wrong with one is said by the SDK, which knows. */
function looksLikeTool(value: unknown): value is SdkTool {
  return typeof value === 'object' && value !== null && 'handler' in value && 'inputSchema' in value
}
