/** A server as it was found → what the supervisor starts, or what is left to the CLI. Pure. */

import { isAbsolute, resolve } from 'node:path'
import type { Launch, ServerEntry } from '@dorkos/mcp-gateway'
import type { McpScope, McpSharing } from '@dorkos/shared'
import { decideSharing, type SharingDecision } from './decide-sharing.ts'
import { type ExpandResult, expandVariables } from './expand-variables.ts'
import type { FoundServer, McpEntry } from './found-server.ts'

export interface LaunchParts {
  /** The server's own environment. */
  env: Readonly<Record<string, string | undefined>>
  /** Names that entries may refer to, and names that servers get besides the fixed ones. */
  expandEnv: readonly string[]
  passEnv: readonly string[]
  workspaceId: string | undefined
  /** Its directory. */
  workspacePath: string | undefined
  ownerHome: string
  callTimeoutMs: number
  /** What a person chose for a server here. */
  chosenSharing(server: string): McpSharing | undefined
}

export type LaunchPlan =
  /** `sharing` is absent for what runs DorkOS's own tools: nobody decides that. */
  | { kind: 'bridged'; entry: ServerEntry; sharing?: SharingDecision }
  /** As the CLI takes it. */
  | { kind: 'passthrough'; config: Record<string, unknown> }
  | { kind: 'unusable'; sentence: string }

/** What programs need to work at all, to find their files, and to get through a company's proxy. No secret has one of these names. */
const fixedEnv = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
]
/** What the owner wrote for all workspaces. What others write, or an agent in a workspace can, shares no sign-in with these. */
const ownScopes: ReadonlySet<McpScope> = new Set(['dorkos', 'user', 'settings'])
/** Named in an entry, it would undo what the supervisor relies on. */
const ownVariable = /^DORKOS_/

/** The entry with its variables put in. */
export function expandServer({ entry, plugin }: FoundServer, parts: LaunchParts): ExpandResult {
  return expandVariables({
    entry,
    allowed: new Set([...fixedEnv, ...parts.expandEnv]),
    lookUp: (name) => parts.env[name],
    ...(plugin && { known: { CLAUDE_PLUGIN_ROOT: plugin.root, CLAUDE_PLUGIN_DATA: plugin.data } }),
  })
}

export function planLaunch(server: FoundServer, parts: LaunchParts): LaunchPlan {
  const expanded = expandServer(server, parts)
  if (!expanded.entry) return { kind: 'unusable', sentence: expanded.sentence }
  const { entry } = expanded
  if (entry.type === 'stdio') {
    const own = Object.keys(entry.env).find((name) => ownVariable.test(name))
    if (own !== undefined)
      return { kind: 'unusable', sentence: `It sets ${own}; variables of that kind are DorkOS’s own.` }
  }
  if (entry.passthrough) return { kind: 'passthrough', config: cliConfig(entry) }
  const secrets = [
    ...Object.values(entry.type === 'stdio' ? entry.env : entry.headers),
    ...passedValues(parts),
  ]
  const sharing = decideSharing(entry, parts.chosenSharing(server.name))
  return {
    kind: 'bridged',
    sharing,
    entry: {
      name: server.name,
      launch: launchOf(server, entry, parts),
      ...(entry.type !== 'stdio' && !ownScopes.has(server.scope) && { audience: parts.workspaceId ?? '' }),
      sharing: sharing.sharing,
      timeoutMs: entry.timeout ?? parts.callTimeoutMs,
      secrets,
    },
  }
}

function launchOf(server: FoundServer, entry: McpEntry, parts: LaunchParts): Launch {
  if (entry.type !== 'stdio') return { type: entry.type, url: entry.url, headers: entry.headers }
  const { command, args } = entry
  return {
    type: 'stdio',
    command,
    args,
    env: { ...environment(parts), ...folderVariables(server, parts), ...entry.env },
    cwd: directory(server, entry.cwd, parts),
  }
}

/** As the CLI informs servers where they belong. */
function folderVariables(
  { plugin, scope }: FoundServer,
  { workspacePath }: LaunchParts,
): Record<string, string> {
  return {
    ...(plugin && { CLAUDE_PLUGIN_ROOT: plugin.root, CLAUDE_PLUGIN_DATA: plugin.data }),
    ...(workspacePath !== undefined && scope !== 'dorkos' && { CLAUDE_PROJECT_DIR: workspacePath }),
  }
}

/** Where the CLI would start it; one of DorkOS's own is the same for every workspace, and so is its directory. */
function directory(server: FoundServer, cwd: string | undefined, parts: LaunchParts): string {
  const base = server.scope === 'dorkos' ? parts.ownerHome : (parts.workspacePath ?? parts.ownerHome)
  if (cwd === undefined) return base
  return isAbsolute(cwd) ? cwd : resolve(base, cwd)
}

function environment({ env, passEnv }: LaunchParts): Record<string, string> {
  const names = new Set([...fixedEnv, ...passEnv.filter((name) => !ownVariable.test(name))])
  return Object.fromEntries([...names].flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
}

/** What the owner hands on of the server's environment may be as secret as what an entry sets. */
function passedValues({ env, passEnv }: LaunchParts): string[] {
  const names = passEnv.filter((name) => !fixedEnv.includes(name) && !ownVariable.test(name))
  return names.flatMap((name) => env[name] ?? [])
}

function cliConfig(entry: McpEntry): Record<string, unknown> {
  const timeout = entry.timeout === undefined ? {} : { timeout: entry.timeout }
  if (entry.type !== 'stdio') {
    const { type, url, headers, headersHelper } = entry
    return { type, url, headers, ...(headersHelper !== undefined && { headersHelper }), ...timeout }
  }
  return { type: 'stdio', command: entry.command, args: entry.args, env: entry.env, ...timeout }
}
