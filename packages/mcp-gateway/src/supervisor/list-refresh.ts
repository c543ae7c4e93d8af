/** Reads a server's lists again when it says that they have changed: not at each word of it, and each list only when it is due. */
import type { ListName, Upstream } from '../upstream/upstream.ts'
import { readPart, type ServerLists } from './server-lists.ts'
import type { SupervisorClock } from './supervisor-types.ts'

const debounceMs = 100

export class ListRefresh {
  readonly #clock: SupervisorClock
  readonly #timeoutMs: number
  readonly #onRead: (part: Partial<ServerLists>) => void
  readonly #planned = new Map<ListName, () => void>()
  readonly #reading = new Set<ListName>()
  readonly #dueAgain = new Set<ListName>()
  /** Grows with each connection: what an earlier one still answers is not wanted. */
  #generation = 0

  constructor(clock: SupervisorClock, timeoutMs: number, onRead: (part: Partial<ServerLists>) => void) {
    this.#clock = clock
    this.#timeoutMs = timeoutMs
    this.#onRead = onRead
  }

  due(upstream: Upstream, list: ListName): void {
    if (this.#reading.has(list)) this.#dueAgain.add(list)
    else if (!this.#planned.has(list)) {
      this.#planned.set(
        list,
        this.#clock.after(debounceMs, () => void this.#read(upstream, list)),
      )
    }
  }

  stop(): void {
    this.#generation += 1
    for (const cancel of this.#planned.values()) cancel()
    this.#planned.clear()
    this.#reading.clear()
    this.#dueAgain.clear()
  }

  async #read(upstream: Upstream, list: ListName): Promise<void> {
    const generation = this.#generation
    this.#planned.delete(list)
    this.#reading.add(list)
    // Where it fails, the list stays as it was.
    const part = await readPart(upstream, list, this.#timeoutMs).catch(() => undefined)
    if (generation !== this.#generation) return
    this.#reading.delete(list)
    if (part) this.#onRead(part)
    if (this.#dueAgain.delete(list)) this.due(upstream, list)
  }
}
