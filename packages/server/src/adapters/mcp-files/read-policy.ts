/** What settings files of Claude Code say about MCP servers, and how the word of several files becomes one. */
import type { McpMatcher, McpPolicy, SourceFault } from '../../core/mcp/found-server.ts'
import { type JsonNode, memberOf } from '../../core/mcp/json-tree.ts'
import type { ReadTree, SourceFile } from './source-files.ts'

/** One file's word. */
export interface PolicyPart {
  enabled?: string[]
  enableAll?: boolean
  disabled: string[]
  allowed?: McpMatcher[]
  denied: McpMatcher[]
  /** By `<plugin>@<marketplace>`. */
  plugins: Map<string, boolean>
  faults: SourceFault[]
}

const MAX_ITEMS = 1000

/** What can be read of a broken file still restricts; it opens nothing. */
export function readPolicy({ root, broken }: ReadTree, source: SourceFile): PolicyPart {
  const faults: SourceFault[] = []
  const fail = (line: number, reason: string) =>
    faults.push({ file: source.file, scope: source.scope, line, reason })
  const names = (key: string) => {
    const list = listAt(root, key, fail)
    return list?.flatMap((node) => {
      if (node.kind === 'value' && typeof node.value === 'string') return [node.value]
      fail(node.line, `${key} must be a list of names.`)
      return []
    })
  }
  const matchers = (key: 'allowedMcpServers' | 'deniedMcpServers') =>
    listAt(root, key, fail)?.flatMap((node) => {
      const matcher = toMatcher(node)
      const shape = '{ "serverName": "…" }, { "serverCommand": ["…"] } or { "serverUrl": "…" }'
      if (!matcher) fail(node.line, `${key}: each item must be ${shape}.`)
      if (matcher) return [{ ...matcher, file: source.file }]
      // A name alone is no item to the CLI, but there is no doubt about what it denies.
      const plain = key === 'deniedMcpServers' && node.kind === 'value' && typeof node.value === 'string'
      return plain ? [{ serverName: String(node.value), file: source.file }] : []
    })
  const enabled = names('enabledMcpjsonServers')
  const enableAll = broken ? undefined : flagAt(root, 'enableAllProjectMcpServers')
  const allowed = matchers('allowedMcpServers')
  return {
    ...(enabled && { enabled }),
    ...(enableAll !== undefined && { enableAll }),
    disabled: names('disabledMcpjsonServers') ?? [],
    ...(allowed && { allowed }),
    denied: matchers('deniedMcpServers') ?? [],
    plugins: readPlugins(root, broken),
    faults,
  }
}

/** Files of one author: their lists are one list. */
export function joinParts(parts: readonly PolicyPart[]): PolicyPart {
  const enabled = parts.flatMap((part) => (part.enabled ? [part.enabled] : []))
  const enableAll = parts.findLast((part) => part.enableAll !== undefined)?.enableAll
  const allowed = parts.flatMap((part) => (part.allowed ? [part.allowed] : []))
  return {
    ...(enabled.length > 0 && { enabled: enabled.flat() }),
    ...(enableAll !== undefined && { enableAll }),
    disabled: parts.flatMap((part) => part.disabled),
    ...(allowed.length > 0 && { allowed: allowed.flat() }),
    denied: parts.flatMap((part) => part.denied),
    plugins: new Map(parts.flatMap((part) => [...part.plugins])),
    faults: parts.flatMap((part) => part.faults),
  }
}

export interface PolicyParts {
  managed: PolicyPart
  /** Files that only the owner writes: their settings, and what `.claude.json` keeps for the project. */
  owner: readonly PolicyPart[]
  /** Files of the workspace, its local settings included: a clone can bring them, and an agent can write them. */
  workspace: readonly PolicyPart[]
}

/**
 * Files restrict together: what one denies or disables is denied, and a server must be on every list of allowed ones. Files of the workspace
 * restrict the servers of the workspace alone.
 *
 * The CLI joins the lists of enabled project servers of all files. We do not: whoever may write in the workspace could add to them what
 * its owner left out. Where the owner has a list (or enables all), that stands alone; otherwise the workspace's own list counts, and
 * narrows what trusting it would bring. Nothing is lost by this: a trusted workspace gets all of its servers where nobody says otherwise.
 */
export function joinPolicy({ managed, owner, workspace }: PolicyParts): McpPolicy {
  const owners = [managed, ...owner]
  const all = [...owners, ...workspace]
  const spoken = owners.some((part) => part.enabled || part.enableAll !== undefined)
  const deciding = spoken ? owners : workspace
  const lists = deciding.flatMap((part) => (part.enabled ? [part.enabled] : []))
  const allowedBy = (parts: readonly PolicyPart[]) =>
    parts.flatMap((part) => (part.allowed ? [part.allowed] : []))
  const allowed = allowedBy(owners)
  const ofWorkspace = {
    allowed: allowedBy(workspace),
    denied: workspace.flatMap((part) => part.denied),
  }
  return {
    ...(lists.length > 0 && { enabledProject: lists.flat() }),
    ...(deciding.some((part) => part.enableAll) && { enableAllProject: true }),
    disabledProject: all.flatMap((part) => part.disabled),
    ...(allowed.length > 0 && { allowed }),
    denied: owners.flatMap((part) => part.denied),
    ...((ofWorkspace.allowed.length > 0 || ofWorkspace.denied.length > 0) && { ofWorkspace }),
  }
}

function listAt(
  root: JsonNode | undefined,
  key: string,
  fail: (line: number, reason: string) => void,
): JsonNode[] | undefined {
  const node = memberOf(root, key)
  if (!node) return undefined
  if (node.kind !== 'array') {
    fail(node.line, `${key} must be a list.`)
    // It was meant to restrict, so it is not taken for absent.
    return []
  }
  if (node.items.length > MAX_ITEMS) fail(node.line, `Only the first ${MAX_ITEMS} items of ${key} are read.`)
  return node.items.slice(0, MAX_ITEMS)
}

function flagAt(root: JsonNode | undefined, key: string): boolean | undefined {
  const node = memberOf(root, key)
  return node?.kind === 'value' && typeof node.value === 'boolean' ? node.value : undefined
}

function textAt(node: JsonNode, key: string): string | undefined {
  const inner = memberOf(node, key)
  return inner?.kind === 'value' && typeof inner.value === 'string' ? inner.value : undefined
}

function toMatcher(node: JsonNode): McpMatcher | undefined {
  if (node.kind !== 'object') return undefined
  const serverName = textAt(node, 'serverName')
  if (serverName !== undefined) return { serverName }
  const serverUrl = textAt(node, 'serverUrl')
  if (serverUrl !== undefined) return { serverUrl }
  const command = memberOf(node, 'serverCommand')
  if (command?.kind !== 'array' || command.items.length === 0) return undefined
  const parts = command.items.map((item) => (item.kind === 'value' ? item.value : undefined))
  return parts.every((part) => typeof part === 'string') ? { serverCommand: parts } : undefined
}

function readPlugins(root: JsonNode | undefined, broken: boolean): Map<string, boolean> {
  const node = memberOf(root, 'enabledPlugins')
  const plugins = new Map<string, boolean>()
  for (const { key, node: value } of node?.kind === 'object' ? node.members.slice(0, MAX_ITEMS) : []) {
    // The CLI also takes a list of versions for yes.
    const on = value?.kind === 'array' || (value?.kind === 'value' && value.value === true)
    plugins.set(key, on && !broken)
  }
  return plugins
}
