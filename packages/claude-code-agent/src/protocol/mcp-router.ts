/** Routes `mcp_message` between the CLI and the in-process servers of one session. */
import type {
  JsonRpcMessage,
  ServerConnection,
  ServerLink,
  ServerManifest,
} from '../tools/server-connection.ts'
import type { InboundRequest } from './control-channel.ts'

/** Anything that can be joined to a session; throws a typed error when it cannot. */
export interface ConnectableServer {
  connect(link: ServerLink): ServerConnection
}

interface Refresh {
  done: Promise<void>
  finish(): void
  timer: NodeJS.Timeout
}

export interface ServerChange {
  /** Closes the servers that are no longer wanted. */
  keep(): void
  /** Closes the new ones, and goes on with those from before. */
  undo(): void
}

export interface McpRouterOptions {
  sessionId: string
  /** Sends a server's own message to the CLI. */
  send(serverName: string, message: JsonRpcMessage): void
  toolCallStarted(call: {
    serverName: string
    toolUseId: string
    toolName: string
    arguments: Record<string, unknown>
  }): void
  toolCallEnded(toolUseId: string): void
}

/** How long a changed list of tools may hold up what was sent after the change. */
const refreshTimeoutMs = 2000

/** What the CLI wants to see in answer to a notification. */
const acknowledged = { mcp_response: { jsonrpc: '2.0', result: {}, id: 0 } }

export class McpRouter {
  readonly #options: McpRouterOptions
  readonly #connections = new Map<string, { server: ConnectableServer; connection: ServerConnection }>()
  /** Servers whose tools changed, until the CLI has asked for the new list. */
  readonly #refreshing = new Map<string, Refresh>()
  /** Messages of servers from before the CLI could take them. */
  #early: [serverName: string, message: JsonRpcMessage][] | undefined = []

  constructor(options: McpRouterOptions) {
    this.#options = options
  }

  /**
   * Makes the in-process servers exactly these. Servers that stay keep their connection. When a new one cannot be
   * connected, it throws and everything is as before. The returned change is kept or undone by the caller.
   */
  replace(servers: ReadonlyMap<string, ConnectableServer>): ServerChange {
    const before = new Map(this.#connections)
    const undo = () => {
      for (const [name, { connection }] of this.#connections)
        if (before.get(name)?.connection !== connection) connection.close()
      this.#connections.clear()
      for (const [name, entry] of before) this.#connections.set(name, entry)
    }
    for (const name of before.keys())
      if (before.get(name)?.server !== servers.get(name)) this.#connections.delete(name)
    try {
      for (const [name, server] of servers) {
        if (this.#connections.has(name)) continue
        this.#connections.set(name, { server, connection: server.connect(this.#link(name)) })
      }
    } catch (error) {
      undo()
      throw error
    }
    const keep = () => {
      for (const [name, { connection }] of before)
        if (this.#connections.get(name)?.connection !== connection) connection.close()
    }
    return { keep, undo }
  }

  /** For `initialize`. */
  async manifests(): Promise<Map<string, ServerManifest | undefined>> {
    const entries = [...this.#connections].map(
      async ([name, { connection }]) => [name, await connection.manifest()] as const,
    )
    return new Map(await Promise.all(entries))
  }

  /** The CLI is initialised: servers may speak to it. */
  open(): void {
    const early = this.#early ?? []
    this.#early = undefined
    for (const [serverName, message] of early) this.#send(serverName, message)
  }

  /**
   * While the CLI has not yet taken up a change of tools, a promise of when it has; else undefined. What is sent to it
   * after a change waits for this, so that the next request to the model has the new tools.
   */
  refreshed(): Promise<unknown> | undefined {
    if (this.#refreshing.size === 0) return undefined
    return Promise.all([...this.#refreshing.values()].map((refresh) => refresh.done))
  }

  /** Answers one `mcp_message`. */
  handle(request: InboundRequest): unknown {
    const name = String(request.payload.server_name ?? '')
    const message = request.payload.message as JsonRpcMessage
    const entry = this.#connections.get(name)
    if (!entry) return { mcp_response: unknownServer(name, message) }
    return entry.connection.handle(message).then((response) => {
      if (!response) return acknowledged
      const answer = { mcp_response: response }
      // A tool that changes the tools: the model's next request comes right behind its result.
      const refreshed = message.method === 'tools/call' ? this.refreshed() : undefined
      if (message.method === 'tools/list') this.#listed(name)
      return refreshed ? refreshed.then(() => answer) : answer
    })
  }

  close(): void {
    for (const name of [...this.#refreshing.keys()]) this.#listed(name)
    for (const { connection } of this.#connections.values()) connection.close()
    this.#connections.clear()
  }

  #send(serverName: string, message: JsonRpcMessage): void {
    if (this.#early) {
      this.#early.push([serverName, message])
      return
    }
    if (message.method === 'notifications/tools/list_changed' && !this.#refreshing.has(serverName)) {
      let finish = () => {}
      const done = new Promise<void>((resolve) => {
        finish = resolve
      })
      const timer = setTimeout(() => this.#listed(serverName), refreshTimeoutMs)
      timer.unref()
      this.#refreshing.set(serverName, { done, finish, timer })
    }
    this.#options.send(serverName, message)
  }

  #listed(serverName: string): void {
    const refresh = this.#refreshing.get(serverName)
    if (!refresh) return
    this.#refreshing.delete(serverName)
    clearTimeout(refresh.timer)
    // The list itself goes out first: it is written before anything that waited is let go.
    setImmediate(refresh.finish)
  }

  #link(serverName: string): ServerLink {
    return {
      sessionId: this.#options.sessionId,
      send: (message) => this.#send(serverName, message),
      toolCallStarted: ({ toolUseId, toolName, arguments: given }) =>
        this.#options.toolCallStarted({ serverName, toolUseId, toolName, arguments: given }),
      toolCallEnded: (toolUseId) => this.#options.toolCallEnded(toolUseId),
    }
  }
}

function unknownServer(name: string, message: JsonRpcMessage): JsonRpcMessage {
  return {
    jsonrpc: '2.0',
    id: message?.id ?? 0,
    error: { code: -32601, message: `No in-process MCP server named '${name}'` },
  }
}
