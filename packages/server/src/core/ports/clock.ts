/** Time, so that tests can own it. */

export interface Clock {
  /** Wall time in milliseconds: for records and deadlines that people see. */
  now(): number
  /** Milliseconds that only ever grow: for durations. */
  monotonic(): number
  /** Calls back once, after at least `delayMs`; the returned function cancels. Does not keep the process alive. */
  after(delayMs: number, callback: () => void): () => void
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
