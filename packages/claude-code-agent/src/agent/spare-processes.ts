/** Processes that are started and initialised before they are needed, kept by working directory. */
import type { SessionCore } from '../session/session-core.ts'

interface Shelf {
  wanted: number
  ready: SessionCore[]
  starting: number
}

/** A process that starts takes a core for itself: the turn that has just begun comes first. */
const refillDelayMs = 300

export class SpareProcesses {
  readonly #create: (cwd: string | undefined) => SessionCore
  readonly #warn: (warning: string) => void
  readonly #shelves = new Map<string | undefined, Shelf>()
  readonly #starting = new Set<SessionCore>()
  #closed = false

  constructor(create: (cwd: string | undefined) => SessionCore, warn: (warning: string) => void) {
    this.#create = create
    this.#warn = warn
  }

  /** Keeps this many at hand from now on. Resolves when they are ready; rejects when one cannot be started. */
  async keep(count: number, cwd: string | undefined): Promise<void> {
    this.#closed = false
    const shelf = this.#shelves.get(cwd) ?? { wanted: 0, ready: [], starting: 0 }
    this.#shelves.set(cwd, shelf)
    shelf.wanted = count
    for (const surplus of shelf.ready.splice(count)) void surplus.end('completed')
    await this.#fill(shelf, cwd)
  }

  /** One that is ready, if there is one; another is started in its place. */
  take(cwd: string | undefined): SessionCore | undefined {
    const shelf = this.#shelves.get(cwd)
    if (!shelf) return undefined
    let core = shelf.ready.shift()
    while (core?.ended) core = shelf.ready.shift()
    core?.channel.transport.keepProgramRunning?.(true)
    this.#refillSoon(shelf, cwd)
    return core
  }

  async close(): Promise<void> {
    this.#closed = true
    const spares = [...this.#shelves.values()].flatMap((shelf) => shelf.ready.splice(0))
    this.#shelves.clear()
    await Promise.all([...spares, ...this.#starting].map((core) => core.end('completed')))
  }

  #refillSoon(shelf: Shelf, cwd: string | undefined): void {
    const timer = setTimeout(() => {
      // Closed meanwhile, perhaps opened again.
      if (this.#shelves.get(cwd) !== shelf) return
      this.#fill(shelf, cwd).catch((error: unknown) =>
        this.#warn(`A spare process could not be started: ${String(error)}`),
      )
    }, refillDelayMs)
    timer.unref()
  }

  async #fill(shelf: Shelf, cwd: string | undefined): Promise<void> {
    const missing = shelf.wanted - shelf.ready.length - shelf.starting
    await Promise.all(Array.from({ length: Math.max(0, missing) }, () => this.#start(shelf, cwd)))
  }

  async #start(shelf: Shelf, cwd: string | undefined): Promise<void> {
    shelf.starting++
    try {
      const core = await this.#open(cwd)
      if (!core) return
      if (this.#closed || shelf.ready.length >= shelf.wanted) return void (await core.end('completed'))
      core.channel.transport.keepProgramRunning?.(false)
      shelf.ready.push(core)
    } finally {
      shelf.starting--
    }
  }

  /** Nothing when `close()` came first: that ended it, and is no failure of the start. */
  async #open(cwd: string | undefined): Promise<SessionCore | undefined> {
    const core = this.#create(cwd)
    this.#starting.add(core)
    try {
      await core.open(undefined, { silent: true })
      await warmUp(core)
      return core
    } catch (error) {
      if (!this.#closed) throw error
      return undefined
    } finally {
      this.#starting.delete(core)
    }
  }
}

/** Makes the CLI assemble its prompt and tools, which it else does in the first turn. It asks no model for this. */
async function warmUp(core: SessionCore): Promise<void> {
  await core.channel.request('get_context_usage', { detail: 'summary' }, { timeoutMs: 5000 }).catch(() => {})
}
