/** How long to wait before a server that does not answer is asked again: 1, 2, 4, 8 and then 15 seconds. */
export function retryDelayMs(attempt: number): number {
  return Math.min(15_000, 1000 * 2 ** Math.min(Math.max(attempt, 0), 4))
}
