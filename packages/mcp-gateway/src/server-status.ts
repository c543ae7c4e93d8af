/** How a server does, for people: what the state is, since when, why, and what it did. Plain data, safe to send anywhere. */

/**
 * `stopped`: nobody needs it now. `pending`: it is being started, or waits for its next try. `needs_auth`: it answered 401, so trying
 * again helps nobody until its credentials change.
 */
export type ServerState = 'stopped' | 'pending' | 'connected' | 'failed' | 'needs_auth'

export interface ServerStateChange {
  state: ServerState
  /** Epoch milliseconds. */
  time: number
  reason?: string
}

export interface ToolStats {
  calls: number
  errors: number
  /** Milliseconds of the calls that are remembered (the last 200): middle and 95th percentile. */
  p50Ms: number | undefined
  p95Ms: number | undefined
  lastMs: number | undefined
}

export interface ServerStatus {
  /** Differs for entries of one name that are started differently. */
  key: string
  name: string
  state: ServerState
  since: number
  /** The last failure, kept until the next connection. */
  error: string | undefined
  /** The last lines of its standard error output. */
  stderr: readonly string[]
  /** Process ids of a server on this machine: of the one that is shared, then of those that serve one session each. */
  pids: readonly number[]
  /** How many connections serve one session each. */
  ownConnections: number
  /** From the start of the last successful try to the first list of tools. */
  connectMs: number | undefined
  /** When the next try is due. */
  nextTryAt: number | undefined
  /** Tries since the last connection. */
  failures: number
  serverInfo: { name: string; version: string; title?: string } | undefined
  protocolVersion: string | undefined
  tools: number
  resources: number
  prompts: number
  /** Sessions that hold it. */
  sessions: number
  /** It has asked a person for input: every session gets its own from now on. */
  asksForInput: boolean
  /** Newest last, at most 50. */
  history: readonly ServerStateChange[]
  stats: Readonly<Record<string, ToolStats>>
}
