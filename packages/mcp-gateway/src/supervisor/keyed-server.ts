/** One server, by its key: the connection that all share and see the lists of, and those that serve one holder each, reported as one. */
import { type Catalogue, emptyCatalogue } from '../catalogue/catalogue.ts'
import { McpCallError } from '../errors.ts'
import type { ServerEntry } from '../server-entry.ts'
import type { ServerState, ServerStateChange, ServerStatus } from '../server-status.ts'
import type { UpstreamCredentials } from '../upstream/credentials.ts'
import { createRedactor, type Redact } from '../upstream/redactor.ts'
import type { ConnectionLimit } from './connection-limit.ts'
import { ConnectionSlot } from './connection-slot.ts'
import { Listeners } from './listeners.ts'
import { mergeCatalogues } from './merge-catalogues.ts'
import { OwnConnections } from './own-connections.ts'
import type { Holder, OwnEnd, ServerChange, ServerHold, ToolCallOptions } from './supervised-server.ts'
import type { SupervisorClock } from './supervisor-types.ts'
import { ToolStatsTable } from './tool-stats.ts'

const mostHistory = 50
const mostStderrLines = 40

export interface KeyedServerOptions {
  key: string
  entry: ServerEntry
  mark: string
  clock: SupervisorClock
  random: () => number
  connectTimeoutMs: number
  idleMs: number
  ownIdleMs: number
  ownLimit: ConnectionLimit
  asksForInput: boolean
  credentials: UpstreamCredentials | undefined
  onChange(change: ServerChange): void
}

/** One hold. */
interface Claim {
  readonly entry: ServerEntry
  readonly holder: Holder
  readonly heard: Listeners<ServerChange>
  /** Its calls go to a connection of the holder's own. */
  isOwn: boolean
}

export class KeyedServer {
  readonly #options: KeyedServerOptions
  readonly #redact: Redact
  readonly #stats = new ToolStatsTable()
  readonly #history: ServerStateChange[] = []
  readonly #claims = new Set<Claim>()
  readonly #own: OwnConnections
  readonly #ending = new Set<Promise<void>>()
  #shared: ConnectionSlot | undefined
  #cancelIdle: (() => void) | undefined
  #asksForInput: boolean
  #state: ServerState = 'stopped'
  #since: number
  /** The shared connection, also when it has ended. */
  #lastShared: ConnectionSlot | undefined
  /** Connections whose lists have changed since they were opened, the latest last. */
  readonly #heard = new Set<ConnectionSlot>()
  #merged = { of: [] as Catalogue[], catalogue: emptyCatalogue }

