/** Lets a number of sessions run at once; the others wait their turn, first come first served. */
import { AbortError } from '../errors.ts'

export class Slots {
  readonly #limit: number
  readonly #waiting: Waiter[] = []
  #taken = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Resolves with the function that gives the place back (calling it again does nothing). */
  async take(signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) throw new AbortError()
    if (this.#taken < this.#limit) this.#taken++
    else await this.#queue(signal)
    let given = false
    return () => {
      if (given) return
      given = true
      // The place goes straight to the next in line, so that nobody can overtake.
      const next = this.#waiting.shift()
      if (next) next.enter()
      else this.#taken--
    }
  }

  /** Sends away everybody who waits. */
  clear(reason: Error): void {
    for (const waiter of this.#waiting.splice(0)) waiter.leave(reason)
  }

  #queue(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        const index = this.#waiting.indexOf(waiter)
        if (index >= 0) this.#waiting.splice(index, 1)
        waiter.leave(new AbortError('Aborted while waiting for another session to end'))
      }
      const waiter: Waiter = {
        enter: () => {
          signal?.removeEventListener('abort', abort)
          resolve()
        },
        leave: (reason) => {
          signal?.removeEventListener('abort', abort)
          reject(reason)
        },
      }
      this.#waiting.push(waiter)
      signal?.addEventListener('abort', abort, { once: true })
    })
  }
}

interface Waiter {
  enter(): void
  leave(reason: Error): void
}
