/** Holds tools while the session is paused. A tool passes when the gate opens, or when its call is withdrawn. */
export class PauseGate {
  #waiting = new Set<() => void>()
  #closed = false

  get closed(): boolean {
    return this.#closed
  }

  close(): void {
    this.#closed = true
  }

  open(): void {
    this.#closed = false
    const waiting = this.#waiting
    this.#waiting = new Set()
    for (const pass of waiting) pass()
  }

  async pass(signal: AbortSignal): Promise<void> {
    if (!this.#closed || signal.aborted) return
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#waiting.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      this.#waiting.add(done)
      signal.addEventListener('abort', done, { once: true })
    })
  }
}
