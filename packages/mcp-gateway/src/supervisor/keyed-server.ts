/** One server, by its key: the connection that all share, or one for each holder, told of as one. */
import { type Catalogue, emptyCatalogue } from '../catalogue/catalogue.ts'
import type { ServerEntry } from '../server-entry.ts'
import type { ServerState, ServerStatus, StateChange } from '../server-status.ts'
import type { UpstreamCredentials } from '../upstream/credentials.ts'
import { createRedactor, type Redact } from '../upstream/redactor.ts'
import { ConnectionSlot } from './connection-slot.ts'
import { Listeners } from './listeners.ts'
import type { Holder, ServerChange, ServerHold } from './supervised-server.ts'
import type { SupervisorClock } from './supervisor-types.ts'
import { ToolStatsTable } from './tool-stats.ts'

const mostHistory = 50
const mostStderrLines = 40
/** The state of several connections is that of the best of them. */
const bestFirst: readonly ServerState[] = ['connected', 'pending', 'needs_auth', 'failed']

export interface KeyedServerOptions {
  key: string
  entry: ServerEntry
  mark: string
  clock: SupervisorClock
  random: () => number
  connectTimeoutMs: number
  idleMs: number
  asksForInput: boolean
  credentials: UpstreamCredentials | undefined
  onChange(change: ServerChange): void
}

/** One hold. */
interface Seat {
  readonly entry: ServerEntry
  readonly holder: Holder
  readonly heard: Listeners<ServerChange>
  slot: ConnectionSlot
  /** Ends what is heard of the slot. */
  unhear(): void
}

export class KeyedServer {
  readonly #options: KeyedServerOptions
  readonly #redact: Redact
  readonly #stats = new ToolStatsTable()
  readonly #history: StateChange[] = []
  readonly #seats = new Set<Seat>()
  readonly #own = new Map<string, ConnectionSlot>()
  readonly #listeners = new Map<ConnectionSlot, Listeners<ServerChange>>()
  readonly #ending = new Set<Promise<void>>()
  #shared: ConnectionSlot | undefined
  #cancelIdle: (() => void) | undefined
  #asksForInput: boolean
  #state: ServerState = 'stopped'
  #since: number
  /** Of the connection that was last heard of: what a new one is taken to offer until it says otherwise. */
  #catalogue: Catalogue = emptyCatalogue
  #last: ConnectionSlot | undefined

