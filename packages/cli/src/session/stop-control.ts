/** Ctrl-C: the first asks, the second insists. */
import type { CliContext } from '../context.ts'

export class StopControl {
  readonly #off: () => void
  #handler: (() => void) | undefined
  #count = 0
  #quit: () => void = () => undefined
  /** The person insists, or there was nothing to ask. */
  readonly quit: Promise<void>

  constructor(context: CliContext) {
    this.quit = new Promise((resolve) => {
      this.#quit = resolve
    })
    this.#off = context.onStop(() => this.stop())
  }

  get isQuitting(): boolean {
    return this.#count > (this.#handler ? 1 : 0)
  }

  /** What the first one does; without it, the first one quits. */
  onFirst(handler: () => void): void {
    this.#handler = handler
  }

  stop(): void {
    this.#count++
    if (this.#count === 1 && this.#handler) this.#handler()
    else this.#quit()
  }

  close(): void {
    this.#off()
  }
}
