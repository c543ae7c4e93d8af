/**
 * Listeners that get each message of the CLI once, as it came. A promise that one returns stands for work that is not
 * done: with too much of it open, the owner stops reading from the CLI.
 */
import type { CliMessage } from '../protocol/control-channel.ts'
import { raiseUncaught } from './emitter.ts'

export type RawListener = (message: CliMessage) => void | Promise<void>

export interface RawListenersOptions {
  /** How many messages may be unfinished before reading stops. */
  highWaterMark: number
  /** Called when the listeners fall behind, and when they have caught up. */
  onLag(behind: boolean): void
}

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
