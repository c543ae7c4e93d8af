import { InvalidOptionsError } from '../errors.ts'

export interface Page {
  /** At most this many; all by default. */
  limit?: number
  /** How many to pass over from the start. */
  offset?: number
}

/** Checks a page's bounds; no limit is infinity. */
export function pageOf(options: Page): Required<Page> {
  for (const name of ['limit', 'offset'] as const) {
    const value = options[name]
    if (value !== undefined && (!Number.isInteger(value) || value < 0)) {
      throw new InvalidOptionsError(`\`${name}\` must be a whole number from 0 up, but it is ${value}.`)
    }
  }
  return { limit: options.limit ?? Number.POSITIVE_INFINITY, offset: options.offset ?? 0 }
}
