/** One MCP server as its users see it, whether it runs, starts or fails. */
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { ServerEntry } from '../server-entry.ts'
import type { ServerStatus } from '../server-status.ts'

export interface ElicitationRequest {
  server: string
  message: string
  /** For a form; absent where the person is to visit a page. */
  schema: Record<string, unknown> | undefined
  url: string | undefined
  /** Aborted when the server no longer waits. */
  signal: AbortSignal
}

export type ElicitationResult = {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, unknown>
}

/** Who uses a server. */
export interface Holder {
  /** A session's id, or any word that stays the same for one user of it. */
  id: string
  /** Answers what the server asks a person. Without it, nothing can be asked on this holder's behalf. */
  onElicitation?(request: ElicitationRequest): Promise<ElicitationResult>
  /** The connection that served this holder alone has ended, with all that the server kept in it. The next call opens another. */
  onOwnEnd?(end: OwnEnd): void
}

/** `idle`: it was not used for long. `room`: another holder needed one. `failed`: the server ended it, or could not be started. */
export type OwnEnd = { reason: 'idle' } | { reason: 'room' } | { reason: 'failed'; error: string }

export interface ToolCallOptions {
  signal?: AbortSignal
  /**
   * Called when the connection is open, right before the request is sent: what it throws is how the call fails. What the server offers may
   * be different by then from what it was when the call was made.
   */
  check?(): void
  /** `notifications/progress` of this call, without its token. */
  onProgress?(progress: Record<string, unknown>): void
}

export type ServerChange =
  | { type: 'status' }
  /** To holders: the connection that their calls go to is a new one, which knows nothing of what was asked before. */
  | { type: 'connected' }
  /** Tools, resources or prompts are different now. */
  | { type: 'catalogue' }
  /** A resource that somebody subscribed to has changed. */
  | { type: 'resource_updated'; uri: string }

/** A holder's hold on a server. */
export interface ServerHold {
  readonly entry: ServerEntry
  /** Of all connections of the entry. */
  status(): ServerStatus
  /**
   * What was last known of the connection that all share, or of the holder's own while it has one; empty before the first connection. It
   * stays while the server is away.
   */
  catalogue(): Catalogue
  /**
   * Sends a request and resolves with its result as the server gave it. While the server is starting, it waits for it, up to
   * `timeoutMs`. Rejects with McpCallError.
   */
  request(
    method: string,
    params: Record<string, unknown>,
    options?: ToolCallOptions,
  ): Promise<Record<string, unknown>>
  /** Calls come on no particular stack; must not throw. Returns what ends it. */
  onChange(listener: (change: ServerChange) => void): () => void
  release(): void
}
