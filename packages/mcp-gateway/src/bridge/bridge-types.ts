/**
 * How a bridged server reaches a session: as an in-process MCP server that speaks JSON-RPC over a link. The shapes are those that
 * `claude-code-agent` takes in `mcpServers`; this package does not import it.
 */
import type { CatalogueTool } from '../catalogue/catalogue.ts'
import type { ServerHold } from '../supervisor/supervised-server.ts'

export interface JsonRpcMessage {
  jsonrpc: '2.0'
  id?: string | number
  method?: string
  params?: Record<string, unknown>
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

export interface SessionLink {
  sessionId: string
  /** Sends a notification to the session. Must not throw. */
  send(message: JsonRpcMessage): void
  toolCallStarted?(call: { toolUseId: string; toolName: string; arguments: Record<string, unknown> }): void
  toolCallEnded?(toolUseId: string): void
}

export interface SessionConnection {
  /** What the session is given at its start. Never waits for the server: its tools come with a `list_changed` later. */
  manifest(): Promise<{
    initializeResult: Record<string, unknown>
    toolsListResult: { tools: Record<string, unknown>[] }
  }>
  /** A request resolves to its response, a notification to undefined. Never rejects. */
  handle(message: JsonRpcMessage): Promise<JsonRpcMessage | undefined>
  close(): void
}

export interface BridgedServer {
  readonly type: 'sdk'
  readonly name: string
  readonly timeout: number | undefined
  connect(link: SessionLink): SessionConnection
}

export interface BridgeOptions {
  /** As in `mcp__<name>__<tool>`. */
  name: string
  /** Taken for each connection and released with it. */
  hold(sessionId: string): ServerHold
  /** Which tools this session is offered (switched off, held back until reviewed): asked for each list and before each call. */
  offers?(tool: CatalogueTool): boolean
  /** Whether this session is given these instructions of the server; yes unless given. Asked for each handshake, and at each change. */
  offersInstructions?(text: string): boolean
  /** The answer of `offers` or `offersInstructions` may be different now. Returns what ends it. */
  onOfferChange?(listener: () => void): () => void
  /**
   * What a session was given in the handshake is no longer so: the server's instructions, or whether it has resources at all. Claude Code
   * (2.1.325) asks again only when the server is taken out of the session and put in again, which is best done between turns. Tools and prompts
   * need none of this.
   */
  onHandshakeOutdated?(sessionId: string): void
  /**
   * The names of the tools that a session is offered now: reported whenever it gets the list, or hears that it changed. Claude Code (2.1.325)
   * takes up a tool that is new. One that was withdrawn it refuses to call, but shows to the model for as long as its process lives. The
   * definition of a tool stays the first one for the whole conversation, also when it is resumed.
   */
  onTools?(sessionId: string, names: readonly string[]): void
}
