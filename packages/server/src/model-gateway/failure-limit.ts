export interface FailureLimit {
  /** Counts a failure. False when there have been too many of late. */
  allow(): boolean
}

/**
 * At most so many failures in a window, over all clients: everything here comes from the same address. It slows guessing
 * and keeps logs short. It is asked after a credential was found wrong, so nobody can lock out those with a right one.
 */
export function createFailureLimit(most: number, windowMs: number, now: () => number): FailureLimit {
  let windowStart = now()
  let failures = 0
  return {
    allow() {
      const time = now()
      if (time - windowStart >= windowMs) {
        windowStart = time
        failures = 0
      }
      failures += 1
      return failures <= most
    },
  }
}
