/** One connection to a server, kept up: opened, watched, opened again after a failure, and never given up on. */
import { isDeepStrictEqual } from 'node:util'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { cleanCatalogue } from '../catalogue/clean-catalogue.ts'
import { McpCallError } from '../errors.ts'
import type { ServerEntry } from '../server-entry.ts'
import type { ServerState } from '../server-status.ts'
import type { UpstreamCredentials } from '../upstream/credentials.ts'
import type { Redact } from '../upstream/redactor.ts'
import { ShownStderr } from '../upstream/shown-stderr.ts'
import { Upstream, type UpstreamInfo } from '../upstream/upstream.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import { ListRefresh } from './list-refresh.ts'
import { lastingMs, nextRetry } from './retry-schedule.ts'
import { noLists, readLists, type ServerLists } from './server-lists.ts'
import type { ElicitationResult } from './supervised-server.ts'
import type { SupervisorClock } from './supervisor-types.ts'

/** How often a server that is reached by HTTP is asked for a sign of life: nothing else shows that it is gone. */
const signOfLifeMs = 60_000

export interface ConnectionOptions {
  entry: ServerEntry
  mark: string
  clock: SupervisorClock
  random: () => number
  connectTimeoutMs: number
  redact: Redact
  /** Where a person can sign in to it. */
  credentials: UpstreamCredentials | undefined
  /** What is known from an earlier connection. */
  catalogue: Catalogue
  /** Whether it is tried again after a failure; otherwise it stays failed. */
  retries: boolean
  /** What has to be gone before the first try. */
  after: Promise<void>
  /** Whether somebody is there who can be asked; checked when the connection is opened. */
  canAsk(): boolean
  ask(params: Record<string, unknown>, signal: AbortSignal): Promise<ElicitationResult>
  onStatus(): void
  onConnected(): void
  onCatalogue(): void
  onResourceUpdated(uri: string): void
}

