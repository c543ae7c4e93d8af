/** Lets a number of sessions run at once; the others wait their turn, first come first served. */
import { AbortError } from '../errors.ts'

export class Slots {
  readonly #limit: number
  readonly #waiting: (() => void)[] = []
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
      if (next) next()
      else this.#taken--
    }
  }

  #queue(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        const index = this.#waiting.indexOf(enter)
        if (index >= 0) this.#waiting.splice(index, 1)
        reject(new AbortError('Aborted while waiting for another session to end'))
      }
      this.#waiting.push(enter)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
}
