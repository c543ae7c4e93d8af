/** Which of the servers that were found a session gets, and why it does not get the others. Pure. */

import type { McpScope } from '@dorkos/shared'
import { foldServerName, isInjectedName, type Saying, say } from '@dorkos/shared'
import type { FoundServer, McpEntry, McpPolicy } from './found-server.ts'
import { mcpScopes } from './found-server.ts'
import { findDeniedMatcher, isAllowed } from './match-server.ts'
import { isModulesName } from './server-name.ts'

export interface WorkspaceRights {
  main: boolean
  mode: 'host' | 'container'
  trusted: boolean
  /** Roots of the plugins that somebody allowed to load. */
  plugins: readonly string[]
}

export interface ResolveInput {
  /** In each scope the first of a name is the stronger. */
  found: readonly FoundServer[]
  policy: McpPolicy
  workspace: WorkspaceRights
  /** By a person, for the session or the workspace. */
  switchedOff: { servers: ReadonlySet<string> }
  /** With the variables put in, where that can be done: lists of commands and addresses are held against what would run, too. */
  expanded?(server: FoundServer): McpEntry | undefined
}

type FilterReason =
  | 'reserved'
  | 'mode'
  | 'trust'
  | 'scope'
  | 'plugin'
  | 'disabled'
  | 'not_enabled'
  | 'denied'
  | 'not_allowed'
  | 'switched_off'

interface FilteredServer {
  server: FoundServer
  reason: FilterReason
  /** For people. */
  sentence: Saying
}

export interface OverriddenServer {
  server: FoundServer
  by: FoundServer
}

/** Every server that was found is in exactly one of the lists. */
export interface ResolvedServers {
  active: FoundServer[]
  overridden: OverriddenServer[]
  filtered: FilteredServer[]
}

/**
 * First who may have it, then what settings say about it, then the strongest of each name.
 *
 * What is filtered out overrides nothing. So a project's server that `disabledMcpjsonServers` names lets the user's own of that name
 * through: that list says no to the project's server, not to the name, and the CLI does the same (seen with 2.1.325). An entry that
 * `deniedMcpServers` names by its command does so here as well; the CLI would give nothing under that name, but the other entry is one
 * that no list denies, and a project could take a server away from its user by naming one that is denied.
 *
 * What a person turned off by name is another matter: it keeps its name taken, or turning `github` off would bring another `github` up.
 */
export function resolveServers(input: ResolveInput): ResolvedServers {
  const resolved: ResolvedServers = { active: [], overridden: [], filtered: [] }
  const allowed: FoundServer[] = []
  for (const server of input.found) {
    const refusal = workspaceRefusal(server, input.workspace) ?? policyRefusal(server, input)
    if (refusal) resolved.filtered.push({ server, ...refusal })
    else allowed.push(server)
  }

  const holders = new Map<string, FoundServer>()
  for (const server of allowed.toSorted((a, b) => rank(a.scope) - rank(b.scope))) {
    const name = foldServerName(server.name)
    const by = holders.get(name) ?? sameLaunch(server, holders)
    if (by) resolved.overridden.push({ server, by })
    else holders.set(name, server)
  }

  const off = new Set([...input.switchedOff.servers].map(foldServerName))
  for (const server of holders.values()) {
    const refusal = offRefusal(server, off, input.policy)
    if (refusal) resolved.filtered.push({ server, ...refusal })
    else resolved.active.push(server)
  }
  return resolved
}

type Refusal = Omit<FilteredServer, 'server'>

const rank = (scope: McpScope) => mcpScopes.indexOf(scope)

/** The table of who gets what. DorkOS's own entries say themselves for which mode they are. */
function isGiven(scope: McpScope, workspace: WorkspaceRights): boolean {
  if (scope === 'dorkos') return true
  if (scope === 'project') return workspace.trusted
  if (!workspace.main || workspace.mode === 'container') return false
  return workspace.trusted || scope === 'user' || scope === 'settings'
}

