import type { ServerHold } from '@dorkos/mcp-gateway'
import type { Clock } from '../ports/clock.ts'

/** How long a server is waited for: longer than any start may take. */
const longestMs = 120_000

/** Resolves when the server is connected or has failed once. */
export function untilSettled(hold: ServerHold, clock: Clock): Promise<void> {
  const isSettled = () => {
    const { state, failures } = hold.status()
    return state !== 'pending' || failures > 0
  }
  return new Promise((resolve) => {
    const done = () => {
      stop()
      cancel()
      resolve()
    }
    const stop = hold.onChange(() => {
      if (isSettled()) done()
    })
    const cancel = clock.after(longestMs, done)
    if (isSettled()) done()
  })
}
