/** Runs each MCP server once for all who need it, watches it, and never gives up on it. */
import { endOrphans } from '@dorkos/processes'
import { type Catalogue, emptyCatalogue } from '../catalogue/catalogue.ts'
import type { ServerEntry } from '../server-entry.ts'
import type { ServerStatus } from '../server-status.ts'
import { markVariable } from '../upstream/stdio-transport.ts'
import { ConnectionLimit } from './connection-limit.ts'
import { KeyedServer } from './keyed-server.ts'
import { Listeners } from './listeners.ts'
import { serverKey } from './server-key.ts'
import type { Holder, ServerChange, ServerHold } from './supervised-server.ts'
import type { Supervisor, SupervisorClock, SupervisorOptions } from './supervisor-types.ts'

const defaultConnectTimeoutMs = 60_000
const defaultIdleMs = 5 * 60_000
const defaultOwnIdleMs = 30 * 60_000
const defaultMostOwn = 32
/** Of servers that nobody needs now, so many are remembered with what they offered. */
const mostStopped = 100

export function createSupervisor(options: SupervisorOptions): Supervisor {
  if (!/^[\w.-]{1,100}$/.test(options.mark)) {
    throw new TypeError('mark must be 1 to 100 letters, digits, dots, dashes or underscores.')
  }
  return new ServerSupervisor(options)
}

interface ChangedServer {
  key: string
  change: ServerChange
}

class ServerSupervisor implements Supervisor {
  readonly #options: SupervisorOptions
  readonly #servers = new Map<string, KeyedServer>()
  readonly #asking: Set<string>
  readonly #ownLimit: ConnectionLimit
  readonly #listeners = new Listeners<ChangedServer>()
  #closing: Promise<void> | undefined

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#asking = new Set(options.knownToAsk)
    this.#ownLimit = new ConnectionLimit(options.mostOwn ?? defaultMostOwn)
  }

  hold(entry: ServerEntry, holder: Holder): ServerHold {
    if (this.#closing) throw new Error('The supervisor is closed.')
    const key = serverKey(entry)
    let server = this.#servers.get(key)
    if (!server) {
      server = this.#create(key, entry)
      this.#servers.set(key, server)
    }
    return server.hold(entry, holder)
  }

  keyOf(entry: ServerEntry): string {
    return serverKey(entry)
  }

  list(): ServerStatus[] {
    return [...this.#servers.values()].map((server) => server.status())
  }

  get(key: string): ServerStatus | undefined {
    return this.#servers.get(key)?.status()
  }

  catalogue(key: string): Catalogue {
    return this.#servers.get(key)?.catalogue ?? emptyCatalogue
  }

  async reconnect(key: string): Promise<ServerStatus | undefined> {
    if (!this.#closing) await this.#servers.get(key)?.reconnect()
    return this.get(key)
  }

  async end(key: string): Promise<boolean> {
    const server = this.#servers.get(key)
    if (!server) return true
    if (server.status().sessions > 0) return false
    this.#servers.delete(key)
    this.#logged.delete(key)
    await server.close()
    return true
  }

  onChange(listener: (key: string, change: ServerChange) => void): () => void {
    return this.#listeners.add(({ key, change }) => listener(key, change))
  }

  sweep(): Promise<number> {
    return endOrphans(markVariable, this.#options.mark)
  }

  close(): Promise<void> {
    this.#closing ??= Promise.all([...this.#servers.values()].map((server) => server.close())).then(() => {})
    return this.#closing
  }

  #create(key: string, entry: ServerEntry): KeyedServer {
    const {
      mark,
      clock = systemClock,
      random = Math.random,
      connectTimeoutMs,
      idleMs,
      ownIdleMs,
    } = this.#options
    const server: KeyedServer = new KeyedServer({
      key,
      entry,
      mark,
      clock,
      random,
      connectTimeoutMs: connectTimeoutMs ?? defaultConnectTimeoutMs,
      idleMs: idleMs ?? defaultIdleMs,
      ownIdleMs: ownIdleMs ?? defaultOwnIdleMs,
      ownLimit: this.#ownLimit,
      asksForInput: this.#asking.has(key),
      credentials: this.#options.credentialsOf?.(entry),
      onChange: (change) => this.#changed(key, server, change),
    })
    return server
  }

  #changed(key: string, server: KeyedServer, change: ServerChange): void {
    if (server.asksForInput) this.#asking.add(key)
    if (change.type === 'status') this.#log(server)
    this.#listeners.notify({ key, change })
    if (server.state === 'stopped') this.#forgetOldest()
  }

  #log(server: KeyedServer): void {
    const { key, name, state, error } = server.status()
    if (this.#logged.get(key) === state) return
    this.#logged.set(key, state)
    const fields = { server: name, key, state, ...(error === undefined ? {} : { error }) }
    const isBad = state === 'failed' || state === 'needs_auth'
    this.#options.logger?.[isBad ? 'warn' : 'info'](fields, `MCP server ${name} is ${state}`)
  }

  readonly #logged = new Map<string, string>()

  #forgetOldest(): void {
    const stopped = [...this.#servers].filter(([, server]) => server.isAtRest)
    for (const [key] of stopped.slice(0, Math.max(0, stopped.length - mostStopped))) {
      this.#servers.delete(key)
      this.#logged.delete(key)
    }
  }
}

/** Its timers do not keep the program running: they only ever start, stop or look after what does. */
const systemClock: SupervisorClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, 2 ** 31 - 1))
    timer.unref()
    return () => clearTimeout(timer)
  },
}
