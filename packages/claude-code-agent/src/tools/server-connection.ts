/**
 * The seam between the control channel and in-process MCP servers. One connection joins one server to one session;
 * what the CLI sends in `mcp_message` goes through `handle`.
 */
export type JsonRpcId = string | number

/** A JSON-RPC message of any kind, as MCP carries it. */
export interface JsonRpcMessage {
  jsonrpc: '2.0'
  id?: JsonRpcId
  method?: string
  params?: Record<string, unknown>
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

/** What a session gives to the server that it connects. */
export interface ServerLink {
  /** The session's id: known from the start, and stable. */
  sessionId: string
  /** Sends a notification or request from the server to the CLI. Must not throw. */
  send(message: JsonRpcMessage): void
  /** A tool call begins and ends: the state machine follows these. Must not throw. */
  toolCallStarted?(call: StartedToolCall): void
  toolCallEnded?(toolUseId: string): void
}

export interface StartedToolCall {
  toolUseId: string
  /** The tool's own name, without `mcp__<server>__`. */
  toolName: string
  arguments: Record<string, unknown>
}

/** What `initialize` passes to the CLI so that it can skip the MCP handshake. */
export interface ServerManifest {
  initializeResult: Record<string, unknown>
  toolsListResult: { tools: Record<string, unknown>[] }
}

export interface ServerConnection {
  /** For `initialize`; undefined where the CLI has to ask by the MCP handshake. */
  manifest(): Promise<ServerManifest | undefined>
  /**
   * Handles one message from the CLI. A request resolves to its response, a notification or a response of the
   * CLI's to undefined. Never rejects: failures are JSON-RPC errors or error results.
   */
  handle(message: JsonRpcMessage): Promise<JsonRpcMessage | undefined>
  /** Aborts calls in flight and lets go of the server. */
  close(): void
}
