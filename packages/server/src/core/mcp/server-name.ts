import { foldServerName } from '@dorkos/shared'

/** The names of the servers that run tool modules: the owner's, and a workspace's. */
const moduleNames: ReadonlySet<string> = new Set(['tools', 'workspace-tools'])
const longestShown = 64

/** However it is spelt. A person who reads `mcp__tools__…` takes it for a tool of their own. */
export function isModulesName(name: string): boolean {
  return moduleNames.has(foldServerName(name).toLowerCase())
}

/** A name from a file, for people: nothing invisible, and not too long. */
export function shownName(name: string): string {
  const plain = name.replace(/\p{C}/gu, '\uFFFD')
  return plain.length > longestShown ? `${plain.slice(0, longestShown)}…` : plain
}