function workspaceRefusal(server: FoundServer, workspace: WorkspaceRights): Refusal | undefined {
  const { name, scope, entry, plugin } = server
  // Files that use it are refused when they are read; this holds for whatever else may come.
  if (isInjectedName(name)) {
    return { reason: 'reserved', sentence: say('unused_name_of_dorkos') }
  }
  // The owner's own configuration may take it, as the owner sees fit.
  if (scope !== 'dorkos' && isModulesName(name)) {
    const sentence = say('unused_name_of_modules', { name: foldServerName(name) })
    return { reason: 'reserved', sentence }
  }
  if (scope === 'dorkos') {
    const modes = entry.modes ?? ['host']
    if (modes.includes(workspace.mode)) return undefined
    const sentence = say('unused_in_mode', { modes, mode: workspace.mode })
    return { reason: 'mode', sentence }
  }
  if (isGiven(scope, workspace)) {
    if (scope !== 'plugin' || workspace.plugins.includes(plugin?.root ?? '')) return undefined
    return { reason: 'plugin', sentence: say('unused_plugin') }
  }
  if (isGiven(scope, { ...workspace, trusted: true })) {
    return { reason: 'trust', sentence: say('unused_untrusted') }
  }
  if (isGiven(scope, { ...workspace, mode: 'host' })) {
    return { reason: 'mode', sentence: say('unused_in_container') }
  }
  return { reason: 'scope', sentence: say('unused_outside_main', { scope }) }
}

function policyRefusal(server: FoundServer, input: ResolveInput): Refusal | undefined {
  const { policy } = input
  const project = server.scope === 'project' ? projectRefusal(server, policy) : undefined
  if (project) return project
  const expanded = input.expanded?.(server)
  const entries = expanded ? [server.entry, expanded] : [server.entry]
  const own = server.scope === 'project' ? policy.ofWorkspace : undefined
  const denial = findDeniedMatcher([...policy.denied, ...(own?.denied ?? [])], { name: server.name, entries })
  if (denial) return { reason: 'denied', sentence: say('unused_denied', { file: denial.file }) }
  const refusing = [...(policy.allowed ?? []), ...(own?.allowed ?? [])].find(
    (list) => !isAllowed(list, server.name, expanded ?? server.entry),
  )
  if (!refusing) return undefined
  return { reason: 'not_allowed', sentence: say('unused_not_allowed', { file: refusing[0]?.file }) }
}

function projectRefusal({ name }: FoundServer, policy: McpPolicy): Refusal | undefined {
  const listed = (names: readonly string[]) =>
    names.some((one) => foldServerName(one) === foldServerName(name))
  if (listed(policy.disabledProject)) {
    return { reason: 'disabled', sentence: say('unused_disabled_in_settings') }
  }
  if (policy.enableAllProject === true || !policy.enabledProject || listed(policy.enabledProject))
    return undefined
  return { reason: 'not_enabled', sentence: say('unused_not_enabled') }
}

/** A plugin’s server that is started just like one that is there already is that one again, as it is to the CLI (seen with 2.1.325). */
function sameLaunch(server: FoundServer, holders: ReadonlyMap<string, FoundServer>): FoundServer | undefined {
  if (server.scope !== 'plugin') return undefined
  const launch = launchKey(server)
  return [...holders.values()].find((other) => launchKey(other) === launch)
}

function launchKey({ entry, plugin }: FoundServer): string {
  const launch = entry.type === 'stdio' ? [entry.command, ...entry.args] : [entry.url]
  // Two plugins write the same and mean a file of their own.
  const own = launch.some((text) => text.includes('CLAUDE_PLUGIN_')) ? plugin?.root : undefined
  return JSON.stringify([entry.type === 'stdio', own, launch])
}

function offRefusal(server: FoundServer, off: ReadonlySet<string>, policy: McpPolicy): Refusal | undefined {
  const name = foldServerName(server.name)
  if (off.has(name)) return { reason: 'switched_off', sentence: say('unused_switched_off') }
  if (server.scope === 'dorkos') {
    if (server.entry.disabled !== true) return undefined
    return { reason: 'disabled', sentence: say('unused_disabled') }
  }
  if (!(policy.disabled ?? []).some((one) => foldServerName(one) === name)) return undefined
  return { reason: 'disabled', sentence: say('unused_disabled_in_cli') }
}
