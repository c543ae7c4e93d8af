/** One server's entry: from JSON to something that can be started, or to the reasons why it cannot. */
import type { McpEntry, McpScope } from './found-server.ts'
import { type JsonNode, memberOf, repeatedMembers } from './json-tree.ts'
import { urlFault } from './remote-url.ts'

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

const MAX_ARGS = 256
const MAX_PAIRS = 256
const MAX_TEXT = 32_768
const MAX_PATH = 4096
const MAX_TIMEOUT_MS = 24 * 3_600_000

const types: Readonly<Record<string, McpEntry['type']>> = {
  stdio: 'stdio',
  http: 'http',
  sse: 'sse',
  // What other clients call it.
  'streamable-http': 'http',
  streamableHttp: 'http',
}

/** Files that only their owner writes. A project or plugin cannot take its servers out of our hands. */
const ownersScopes: ReadonlySet<McpScope> = new Set(['dorkos', 'local', 'user', 'settings'])

export function parseEntry(node: JsonNode, scope: McpScope): ParsedEntry {
  if (node.kind !== 'object') {
    return { entry: undefined, faults: [{ line: node.line, reason: 'a server must be an object: { … }' }] }
  }
  const repeated = repeatedMembers(node).map(({ key, line }) => ({
    line,
    reason: `${shown(key)} stands there twice; the last one counts`,
  }))
  const reader = new EntryReader(node, scope)
  const entry = reader.read()
  return { entry: reader.faults.length > 0 ? undefined : entry, faults: [...reader.faults, ...repeated] }
}

class EntryReader {
  readonly faults: EntryFault[] = []
  #node: JsonNode
  #scope: McpScope

  constructor(node: JsonNode, scope: McpScope) {
    this.#node = node
    this.#scope = scope
  }

  read(): McpEntry | undefined {
    const type = this.#type()
    if (!type) return undefined
    return type === 'stdio' ? this.#stdio() : this.#remote(type)
  }

  #type(): McpEntry['type'] | undefined {
    const node = memberOf(this.#node, 'type')
    if (!node) return memberOf(this.#node, 'url') && !memberOf(this.#node, 'command') ? 'http' : 'stdio'
    const given = node.kind === 'value' && typeof node.value === 'string' ? node.value : ''
    if (Object.hasOwn(types, given)) return types[given]
    this.#fail(node.line, 'type must be stdio, http or sse')
    return undefined
  }

  #stdio(): McpEntry | undefined {
    const command = this.#text('command', MAX_PATH)
    if (command === undefined && !memberOf(this.#node, 'command')) {
      this.#fail(
        this.#node.line,
        'command is missing: the program to start (or give url for a remote server)',
      )
    }
    if (command?.trim() === '') this.#fail(this.#lineOf('command'), 'command is empty')
    const args = this.#args()
    const env = this.#pairs('env', (name) => !/[=\0]/.test(name), 'is no name for a variable')
    const cwd = this.#text('cwd', MAX_PATH)
    if (cwd === '') this.#fail(this.#lineOf('cwd'), 'cwd is empty')
    const extras = this.#extras()
    if (command === undefined) return undefined
    return { type: 'stdio', command, args, env, ...(cwd !== undefined && { cwd }), ...extras }
  }

  #remote(type: 'http' | 'sse'): McpEntry | undefined {
    const url = this.#text('url', MAX_PATH)
    if (url === undefined && !memberOf(this.#node, 'url')) {
      this.#fail(this.#node.line, 'url is missing: the address of the server')
    }
    // With a variable in it, it is looked at when that has its value.
    const fault = url === undefined || url.includes('${') ? undefined : urlFault(url)
    if (fault) this.#fail(this.#lineOf('url'), fault)
    const headers = this.#pairs('headers', isHeaderName, 'is no name for a header')
    const extras = this.#extras()
    const helper = this.#helper(extras.passthrough === true)
    if (url === undefined) return undefined
    return { type, url, headers, ...(helper !== undefined && { headersHelper: helper }), ...extras }
  }

