import type { Budget } from '@dorkos/shared'
import type { Clock } from '../ports/clock.ts'

/**
 * Model calls that are under way. The cost of a call is known only when it has ended, so near a limit calls go one after the
 * other: together they could pass it by many times what one of them costs.
 */
export class OpenCalls {
  readonly #clock: Clock
  readonly #open = new Map<string, number>()
  readonly #waiting = new Set<() => void>()
  #dearestUsd = 0
  /** How many calls have ended: what was read before the newest end lacks its cost. */
  ended = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  begin(sessionId: string): void {
    this.#open.set(sessionId, this.#of(sessionId) + 1)
  }

  end(sessionId: string): void {
    this.ended++
    const left = this.#of(sessionId) - 1
    if (left > 0) this.#open.set(sessionId, left)
    else this.#open.delete(sessionId)
    this.#wake()
  }

  endAll(sessionId: string): void {
    if (this.#open.delete(sessionId)) this.#wake()
  }

  /** The figures rose by this much between two looks: no call in between cost more. */
  sawRise(usd: number): void {
    this.#dearestUsd = Math.max(this.#dearestUsd, usd)
  }

  /** Whether this budget could be passed by more than one call if another began now. */
  mustWait(budget: Budget, sessionId: string): boolean {
    const open = budget.kind === 'session' ? this.#of(sessionId) : this.#all()
    return open > 0 && this.isNear(budget, open + 1)
  }

  /** Whether so many calls could pass it. */
  isNear({ used_usd, limit_usd }: Budget, calls: number): boolean {
    return used_usd + this.#dearestUsd * calls > limit_usd
  }

  /** Resolves when a call has ended, or after `atMostMs`: a call that nobody ends must not stop the others for good. */
  nextEnd(atMostMs: number): Promise<'ended' | 'late'> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(atMostMs, () => {
        this.#waiting.delete(ended)
        resolve('late')
      })
      const ended = () => {
        cancel()
        resolve('ended')
      }
      this.#waiting.add(ended)
    })
  }

  #of(sessionId: string): number {
    return this.#open.get(sessionId) ?? 0
  }

  #all(): number {
    return [...this.#open.values()].reduce((sum, open) => sum + open, 0)
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const ended of waiting) ended()
  }
}
