/** When a one-shot session that is done ends: at once, or after a grace that nothing shortens. */
export class EndTimer {
  readonly #end: () => void
  #timer: NodeJS.Timeout | undefined
  #notBefore = 0

  constructor(end: () => void) {
    this.#end = end
  }

  /** The grace is for background work that is done, and may wake the agent. */
  start(graceMs: number): void {
    this.stop()
    const now = performance.now()
    this.#notBefore = Math.max(this.#notBefore, now + graceMs)
    this.#timer = setTimeout(this.#end, this.#notBefore - now)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