  #helper(passthrough: boolean): string | undefined {
    const helper = this.#text('headersHelper', MAX_PATH)
    if (helper === undefined || passthrough) return helper
    this.#fail(
      this.#lineOf('headersHelper'),
      ownersScopes.has(this.#scope)
        ? 'headersHelper is not supported, because it runs a command for each connection; give headers instead, or set passthrough: true to leave the server to Claude Code'
        : 'headersHelper is not supported, because it runs a command for each connection; give headers instead',
    )
    return undefined
  }

  #extras(): Pick<McpEntry, 'timeout' | 'passthrough' | 'sharing' | 'modes' | 'disabled'> {
    const own = this.#scope === 'dorkos'
    const timeout = this.#timeout()
    const sharing = this.#oneOf('sharing', ['auto', 'shared', 'session'] as const)
    const passthrough = ownersScopes.has(this.#scope) ? this.#flag('passthrough') : undefined
    const disabled = own ? this.#flag('disabled') : undefined
    const modes = own ? this.#modes() : undefined
    return {
      ...(timeout !== undefined && { timeout }),
      ...(passthrough !== undefined && { passthrough }),
      ...(sharing !== undefined && { sharing }),
      ...(modes !== undefined && { modes }),
      ...(disabled !== undefined && { disabled }),
    }
  }

  #text(key: string, max: number): string | undefined {
    const node = memberOf(this.#node, key)
    return node && this.#textOf(node, key, max)
  }

  #textOf(node: JsonNode, name: string, max: number): string | undefined {
    if (node.kind !== 'value' || typeof node.value !== 'string') {
      this.#fail(node.line, `${name} must be text in double quotes`)
    } else if (node.value.length > max) {
      this.#fail(node.line, `${name} is longer than ${max} characters`)
    } else if (node.value.includes('\0')) {
      this.#fail(node.line, `${name} holds a null character`)
    } else return node.value
    return undefined
  }

  #args(): string[] {
    const node = memberOf(this.#node, 'args')
    if (!node) return []
    if (node.kind !== 'array') {
      this.#fail(node.line, 'args must be a list of texts: ["…", "…"]')
      return []
    }
    if (node.items.length > MAX_ARGS) {
      this.#fail(node.line, `args has more than ${MAX_ARGS} items`)
      return []
    }
    return node.items.map((item, index) => this.#textOf(item, `args[${index}]`, MAX_TEXT) ?? '')
  }

  /** Names and texts; without a prototype, so that no name can mean anything else. */
  #pairs(key: 'env' | 'headers', isName: (name: string) => boolean, wrong: string): Record<string, string> {
    const pairs: Record<string, string> = Object.create(null)
    const node = memberOf(this.#node, key)
    if (!node) return pairs
    if (node.kind !== 'object') {
      this.#fail(node.line, `${key} must be an object of names and texts: { "NAME": "…" }`)
      return pairs
    }
    if (node.members.length > MAX_PAIRS) this.#fail(node.line, `${key} has more than ${MAX_PAIRS} items`)
    else {
      for (const member of node.members) {
        const name = `${key}.${shown(member.key)}`
        if (member.key === '' || member.key.length > 256 || !isName(member.key)) {
          this.#fail(member.line, `${name} ${wrong}`)
        }
        const value = this.#textOf(member.node ?? node, name, MAX_TEXT)
        if (value !== undefined && key === 'headers' && /[\r\n]/.test(value)) {
          this.#fail(member.line, `${name} holds a line break`)
        }
        pairs[member.key] = value ?? ''
      }
    }
    return pairs
  }

  #timeout(): number | undefined {
    const node = memberOf(this.#node, 'timeout')
    if (!node) return undefined
    const value = node.kind === 'value' ? node.value : undefined
    if (Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_TIMEOUT_MS) return Number(value)
    this.#fail(node.line, 'timeout must be milliseconds: a whole number from 1 to 86400000 (a day)')
    return undefined
  }

  #flag(key: string): boolean | undefined {
    const node = memberOf(this.#node, key)
    if (!node) return undefined
    if (node.kind === 'value' && typeof node.value === 'boolean') return node.value
    this.#fail(node.line, `${key} must be true or false`)
    return undefined
  }

  #oneOf<const T extends string>(key: string, values: readonly T[]): T | undefined {
    const node = memberOf(this.#node, key)
    if (!node) return undefined
    const found = values.find((value) => node.kind === 'value' && node.value === value)
    if (!found) this.#fail(node.line, `${key} must be one of ${values.join(', ')}`)
    return found
  }

  #modes(): ('host' | 'container')[] | undefined {
    const node = memberOf(this.#node, 'modes')
    if (!node) return undefined
    const modes = node.kind === 'array' ? node.items.map((item) => item.kind === 'value' && item.value) : []
    const known = (['host', 'container'] as const).filter((mode) => modes.includes(mode))
    if (known.length > 0 && known.length === modes.length) return known
    this.#fail(node.line, 'modes must be a list of host, container or both')
    return undefined
  }

  #lineOf(key: string): number {
    return memberOf(this.#node, key)?.line ?? this.#node.line
  }

  #fail(line: number, reason: string): void {
    this.faults.push({ line, reason })
  }
}

/** RFC 9110's token. */
function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)
}

function shown(key: string): string {
  return JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}…` : key).slice(1, -1)
}