  constructor(options: KeyedServerOptions) {
    this.#options = options
    this.#asksForInput = options.asksForInput
    this.#since = options.clock.now()
    this.#redact = createRedactor(options.entry, () => options.credentials?.secrets() ?? [])
    this.#own = new OwnConnections({
      clock: options.clock,
      limit: options.ownLimit,
      idleMs: options.ownIdleMs,
      open: (holderId, after) =>
        this.#open(
          holderId,
          after,
          this.#ownClaims(holderId).map(({ holder }) => holder),
        ),
      onEnd: (holderId, slot, gone, end) => this.#ownEnded(holderId, slot, gone, end),
    })
  }

  get state(): ServerState {
    return this.#state
  }

  /** Nothing of it runs, or is being ended. */
  get isAtRest(): boolean {
    return this.#state === 'stopped' && this.#ending.size === 0
  }

  get asksForInput(): boolean {
    return this.#asksForInput
  }

  hold(entry: ServerEntry, holder: Holder): ServerHold {
    const isOwn = entry.sharing === 'session' || (entry.sharing === 'until_asked' && this.#asksForInput)
    const claim: Claim = { entry, holder, heard: new Listeners(), isOwn }
    this.#takeShared(holder)
    this.#claims.add(claim)
    if (isOwn) this.#own.of(holder.id)?.take(holder)
    this.#changed()
    return {
      entry,
      status: () => this.status(),
      catalogue: () => this.#catalogueOf(claim),
      request: (method, params, options = {}) => this.#request(claim, method, params, options),
      onChange: (listener) => claim.heard.add(listener),
      release: () => this.#release(claim),
    }
  }

  /** What people are shown, and what has to be checked before it is offered. */
  get catalogue(): Catalogue {
    const heard = [...this.#heard].map(({ connection }) => connection.catalogue)
    const of = [this.#listed, ...heard]
    const { length } = this.#merged.of
    if (of.length !== length || of.some((one, index) => one !== this.#merged.of[index]))
      this.#merged = { of, catalogue: mergeCatalogues(this.#listed, heard) }
    return this.#merged.catalogue
  }

  /** What the shared connection said last: what the next one, and each holder's own, is taken to offer until it says otherwise. */
  get #listed(): Catalogue {
    return this.#lastShared?.connection.catalogue ?? emptyCatalogue
  }

  status(): ServerStatus {
    const { key, entry } = this.#options
    const { catalogue } = this
    const shared = this.#lastShared?.connection
    const own = this.#own.slots.map((slot) => slot.connection)
    const running = [...(this.#shared ? [this.#shared.connection] : []), ...own]
    return {
      key,
      name: entry.name,
      state: this.#state,
      since: this.#since,
      error: shared?.error,
      stderr: running.flatMap((each) => each.stderr).slice(-mostStderrLines),
      pids: running.flatMap((each) => each.pid ?? []),
      ownConnections: own.length,
      connectMs: shared?.connectMs,
      nextTryAt: shared?.nextTryAt,
      failures: shared?.failures ?? 0,
      serverInfo: shared?.info?.serverInfo,
      protocolVersion: shared?.info?.protocolVersion,
      tools: catalogue.tools.length,
      resources: catalogue.resources.length,
      prompts: catalogue.prompts.length,
      sessions: this.#shared?.holderIds.length ?? 0,
      asksForInput: this.#asksForInput,
      history: [...this.#history],
      stats: this.#stats.snapshot(),
    }
  }

  /** Those that serve one holder each are ended: the next call of each opens another. */
  async reconnect(): Promise<void> {
    this.#own.leaveAll()
    if (this.#shared) return this.#shared.connection.restart()
    // Nobody needs it, but somebody wants to know whether it works.
    const slot = this.#openShared([])
    this.#planIdleEnd()
    await slot.connection.firstTry
  }

  /** Every process of it is gone when this resolves. */
  async close(): Promise<void> {
    this.#cancelIdle?.()
    this.#own.leaveAll()
    this.#dropShared()
    await Promise.all(this.#ending)
  }

  async #request(
    claim: Claim,
    method: string,
    params: Record<string, unknown>,
    options: ToolCallOptions,
  ): Promise<Record<string, unknown>> {
    const { entry, holder } = claim
    if (!this.#claims.has(claim))
      throw new McpCallError(-32000, `MCP server "${entry.name}" is no longer held by ${holder.id}.`)
    if (claim.isOwn && this.#shared) return this.#own.request(holder.id, entry, method, params, options)
    if (!this.#shared) throw new McpCallError(-32000, `MCP server "${entry.name}" was stopped.`)
    return this.#shared.request(holder.id, entry, method, params, options)
  }

  #catalogueOf({ isOwn, holder }: Claim): Catalogue {
    const own = isOwn ? this.#own.of(holder.id) : undefined
    return own?.connection.catalogue ?? this.#listed
  }

  #takeShared(holder: Holder): void {
    this.#cancelIdle?.()
    if (this.#shared) this.#shared.take(holder)
    else this.#openShared([holder])
  }

  #openShared(holders: readonly Holder[]): ConnectionSlot {
    const slot = this.#open(undefined, Promise.resolve(), holders)
    this.#shared = slot
    this.#lastShared = slot
    return slot
  }

  /** Of all holders unless one is given. */
  #open(holderId: string | undefined, after: Promise<void>, holders: readonly Holder[]): ConnectionSlot {
    const { entry, mark, clock, random, connectTimeoutMs, credentials } = this.#options
    const slot: ConnectionSlot = new ConnectionSlot(
      {
        entry,
        mark,
        clock,
        random,
        connectTimeoutMs,
        isShared: holderId === undefined,
        retries: holderId === undefined,
        after,
        redact: this.#redact,
        credentials,
        catalogue: this.#listed,
        onStatus: () => {
          if (holderId !== undefined) this.#own.statusChanged(slot)
          this.#changed()
        },
        onConnected: () => this.#notify(holderId, { type: 'connected' }),
        onCatalogue: () => this.#listsChanged(slot),
        onResourceUpdated: (uri) => {
          this.#notify(holderId, { type: 'resource_updated', uri })
          this.#options.onChange({ type: 'resource_updated', uri })
        },
        onAsked: (askedId) => this.#asked(slot, askedId),
        onCall: (tool, ms, isError) => this.#stats.record(tool, ms, isError),
      },
      holders,
    )
    return slot
  }

  /** To those whose calls go there: to one holder, or to all that have none of their own. */
  #notify(holderId: string | undefined, change: ServerChange): void {
    const claims =
      holderId === undefined ? [...this.#claims].filter((one) => !one.isOwn) : this.#ownClaims(holderId)
    for (const { heard } of claims) heard.notify(change)
  }

  #listsChanged(slot: ConnectionSlot): void {
    this.#heard.delete(slot)
    this.#heard.add(slot)
    for (const claim of this.#claims) {
      const own = claim.isOwn ? this.#own.of(claim.holder.id) : undefined
      if ((own ?? this.#shared) === slot) claim.heard.notify({ type: 'catalogue' })
    }
    this.#options.onChange({ type: 'catalogue' })
  }

  #ownClaims(holderId: string): Claim[] {
    return [...this.#claims].filter(({ isOwn, holder }) => isOwn && holder.id === holderId)
  }

  #release(claim: Claim): void {
    if (!this.#claims.delete(claim)) return
    const { id } = claim.holder
    if (claim.isOwn && this.#ownClaims(id).length === 0) this.#own.leave(id)
    else if (claim.isOwn) this.#own.of(id)?.leave(id)
    this.#shared?.leave(id)
    if (this.#shared?.holderIds.length === 0) this.#planIdleEnd()
    this.#changed()
  }

  #planIdleEnd(): void {
    this.#cancelIdle?.()
    this.#cancelIdle = this.#options.clock.after(this.#options.idleMs, () => {
      if (this.#shared?.holderIds.length === 0) this.#dropShared()
    })
  }

  #dropShared(): void {
    const slot = this.#shared
    if (!slot) return
    this.#shared = undefined
    this.#ended(slot, slot.end())
    this.#changed()
  }

  #ownEnded(holderId: string, slot: ConnectionSlot, gone: Promise<void>, end: OwnEnd | undefined): void {
    const claims = this.#ownClaims(holderId)
    this.#ended(slot, gone)
    if (end) claims.at(-1)?.holder.onOwnEnd?.(end)
    // What they see now is what the shared connection lists.
    for (const { heard } of claims) heard.notify({ type: 'catalogue' })
    this.#changed()
  }

  #ended(slot: ConnectionSlot, gone: Promise<void>): void {
    const ended = gone.then(() => void this.#ending.delete(ended))
    this.#ending.add(ended)
    const before = this.catalogue
    if (this.#heard.delete(slot) && this.catalogue !== before) this.#options.onChange({ type: 'catalogue' })
  }

  /**
   * From now on each has a connection of its own, where a question can only be for it. What is under way ends where it began; who is
   * asked there stays.
   */
  #asked(slot: ConnectionSlot, askedId: string | undefined): void {
    const others = [...this.#claims].filter(
      ({ isOwn, entry, holder }) => !isOwn && entry.sharing === 'until_asked' && holder.id !== askedId,
    )
    if (this.#asksForInput && (slot !== this.#shared || others.length === 0)) return
    this.#asksForInput = true
    if (slot === this.#shared) for (const claim of others) claim.isOwn = true
    this.#changed()
  }

  #changed(): void {
    const state = this.#shared?.connection.state ?? 'stopped'
    if (state !== this.#state || this.#history.length === 0) {
      this.#state = state
      this.#since = this.#options.clock.now()
      const reason = state === 'connected' || state === 'stopped' ? undefined : this.status().error
      this.#history.push({ state, time: this.#since, ...(reason === undefined ? {} : { reason }) })
      if (this.#history.length > mostHistory) this.#history.shift()
    }
    for (const { heard } of this.#claims) heard.notify({ type: 'status' })
    this.#options.onChange({ type: 'status' })
  }
}
