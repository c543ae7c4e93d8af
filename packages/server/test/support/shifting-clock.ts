/** The machine's clock, which a test can put forward: what was due in between is called at once. */
import { systemClock } from '../../src/adapters/system/clock.ts'
import type { Clock } from '../../src/core/ports/clock.ts'

export interface ShiftingClock extends Clock {
  advance(ms: number): void
}

export function createShiftingClock(): ShiftingClock {
  let shift = 0
  const timers = new Set<{ at: number; fire: () => void; rearm: () => void }>()
  const clock: ShiftingClock = {
    now: () => systemClock.now() + shift,
    monotonic: () => systemClock.monotonic() + shift,
    after(delayMs, callback) {
      let cancel = () => {}
      const stop = () => {
        cancel()
        timers.delete(timer)
      }
      const timer = {
        at: clock.monotonic() + delayMs,
        fire() {
          stop()
          callback()
        },
        rearm() {
          cancel()
          cancel = systemClock.after(Math.max(0, timer.at - clock.monotonic()), timer.fire)
        },
      }
      timers.add(timer)
      timer.rearm()
      return stop
    },
    advance(ms) {
      shift += ms
      for (const timer of [...timers].toSorted((a, b) => a.at - b.at))
        if (timers.has(timer)) timer.at <= clock.monotonic() ? timer.fire() : timer.rearm()
    },
  }
  return clock
}
