/** Which names a server may have. The name is part of the name of each of its tools, so two must never be read as one. */

const MAX_LENGTH = 64

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

/** The names of the servers that run tool modules: the owner's, and a workspace's. */
const moduleNames: ReadonlySet<string> = new Set(['tools', 'workspace-tools'])

/** However it is spelt. A person who reads `mcp__tools__…` takes it for a tool of their own. */
export function isModulesName(name: string): boolean {
  return moduleNames.has(foldServerName(name).toLowerCase())
}

/** Why a name cannot be used; undefined when it can. `full` is the name with what is put before it, as for a plugin's server. */
export function serverNameFault(name: string, full: string = name): string | undefined {
  if (name === '') return 'a server needs a name'
  if (name.length > MAX_LENGTH) return `its name is longer than ${MAX_LENGTH} characters`
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

/** A name from a file, for people: nothing invisible, and not too long. */
export function shownName(name: string): string {
  const plain = name.replace(/\p{C}/gu, '\uFFFD')
  return plain.length > MAX_LENGTH ? `${plain.slice(0, MAX_LENGTH)}…` : plain
}