  constructor(options: KeyedServerOptions) {
    this.#options = options
    this.#asksForInput = options.asksForInput
    this.#since = options.clock.now()
    this.#redact = createRedactor(options.entry, () => options.credentials?.secrets() ?? [])
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
    const isOwn = entry.sharing === 'session' || (entry.sharing === 'auto' && this.#asksForInput)
    const slot = isOwn ? this.#takeOwn(holder) : this.#takeShared(holder)
    const heard = new Listeners<ServerChange>()
    const seat: Seat = { entry, holder, heard, slot, unhear: this.#hear(slot, heard) }
    this.#seats.add(seat)
    this.#changed()
    return {
      entry,
      status: () => this.status(),
      catalogue: () => seat.slot.connection.catalogue,
      request: (method, params, options = {}) => seat.slot.request(holder.id, entry, method, params, options),
      onChange: (listener) => heard.add(listener),
      release: () => {
        if (!this.#seats.delete(seat)) return
        seat.unhear()
        this.#release(seat.slot, holder.id)
      },
    }
  }

  get catalogue(): Catalogue {
    return this.#catalogue
  }

  status(): ServerStatus {
    const { key, entry } = this.#options
    const slots = this.#slots()
    const connections = slots.map((slot) => slot.connection)
    const best = connections.find((each) => each.state === this.#state) ?? this.#last?.connection
    const info = best?.info
    return {
      key,
      name: entry.name,
      state: this.#state,
      since: this.#since,
      error: best?.error,
      stderr: connections.flatMap((each) => each.stderr).slice(-mostStderrLines),
      pids: connections.flatMap((each) => each.pid ?? []),
      connectMs: best?.connectMs,
      nextTryAt: best?.nextTryAt,
      failures: best?.failures ?? 0,
      serverInfo: info?.serverInfo,
      protocolVersion: info?.protocolVersion,
      tools: this.#catalogue.tools.length,
      resources: this.#catalogue.resources.length,
      prompts: this.#catalogue.prompts.length,
      sessions: new Set(slots.flatMap((slot) => slot.holderIds)).size,
      asksForInput: this.#asksForInput,
      history: [...this.#history],
      stats: this.#stats.snapshot(),
    }
  }

  async reconnect(): Promise<void> {
    const slots = this.#slots()
    if (slots.length > 0) {
      await Promise.all(slots.map((slot) => slot.connection.restart()))
      return
    }
    if (this.#options.entry.sharing === 'session') return
    // Nobody needs it, but somebody wants to know whether it works.
    const slot = this.#openShared()
    this.#planIdleEnd()
    await slot.connection.firstTry
  }

  /** Every process of it is gone when this resolves. */
  async close(): Promise<void> {
    this.#cancelIdle?.()
    for (const slot of this.#slots()) this.#drop(slot)
    await Promise.all(this.#ending)
  }

  #slots(): ConnectionSlot[] {
    return this.#shared ? [this.#shared, ...this.#own.values()] : [...this.#own.values()]
  }

  #takeShared(holder: Holder): ConnectionSlot {
    this.#cancelIdle?.()
    if (!this.#shared) return this.#openShared(holder)
    this.#shared.take(holder)
    return this.#shared
  }

  #takeOwn(holder: Holder): ConnectionSlot {
    const known = this.#own.get(holder.id)
    if (known) {
      known.take(holder)
      return known
    }
    const slot = this.#open(false, holder)
    this.#own.set(holder.id, slot)
    return slot
  }

  #openShared(holder?: Holder): ConnectionSlot {
    const slot = this.#open(true, holder)
    this.#shared = slot
    return slot
  }

  #open(isShared: boolean, holder: Holder | undefined): ConnectionSlot {
    const { entry, mark, clock, random, connectTimeoutMs, credentials } = this.#options
    const listeners = new Listeners<ServerChange>()
    const slot: ConnectionSlot = new ConnectionSlot(
      {
        entry,
        mark,
        clock,
        random,
        connectTimeoutMs,
        isShared,
        redact: this.#redact,
        credentials,
        catalogue: this.#catalogue,
        onStatus: () => this.#changed(slot),
        onCatalogue: () => {
          this.#catalogue = slot.connection.catalogue
          listeners.tell({ type: 'catalogue' })
          this.#options.onChange({ type: 'catalogue' })
        },
        onResourceUpdated: (uri) => {
          listeners.tell({ type: 'resource_updated', uri })
          this.#options.onChange({ type: 'resource_updated', uri })
        },
        onAsked: (holderId) => this.#asked(slot, holderId),
        onCall: (tool, ms, isError) => this.#stats.record(tool, ms, isError),
      },
      holder,
    )
    this.#listeners.set(slot, listeners)
    this.#last = slot
    return slot
  }

  #hear(slot: ConnectionSlot, heard: Listeners<ServerChange>): () => void {
    return this.#listeners.get(slot)?.add((change) => heard.tell(change)) ?? (() => {})
  }

  #release(slot: ConnectionSlot, holderId: string): void {
    slot.leave(holderId)
    if (slot.holderIds.length === 0) {
      if (slot === this.#shared) this.#planIdleEnd()
      else if (this.#own.get(holderId) === slot) this.#drop(slot)
    }
    this.#changed()
  }

  #planIdleEnd(): void {
    this.#cancelIdle?.()
    this.#cancelIdle = this.#options.clock.after(this.#options.idleMs, () => {
      if (this.#shared && this.#shared.holderIds.length === 0) this.#drop(this.#shared)
      this.#changed()
    })
  }

  #drop(slot: ConnectionSlot): void {
    if (slot === this.#shared) this.#shared = undefined
    for (const [id, own] of this.#own) if (own === slot) this.#own.delete(id)
    const ended = slot.connection.stop().then(() => {
      this.#ending.delete(ended)
      this.#listeners.delete(slot)
    })
    this.#ending.add(ended)
  }

  #asked(slot: ConnectionSlot, holderId: string | undefined): void {
    const isShared = slot === this.#shared && slot.holderIds.length > 1
    if (this.#asksForInput && !isShared) return
    this.#asksForInput = true
    if (isShared) this.#split(slot, holderId)
    this.#changed()
  }

  /**
   * From now on each has a connection of its own, where a question can only be for it. What is under way ends where it began; who is
   * asked there stays.
   */
  #split(shared: ConnectionSlot, askedId: string | undefined): void {
    for (const seat of this.#seats) {
      if (seat.slot !== shared || seat.entry.sharing !== 'auto' || seat.holder.id === askedId) continue
      seat.unhear()
      seat.slot = this.#takeOwn(seat.holder)
      seat.unhear = this.#hear(seat.slot, seat.heard)
      this.#release(shared, seat.holder.id)
    }
  }

  #changed(slot?: ConnectionSlot): void {
    if (slot) this.#last = slot
    if (slot?.connection.state === 'connected') this.#catalogue = slot.connection.catalogue
    const states = this.#slots().map((each) => each.connection.state)
    const state = bestFirst.find((each) => states.includes(each)) ?? 'stopped'
    if (state !== this.#state || this.#history.length === 0) {
      this.#state = state
      this.#since = this.#options.clock.now()
      const reason = state === 'connected' || state === 'stopped' ? undefined : this.status().error
      this.#history.push({ state, time: this.#since, ...(reason === undefined ? {} : { reason }) })
      if (this.#history.length > mostHistory) this.#history.shift()
    }
    for (const listeners of this.#listeners.values()) listeners.tell({ type: 'status' })
    this.#options.onChange({ type: 'status' })
  }
}
