/** A clock that a test moves by hand. Callbacks run inside `advance`, in order of their time. */
import type { Clock } from '../../src/core/ports/clock.ts'

export interface FakeClock extends Clock {
  advance(ms: number): void
}

export function createFakeClock(start = Date.parse('2026-01-01T00:00:00.000Z')): FakeClock {
  let elapsed = 0
  let timers: { at: number; callback: () => void }[] = []
  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    after(delayMs, callback) {
      const timer = { at: elapsed + delayMs, callback }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    advance(ms) {
      const end = elapsed + ms
      for (;;) {
        const [next] = timers.filter((timer) => timer.at <= end).toSorted((a, b) => a.at - b.at)
        if (!next) break
        timers = timers.filter((timer) => timer !== next)
        elapsed = Math.max(elapsed, next.at)
        next.callback()
      }
      elapsed = end
    },
  }
}
