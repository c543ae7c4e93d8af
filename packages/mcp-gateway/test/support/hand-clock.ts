/** A clock that moves when it is told to. */
import type { SupervisorClock } from '../../src/supervisor/supervisor-types.ts'

interface Timer {
  at: number
  callback: () => void
}

export class HandClock implements SupervisorClock {
  #now = 1_000_000
  readonly #timers = new Set<Timer>()

  now(): number {
    return this.#now
  }

  monotonic(): number {
    return this.#now
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** How many wait. */
  get size(): number {
    return this.#timers.size
  }

  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const [next] = [...this.#timers]
        .filter((timer) => timer.at <= end)
        .sort((one, other) => one.at - other.at)
      if (!next) break
      this.#timers.delete(next)
      this.#now = next.at
      next.callback()
    }
    this.#now = end
  }
}
