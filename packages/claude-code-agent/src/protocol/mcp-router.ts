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

/** What the CLI wants to see in answer to a notification. */
const acknowledged = { mcp_response: { jsonrpc: '2.0', result: {}, id: 0 } }

export class McpRouter {
  readonly #options: McpRouterOptions
  readonly #connections = new Map<string, { server: ConnectableServer; connection: ServerConnection }>()

  constructor(options: McpRouterOptions) {
    this.#options = options
  }

  /** Makes the in-process servers exactly these. Servers that stay keep their connection. */
  replace(servers: ReadonlyMap<string, ConnectableServer>): void {
    for (const [name, { server, connection }] of [...this.#connections]) {
      if (servers.get(name) === server) continue
      this.#connections.delete(name)
      connection.close()
    }
    for (const [name, server] of servers) {
      if (this.#connections.has(name)) continue
      this.#connections.set(name, { server, connection: server.connect(this.#link(name)) })
    }
  }

  /** For `initialize`. */
  async manifests(): Promise<Map<string, ServerManifest | undefined>> {
    const entries = [...this.#connections].map(
      async ([name, { connection }]) => [name, await connection.manifest()] as const,
    )
    return new Map(await Promise.all(entries))
  }

  /** Answers one `mcp_message`. */
  handle(request: InboundRequest): unknown {
    const name = String(request.payload.server_name ?? '')
    const message = request.payload.message as JsonRpcMessage
    const entry = this.#connections.get(name)
    if (!entry) return { mcp_response: unknownServer(name, message) }
    return entry.connection
      .handle(message)
      .then((response) => (response ? { mcp_response: response } : acknowledged))
  }

  close(): void {
    for (const { connection } of this.#connections.values()) connection.close()
    this.#connections.clear()
  }

  #link(serverName: string): ServerLink {
    return {
      sessionId: this.#options.sessionId,
      send: (message) => this.#options.send(serverName, message),
      toolCallStarted: (call) => this.#options.toolCallStarted({ serverName, ...call }),
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
