/** Which names an MCP server may have. The name is part of the name of each of its tools, so two must never be read as one. */

/** What the model's API takes for `mcp__<server>__<tool>`, and what is left of that for the tool. */
const mostOfTool = 64
const leastForTool = 16
const longest = mostOfTool - 'mcp____'.length - leastForTool

/** The CLI keeps these for itself, and leaves a server of such a name out without a word (seen with 2.1.325). */
const reserved = new Set([
  'ide',
  'workspace',
  'computer-use',
  'claude-in-chrome',
  'Claude_in_Chrome',
  'Claude_Browser',
  'Claude_Preview',
  'remote-devices',
])

/** What the CLI makes of a name in `mcp__<server>__<tool>`. Names that become the same are the same server to the model. */
export function foldServerName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_')
}

/** The injected server's name, however it is spelt. */
export function isInjectedName(name: string): boolean {
  return foldServerName(name).toLowerCase() === 'dorkos'
}

/** Why a name cannot be used; undefined when it can. `full` is the name with what is put before it, as for a plugin's server. */
export function serverNameFault(name: string, full: string = name): string | undefined {
  if (name === '') return 'a server needs a name'
  if (full.length > longest)
    return `its name${full === name ? '' : ', with the plugin’s before it,'} is longer than ${longest} characters, which leaves no room for the names of its tools`
  if (/\p{C}/u.test(name)) return 'its name holds control or invisible characters'
  if (isInjectedName(name)) return 'the name dorkos is kept for the tools of DorkOS itself; use another'
  if (reserved.has(foldServerName(name))) return 'Claude Code keeps this name for itself; use another'
  const folded = foldServerName(full)
  const asTools = `its tools would be named mcp__${folded}__…`
  if (folded.includes('__')) return `${asTools}, where a double underscore ends the server’s name; rename it`
  if (folded.endsWith('_'))
    return `${asTools}, which can also be read as another server’s; rename it so that it ends with a letter or digit (a–z, 0–9)`
  return undefined
}
