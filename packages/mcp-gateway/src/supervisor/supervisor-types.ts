/** The supervisor's contract: each server runs once, is watched, and is never given up on. */
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { ServerEntry } from '../server-entry.ts'
import type { ServerStatus } from '../server-status.ts'
import type { UpstreamCredentials } from '../upstream/credentials.ts'
import type { Holder, ServerChange, ServerHold } from './supervised-server.ts'

export interface SupervisorClock {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds that only ever grow. */
  monotonic(): number
  /** Calls back once; returns what cancels it. */
  after(ms: number, callback: () => void): () => void
}

export interface SupervisorLogger {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
}

export interface SupervisorOptions {
  /** Found again by this word after a crash: processes of an earlier run that bear it are ended by `sweep()`. */
  mark: string
  clock?: SupervisorClock
  logger?: SupervisorLogger
  /** Between 0 and 1, for the jitter of retries. */
  random?: () => number
  /** How long a start may take until it counts as failed (default one minute: `npx` may download first). */
  connectTimeoutMs?: number
  /** How long a server that nobody holds is kept (default five minutes). */
  idleMs?: number
  /** How long a connection that serves one holder is kept without a call (default half an hour). */
  ownIdleMs?: number
  /** How many of those there may be at once, over all servers (default 32); at the limit the longest idle one is ended. */
  mostOwn?: number
  /** Servers that were seen to ask for input in an earlier run, by key. */
  knownToAsk?: Iterable<string>
  /** For servers that a person can sign in to, signed in or not; asked once for each server. */
  credentialsOf?(entry: ServerEntry): UpstreamCredentials | undefined
}

export interface Supervisor {
  /** Starts the server unless it runs. Returns at once: a hung server holds up nobody. */
  hold(entry: ServerEntry, holder: Holder): ServerHold
  /** The key that the entry's status goes by: its name, and a hash of how it is started. */
  keyOf(entry: ServerEntry): string
  /** Every server that runs, starts, failed, or is kept for a while. */
  list(): ServerStatus[]
  get(key: string): ServerStatus | undefined
  /** What the server last offered; empty for one that is not known. */
  catalogue(key: string): Catalogue
  /** Ends what runs and tries anew at once, also after `needs_auth`. Resolves when it is connected or has failed once. */
  reconnect(key: string): Promise<ServerStatus | undefined>
  /** Ends a server that nobody holds, and forgets it: it was taken out, or may not run any more. False when somebody holds it. */
  end(key: string): Promise<boolean>
  onChange(listener: (key: string, change: ServerChange) => void): () => void
  /** Ends processes that an earlier run with this mark left; resolves with their number. */
  sweep(): Promise<number>
  /** Every process is gone when this resolves. */
  close(): Promise<void>
}
