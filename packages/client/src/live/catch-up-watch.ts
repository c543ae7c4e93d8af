/** Determines whether what comes in now happened a while ago: the stream is catching up. */
const oldMs = 2000
/** Nothing old came for so long: it has caught up. */
const pauseMs = 300

export class CatchUpWatch {
  readonly #notify: (catchingUp: boolean) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #isCatchingUp = false

  constructor(notify: (catchingUp: boolean) => void) {
    this.#notify = notify
  }

  /** An event with this time came; `now` is the server's. */
  saw(time: string, now: number): void {
    const isOld = now - Date.parse(time) > oldMs
    if (!isOld) return this.stop()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.stop(), pauseMs)
    if (this.#isCatchingUp) return
    this.#isCatchingUp = true
    this.#notify(true)
  }

  stop(): void {
    if (!this.#isCatchingUp) return
    clearTimeout(this.#timer)
    this.#isCatchingUp = false
    this.#notify(false)
  }
}
