/** Reading what the CLI writes: whether it goes on, and who gets each message as it came. */
import type { CliMessage } from '../protocol/control-channel.ts'
import type { Transport } from '../transport/transport.ts'
import { raiseUncaught } from './emitter.ts'

/**
 * Decides whether the CLI's output is read. A reader that has fallen behind stops it, so that the CLI waits and not
 * our memory grows; but never while somebody waits for what comes behind the unread messages.
 */
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

export type RawListener = (message: CliMessage) => void | Promise<void>

export interface RawListenersOptions {
  /** How many messages may be unfinished before reading stops. */
  highWaterMark: number
  /** Called when the listeners fall behind, and when they have caught up. */
  onLag(behind: boolean): void
}

/**
 * Listeners that get each message of the CLI once, as it came. A promise that one returns stands for work that is not
 * done: with too much of it open, the owner stops reading from the CLI.
 */
export class RawListeners {
  readonly #options: RawListenersOptions
  readonly #listeners = new Set<RawListener>()
  #unfinished = 0
  #behind = false

  constructor(options: RawListenersOptions) {
    this.#options = options
  }

  add(listener: RawListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  deliver(message: CliMessage): void {
    for (const listener of [...this.#listeners]) {
      try {
        const finished = listener(message)
        if (finished) this.#await(finished)
      } catch (error) {
        raiseUncaught(error)
      }
    }
  }

  #await(finished: Promise<void>): void {
    this.#unfinished++
    this.#update()
    finished.catch(raiseUncaught).finally(() => {
      this.#unfinished--
      this.#update()
    })
  }

  /** Reading starts again at half the mark, so that it does not stop and start with every message. */
  #update(): void {
    const { highWaterMark, onLag } = this.#options
    const behind = this.#unfinished > (this.#behind ? highWaterMark / 2 : highWaterMark)
    if (behind === this.#behind) return
    this.#behind = behind
    onLag(behind)
  }
}
