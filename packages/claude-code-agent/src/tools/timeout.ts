/** Timeouts as tools and servers declare them: milliseconds, with 0 and Infinity for none. */
export const DEFAULT_TOOL_TIMEOUT_MS = 60_000

/** The longest delay that a Node timer can hold. */
const LONGEST_TIMER_MS = 2_147_483_647

export const TIMEOUT_RULE = 'must be a number of milliseconds, 0 or Infinity for none'

export function isTimeout(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}

/** Calls back once after that time, without keeping the process alive; undefined where there is no limit. */
export function startTimeout(timeoutMs: number, onTimeout: () => void): NodeJS.Timeout | undefined {
  if (timeoutMs === 0 || timeoutMs > LONGEST_TIMER_MS) return undefined
  return setTimeout(onTimeout, timeoutMs).unref()
}
