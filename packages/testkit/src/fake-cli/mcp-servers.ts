import type { HostRequests } from './host-requests.ts'
import { handshake, listTools, readManifest } from './mcp-handshake.ts'
import type { JsonObject } from './scenario.ts'

interface Server {
  name: string
  config: JsonObject
  status: 'pending' | 'connected' | 'failed' | 'disabled'
  tools: JsonObject[]
  serverInfo?: unknown
  error?: string
  /** Set by mcp_set_servers. */
  dynamic: boolean
}

/** How long a turn waits for servers that do not answer: the real CLI's time. */
const readyTimeoutMs = 30_000

/** The MCP servers of this session: those of the host's process are asked over the control channel. */
export class McpServers {
  readonly #requests: HostRequests
  readonly #version: string
  readonly #servers = new Map<string, Server>()
  readonly #connecting = new Set<Promise<void>>()
  /** By server name, known or not. JSON-RPC ids 0 and 1 are the handshake's. */
  readonly #nextIds = new Map<string, number>()

  constructor(requests: HostRequests, version: string) {
    this.#requests = requests
    this.#version = version
  }

  /** Servers named in `initialize`; returns what became of each manifest. */
  announce(names: string[], manifests: JsonObject): JsonObject {
    const parked: JsonObject = {}
    for (const name of names) {
      const manifest = manifests[name]
      if (this.#servers.has(name)) {
        if (manifest !== undefined) parked[name] = 'already_connected'
        continue
      }
      const server = this.#add(name, { type: 'sdk', name }, false)
      const known = manifest === undefined ? undefined : readManifest(manifest)
      if (typeof known === 'object') Object.assign(server, known, { status: 'connected' })
      else this.#connect(server)
      if (known !== undefined) parked[name] = typeof known === 'object' ? 'parked' : known
    }
    return parked
  }

  configure(configs: Record<string, JsonObject>, dynamic = false): void {
    for (const [name, config] of Object.entries(configs)) this.#connect(this.#add(name, config, dynamic))
  }

  /** Replaces those that were set so before, and all of the host's process, as the real CLI does (2.1.325). */
  replaceDynamic(configs: Record<string, JsonObject>): JsonObject {
    const replaced = [...this.#servers.values()].filter(
      (server) => server.dynamic || server.config.type === 'sdk',
    )
    const removed = replaced.map((server) => server.name).filter((name) => !(name in configs))
    for (const name of removed) this.#servers.delete(name)
    const added = Object.entries(configs).filter(([name]) => !this.#servers.has(name))
    this.configure(Object.fromEntries(added), true)
    return { added: added.map(([name]) => name), removed, errors: {} }
  }

  reconnect(name: string): void {
    this.#connect(this.#find(name))
  }

  toggle(name: string, enabled: boolean): void {
    this.#find(name).status = enabled ? 'connected' : 'disabled'
  }

  /** The host said that a server's tools changed. */
  relist(name: string): void {
    const server = this.#find(name)
    this.#track(
      server,
      listTools(this.#requests, name, this.nextId(name)).then((tools) => {
        server.tools = tools
      }),
    )
  }

  /** Resolves when no server is connecting, or after 30 s. */
  async ready(): Promise<void> {
    if (this.#connecting.size === 0) return
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, readyTimeoutMs)
    })
    await Promise.race([Promise.all(this.#connecting), patience])
    clearTimeout(timer)
  }

  /** The next JSON-RPC id on this server's connection. */
  nextId(name: string): number {
    const id = this.#nextIds.get(name) ?? 2
    this.#nextIds.set(name, id + 1)
    return id
  }

  /** As the model sees them: `mcp__<server>__<tool>`. */
  toolNames(): string[] {
    return [...this.#servers.values()]
      .filter((server) => server.status === 'connected')
      .flatMap((server) => server.tools.map((tool) => `mcp__${server.name}__${String(tool.name)}`))
  }

  forInit(): JsonObject[] {
    return [...this.#servers.values()].map(({ name, status, config }) => ({
      name,
      status,
      source: sourceOf(config),
    }))
  }

  forStatus(): JsonObject[] {
    return [...this.#servers.values()].map((server) => ({
      name: server.name,
      status: server.status,
      ...(server.error !== undefined && { error: server.error }),
      ...(server.serverInfo !== undefined && { serverInfo: server.serverInfo }),
      config: server.config,
      transport: server.config.type ?? 'stdio',
      scope: 'dynamic',
      source: sourceOf(server.config),
      tools: server.tools.map((tool) => ({ name: tool.name, annotations: tool.annotations ?? {} })),
    }))
  }

  #add(name: string, config: JsonObject, dynamic: boolean): Server {
    const server: Server = { name, config, status: 'pending', tools: [], dynamic }
    this.#servers.set(name, server)
    return server
  }

  #connect(server: Server): void {
    if (server.config.type !== 'sdk') {
      // External servers are not started: they count as connected, with no tools.
      server.status = 'connected'
      return
    }
    const shaken = handshake(this.#requests, server.name, this.#version)
    this.#track(
      server,
      shaken.then((known) => {
        Object.assign(server, known, { status: 'connected' })
      }),
    )
  }

  #track(server: Server, work: Promise<void>): void {
    const tracked: Promise<void> = work
      .catch((error: unknown) => {
        server.status = 'failed'
        server.error = error instanceof Error ? error.message : String(error)
      })
      .finally(() => this.#connecting.delete(tracked))
    this.#connecting.add(tracked)
  }

  #find(name: string): Server {
    const server = this.#servers.get(name)
    if (server === undefined) throw new Error(`Server not found: ${name}`)
    return server
  }
}

function sourceOf(config: JsonObject): string {
  return config.type === 'sdk' ? 'sdk' : 'dynamic'
}
