import type { SupervisorClock } from './supervisor-types.ts'

/** Its timers do not keep the program running: they only ever start, stop or look after what does. */
export const systemClock: SupervisorClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, 2 ** 31 - 1))
    timer.unref()
    return () => clearTimeout(timer)
  },
}