export class WatchedConnection {
  state: ServerState = 'pending'
  error: string | undefined
  failures = 0
  nextTryAt: number | undefined
  connectMs: number | undefined
  info: UpstreamInfo | undefined
  catalogue: Catalogue
  /** Resolves when it has connected or failed for the first time. */
  readonly firstTry: Promise<void>
  readonly #options: ConnectionOptions
  readonly #stderr: ShownStderr
  readonly #refresh: ListRefresh
  readonly #waiting = new Set<() => void>()
  #lists: ServerLists = noLists
  #upstream: Upstream | undefined
  #closing: Promise<void>
  #connectedAt = 0
  #cancelTry: (() => void) | undefined
  #cancelSignOfLife: (() => void) | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.catalogue = options.catalogue
    this.#closing = options.after
    this.#stderr = new ShownStderr(options.redact)
    this.#refresh = new ListRefresh(options.clock, options.connectTimeoutMs, (part) => {
      if (this.state === 'connected') this.#adopt({ ...this.#lists, ...part })
    })
    this.firstTry = this.#try()
  }

  get pid(): number | undefined {
    return this.#upstream?.pid
  }

  get stderr(): readonly string[] {
    return this.#stderr.lines
  }

  /** Waits while it may still be connected, up to `timeoutMs`. Rejects with McpCallError. */
  async ready(timeoutMs: number, signal?: AbortSignal): Promise<Upstream> {
    let isLate = false
    const late = () => {
      isLate = true
      this.#wake()
    }
    const wake = () => this.#wake()
    const cancelTimer = this.state === 'pending' ? this.#options.clock.after(timeoutMs, late) : undefined
    signal?.addEventListener('abort', wake)
    try {
      for (;;) {
        if (signal?.aborted) throw new McpCallError(-32000, 'The call was cancelled.')
        if (this.state === 'connected' && this.#upstream) return this.#upstream
        if (this.state !== 'pending' || isLate) throw new McpCallError(-32000, this.#whyNot())
        await new Promise<void>((resolve) => this.#waiting.add(resolve))
      }
    } finally {
      cancelTimer?.()
      signal?.removeEventListener('abort', wake)
    }
  }

  /** Ends what runs and tries anew at once. Resolves when it is connected or has failed once. */
  async restart(): Promise<void> {
    this.failures = 0
    this.#end()
    this.#enter('pending')
    await this.#try()
  }

  /** For good. Its process is gone when this resolves. One that failed stays so: that is what those who wait for it are given. */
  async stop(): Promise<void> {
    this.#end()
    if (this.state === 'pending' || this.state === 'connected') this.#enter('stopped')
    await this.#closing
  }

  #end(): void {
    this.#cancelTry?.()
    this.#cancelSignOfLife?.()
    this.#refresh.stop()
    this.nextTryAt = undefined
    const upstream = this.#upstream
    this.#upstream = undefined
    if (upstream) this.#closing = Promise.all([this.#closing, upstream.close()]).then(() => {})
  }

  async #try(): Promise<void> {
    const upstream = this.#createUpstream()
    this.#upstream = upstream
    this.nextTryAt = undefined
    // The one before is gone before the next begins: a server is never run twice.
    await this.#closing
    if (this.#upstream !== upstream) return
    const { clock, connectTimeoutMs } = this.#options
    const startedAt = clock.monotonic()
    let cancelTimer = () => {}
    const late = new Promise<never>((_, reject) => {
      const error = new UpstreamError(
        'other',
        `did not answer within ${connectTimeoutMs / 1000} s of its start`,
      )
      cancelTimer = clock.after(connectTimeoutMs, () => reject(error))
    })
    try {
      const opened = await Promise.race([this.#open(upstream), late])
      if (this.#upstream === upstream) this.#connected(opened, startedAt)
    } catch (error) {
      this.#failed(upstream, toUpstreamError(error))
    } finally {
      cancelTimer()
    }
  }

  #createUpstream(): Upstream {
    const { entry, mark, redact, credentials } = this.#options
    const upstream: Upstream = new Upstream({
      name: entry.name,
      launch: entry.launch,
      mark,
      redact,
      credentials,
      stderr: this.#stderr,
      onElicitation: this.#options.canAsk() ? this.#options.ask : undefined,
      onListChanged: (list) => {
        if (this.#upstream === upstream) this.#refresh.due(upstream, list)
      },
      onResourceUpdated: (uri) => {
        if (this.#upstream === upstream) this.#options.onResourceUpdated(uri)
      },
      onLost: (error) => this.#failed(upstream, error),
    })
    return upstream
  }

  async #open(upstream: Upstream): Promise<{ info: UpstreamInfo; lists: ServerLists }> {
    const info = await upstream.open()
    const lists = await readLists(upstream, info.capabilities, this.#options.connectTimeoutMs)
    return { info, lists }
  }

  #connected(opened: { info: UpstreamInfo; lists: ServerLists }, startedAt: number): void {
    const { clock } = this.#options
    this.info = opened.info
    this.error = undefined
    this.#connectedAt = clock.monotonic()
    this.connectMs = Math.round(this.#connectedAt - startedAt)
    this.#adopt(opened.lists, () => this.#enter('connected'))
    this.#options.onConnected()
    this.#watch()
  }

  /** A server behind HTTP can go without a word. */
  #watch(): void {
    if (this.#options.entry.launch.type === 'stdio') return
    this.#cancelSignOfLife = this.#options.clock.after(signOfLifeMs, () => {
      void this.#upstream?.isThere().then(() => {
        if (this.state === 'connected') this.#watch()
      })
    })
  }

  #adopt(lists: ServerLists, before = () => {}): void {
    this.#lists = lists
    const { instructions, capabilities } = this.info ?? {}
    const catalogue = cleanCatalogue({ ...lists, instructions, capabilities })
    const isChanged = !isDeepStrictEqual(catalogue, this.catalogue)
    if (isChanged) this.catalogue = catalogue
    before()
    if (isChanged) this.#options.onCatalogue()
  }

  /** Of the connection that is in use; what an earlier one has to say no longer matters. */
  #failed(upstream: Upstream, error: UpstreamError): void {
    if (this.#upstream !== upstream) return
    const { clock, random } = this.#options
    const hasLasted = this.state === 'connected' && clock.monotonic() - this.#connectedAt >= lastingMs
    this.#end()
    this.failures = hasLasted ? 1 : this.failures + 1
    this.error = error.message
    if (error.kind === 'auth') return this.#enter('needs_auth')
    if (!this.#options.retries) return this.#enter('failed')
    const retry = nextRetry(this.failures, error.kind === 'missing', random())
    this.nextTryAt = clock.now() + retry.delayMs
    this.#cancelTry = clock.after(retry.delayMs, () => void this.#try())
    this.#enter(retry.isSlow ? 'failed' : 'pending')
  }

  #enter(state: ServerState): void {
    this.state = state
    this.#wake()
    this.#options.onStatus()
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const resolve of waiting) resolve()
  }

  #whyNot(): string {
    const why = this.error ?? (this.state === 'pending' ? 'it is still starting' : 'it was stopped')
    const { entry, credentials } = this.#options
    const remedy = credentials
      ? ' Only a person can sign in to it.'
      : ' Its credentials have to be changed first.'
    return `MCP server "${entry.name}" is not connected: ${why}.${this.state === 'needs_auth' ? remedy : ''}`
  }
}

function toUpstreamError(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error
  return new UpstreamError('other', error instanceof Error ? error.message : String(error))
}
