/** How Claude Code names the tools of MCP servers, and which server names it keeps for itself (seen with 2.1.325). */

/** The limit of the model's API for the name of a tool. */
const MAX_TOOL_NAME = 64

/**
 * Names that cannot be used. `claude mcp add` refuses them and a configured server of such a name is left out
 * without a word; a server `ide` connects, but the model does not get its tools.
 */
const RESERVED = new Set([
  'ide',
  'workspace',
  'computer-use',
  'claude-in-chrome',
  'Claude_in_Chrome',
  'Claude_Browser',
  'Claude_Preview',
  'remote-devices',
])

/** What the CLI makes of the name of a server or tool: each character that the API does not allow becomes `_`. */
export function normalizeName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_')
}

/** `mcp__<server>__<tool>`, the name that the model, `allowedTools` and hooks know a tool by. */
export function prefixedToolName(server: string, tool: string): string {
  return `mcp__${normalizeName(server)}__${normalizeName(tool)}`
}

/** Why the model cannot have a tool by this name, if so: with one such name it refuses every request. */
export function nameLengthFault(server: string, tool: string): string | undefined {
  const full = prefixedToolName(server, tool)
  return full.length <= MAX_TOOL_NAME
    ? undefined
    : `Tool '${tool}' of server '${server}' is '${full}' to the model: ${full.length} characters, where ${MAX_TOOL_NAME} are allowed`
}

export function isReservedServerName(name: string): boolean {
  return RESERVED.has(normalizeName(name))
}
