/** Finds configurations in which `canUseTool` can never be called, which is never what was meant. */
import type { SessionOptions } from '../options.ts'

/** The warning, or undefined when the callback can be reached. */
export function neverAsked(options: SessionOptions): string | undefined {
  if (!options.canUseTool) return undefined
  if (options.permissionMode === 'bypassPermissions')
    return "canUseTool is never called: permissionMode 'bypassPermissions' allows every tool. Use a PreToolUse hook to see the calls."
  if (options.permissionMode === 'dontAsk')
    return "canUseTool is never called: permissionMode 'dontAsk' denies what no rule allows."
  if (options.allowedTools?.includes('*'))
    return "canUseTool is never called: allowedTools contains '*', which allows every tool."
  const available = options.tools
  const servers = Object.keys(options.mcpServers ?? {}).length
  if (
    Array.isArray(available) &&
    servers === 0 &&
    available.every((tool) => options.allowedTools?.includes(tool))
  )
    return 'canUseTool is never called: every tool in `tools` is also in allowedTools, which runs it without asking.'
  return undefined
}
