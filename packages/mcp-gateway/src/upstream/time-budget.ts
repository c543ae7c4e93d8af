/** How much of our time a server may take: much at once, or a little all the time. */

/** What one message of the greatest length takes at worst is about half of this. */
const mostMs = 1000
/** Of all time that passes. */
const share = 0.2

export class TimeBudget {
  #spentMs = 0
  #lastAt = 0

  /** False when that was too much. `now` is when it ended; the times are those of one clock that only goes forward. */
  spend(ms: number, now: number): boolean {
    this.#spentMs = Math.max(0, this.#spentMs - (now - ms - this.#lastAt) * share) + ms
    this.#lastAt = now
    return this.#spentMs <= mostMs
  }
}
