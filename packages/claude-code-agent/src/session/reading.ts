/**
 * Decides whether the CLI's output is read. A reader that has fallen behind stops it, so that the CLI waits and not
 * our memory grows; but never while somebody waits for what comes behind the unread messages.
 */
import type { Transport } from '../transport/transport.ts'

export class Reading {
  readonly #transport: Transport
  readonly #openRequests: () => number
  #lagging = 0
  #waiters = 0
  #ending = false

  constructor(transport: Transport, openRequests: () => number) {
    this.#transport = transport
    this.#openRequests = openRequests
  }

  /** A reader has fallen behind, or has caught up. */
  lag(behind: boolean): void {
    this.#lagging += behind ? 1 : -1
    this.update()
  }

  /** The session is being ended: what is left is read. */
  ending(): void {
    this.#ending = true
    this.update()
  }

  /** Reading goes on until the promise is settled. */
  async during<T>(promise: Promise<T>): Promise<T> {
    this.#waiters++
    this.update()
    try {
      return await promise
    } finally {
      this.#waiters--
      this.update()
    }
  }

  update(): void {
    const hold = this.#lagging > 0 && this.#waiters === 0 && this.#openRequests() === 0 && !this.#ending
    if (hold) this.#transport.pauseReading()
    else this.#transport.resumeReading()
  }
}
