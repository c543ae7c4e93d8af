/** One server's entry: from JSON to something that can be started, or to the reasons why it cannot. */
import type { McpScope } from '@dorkos/shared'
import { type McpEntryInput, mcpEntrySchema } from '@dorkos/shared'
import type { McpEntry } from './found-server.ts'
import { type JsonNode, memberOf, repeatedMembers } from './json-tree.ts'

interface EntryFault {
  line: number
  /** A sentence without a full stop. Never holds a value of `env` or `headers`. */
  reason: string
}

export interface ParsedEntry {
  /** Undefined when it cannot be used. */
  entry: McpEntry | undefined
  faults: EntryFault[]
}

/** What other clients call it. */
const otherTypes: ReadonlyMap<unknown, string> = new Map([
  ['streamable-http', 'http'],
  ['streamableHttp', 'http'],
])

/** Files that only their owner writes. A project or plugin cannot take its servers out of our hands. */
const ownersScopes: ReadonlySet<McpScope> = new Set(['dorkos', 'local', 'user', 'settings'])

export function parseEntry(node: JsonNode, scope: McpScope): ParsedEntry {
  if (node.kind !== 'object')
    return { entry: undefined, faults: [{ line: node.line, reason: 'a server must be an object: { … }' }] }
  const repeated = repeatedMembers(node).map(({ key, line }) => ({
    line,
    reason: `${shown(key)} stands there twice; the last one counts`,
  }))
  const { entry, faults } = readEntry(node, scope)
  return { entry: faults.length > 0 ? undefined : entry, faults: [...faults, ...repeated] }
}

function readEntry(node: JsonNode, scope: McpScope): { entry?: McpEntry; faults: EntryFault[] } {
  const type = typeOf(node)
  const given = Object.fromEntries(
    meantKeys(type, scope).flatMap((key) => {
      const value = memberOf(node, key)
      return value ? [[key, plainValue(value)]] : []
    }),
  )
  const helper = isRemote(type) ? memberOf(node, 'headersHelper') : undefined
  const { data, error } = mcpEntrySchema.safeParse({ ...given, type })
  const faults = [
    ...missingFaults(node, type),
    ...schemaFaults(node, error?.issues ?? []),
    ...nameFaults(node, type === 'stdio' ? 'env' : 'headers'),
    ...(helper && data?.passthrough !== true ? [helperFault(helper.line, scope)] : []),
  ]
  if (!data) return { faults }
  const command = helper?.kind === 'value' ? String(helper.value) : undefined
  return { entry: toEntry(data, command), faults }
}

/** Other keys are for other programs, or not this file's to say: they mean nothing here. */
function meantKeys(type: unknown, scope: McpScope): string[] {
  if (type !== 'stdio' && !isRemote(type)) return []
  return [
    ...(type === 'stdio' ? ['command', 'args', 'env', 'cwd'] : ['url', 'headers']),
    'timeout',
    'sharing',
    ...(ownersScopes.has(scope) ? ['passthrough'] : []),
    ...(scope === 'dorkos' ? ['disabled', 'modes'] : []),
  ]
}

function typeOf(node: JsonNode): unknown {
  const given = memberOf(node, 'type')
  if (!given) return memberOf(node, 'url') && !memberOf(node, 'command') ? 'http' : 'stdio'
  const type = plainValue(given)
  return otherTypes.get(type) ?? type
}

function isRemote(type: unknown): boolean {
  return type === 'http' || type === 'sse'
}

function missingFaults(node: JsonNode, type: unknown): EntryFault[] {
  if (type === 'stdio' && !memberOf(node, 'command'))
    return [
      {
        line: node.line,
        reason: 'command is missing: the program to start (or give url for a remote server)',
      },
    ]
  if (isRemote(type) && !memberOf(node, 'url'))
    return [{ line: node.line, reason: 'url is missing: the address of the server' }]
  return []
}

/** Those about the entry as a whole are only about what is missing. */
function schemaFaults(
  node: JsonNode,
  issues: readonly { path: PropertyKey[]; message: string }[],
): EntryFault[] {
  const faults = new Map<string, EntryFault>()
  for (const { path, message } of issues) {
    const [key, ...rest] = path.map(String)
    if (key === undefined) continue
    const isList = memberOf(node, key)?.kind === 'array'
    const name =
      key === 'modes'
        ? key
        : [key, ...rest.map((part) => (isList ? `[${part}]` : `.${shown(part)}`))].join('')
    const reason = `${name} ${message}`
    faults.set(reason, { line: lineAt(node, path), reason })
  }
  return [...faults.values()]
}

/** A name that no object of names and texts can hold. */
function nameFaults(node: JsonNode, key: 'env' | 'headers'): EntryFault[] {
  const pairs = memberOf(node, key)
  const line = memberOf(pairs, '__proto__')?.line
  return line === undefined ? [] : [{ line, reason: `${key}.__proto__ cannot be used as a name` }]
}

function helperFault(line: number, scope: McpScope): EntryFault {
  const instead = ownersScopes.has(scope)
    ? 'give headers instead, or set passthrough: true to leave the server to Claude Code'
    : 'give headers instead'
  return {
    line,
    reason: `headersHelper is not supported, because it runs a command for each connection; ${instead}`,
  }
}

function toEntry(data: McpEntryInput, headersHelper: string | undefined): McpEntry {
  const { type = 'stdio', command = '', args = [], env, cwd, url = '', headers, ...extras } = data
  return type === 'stdio'
    ? { type, command, args, env: bare(env), ...(cwd !== undefined && { cwd }), ...extras }
    : { type, url, headers: bare(headers), ...(headersHelper !== undefined && { headersHelper }), ...extras }
}

/** Without a prototype, so that no name can mean anything else. */
function bare(pairs: Record<string, string> = {}): Record<string, string> {
  return Object.assign(Object.create(null), pairs)
}

/** What lies deeper than an entry goes is no part of one. */
function plainValue(node: JsonNode | undefined, depth = 0): unknown {
  if (!node || depth > 2) return undefined
  if (node.kind === 'value') return node.value
  if (node.kind === 'array') return node.items.map((item) => plainValue(item, depth + 1))
  return Object.fromEntries(node.members.map(({ key, node: value }) => [key, plainValue(value, depth + 1)]))
}

function lineAt(node: JsonNode, path: readonly PropertyKey[]): number {
  let at: JsonNode | undefined = node
  let line = node.line
  for (const part of path) {
    at = at?.kind === 'array' ? at.items[Number(part)] : memberOf(at, String(part))
    line = at?.line ?? line
  }
  return line
}

function shown(key: string): string {
  return JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}…` : key).slice(1, -1)
}
