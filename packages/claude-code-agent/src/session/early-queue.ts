/**
 * Keeps what the CLI says while a session is being handed over, so that whoever gets it can attach listeners before
 * anything happens to it. Then everything comes in its order.
 */
export class EarlyQueue {
  #waiting: (() => void)[] | undefined

  hold(): void {
    this.#waiting ??= []
  }

  release(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    for (const happen of waiting) happen()
  }

  /** True while things are to be added here. */
  get isHeld(): boolean {
    return this.#waiting !== undefined
  }

  add(happen: () => void): void {
    this.#waiting?.push(happen)
  }
}
