/** When a server that failed is tried again: soon at first, then ever later, and for ever. */

const firstMs = 500
const longestMs = 60_000
const slowMs = 5 * 60_000
/** So many failures in a row, and the server counts as failed. */
const breakerFailures = 5
/** A connection that did not last this long did not help: what starts and dies in a loop is a failure too. */
export const lastingMs = 10_000

export interface Retry {
  /** Whether the server counts as failed, and is only tried now and then. */
  isSlow: boolean
  delayMs: number
}

/** `failures` in a row, at least one; `random` between 0 and 1. */
export function nextRetry(failures: number, isHopeless: boolean, random: number): Retry {
  const isSlow = isHopeless || failures >= breakerFailures
  const baseMs = isSlow ? slowMs : Math.min(longestMs, firstMs * 2 ** (failures - 1))
  return { isSlow, delayMs: Math.round(baseMs * (0.5 + random / 2)) }
}
