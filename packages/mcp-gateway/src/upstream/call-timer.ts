/** How long a call may take: set back by each sign of progress, up to ten times as long in all. Also ends with the caller's signal. */

const ceilingFactor = 10
const longestTimer = 2 ** 31 - 1

export class CallTimer {
  readonly #controller = new AbortController()
  readonly #timeoutMs: number
  readonly #isHeld: () => boolean
  readonly #given: AbortSignal | undefined
  readonly #endsAt: number
  #timer: NodeJS.Timeout | undefined

  /** It does not run out while `isHeld()`. */
  constructor(timeoutMs: number, isHeld: () => boolean, given?: AbortSignal) {
    this.#timeoutMs = Math.min(timeoutMs, longestTimer)
    this.#isHeld = isHeld
    this.#given = given
    this.#endsAt = performance.now() + timeoutMs * ceilingFactor
    if (given?.aborted) this.#cancel()
    else given?.addEventListener('abort', this.#cancel)
    this.#arm()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  reset(): void {
    if (performance.now() < this.#endsAt) this.#arm()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#given?.removeEventListener('abort', this.#cancel)
  }

  #arm(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (this.#isHeld()) this.#arm()
      else this.#controller.abort('timed out')
    }, this.#timeoutMs)
  }

  readonly #cancel = (): void => this.#controller.abort('cancelled')
}
