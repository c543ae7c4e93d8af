/**
 * Codes that are short enough for a person's fingers: ten characters of Crockford's base 32, which has no letters that look like
 * digits. Guesses at them are limited over all sources together.
 */

import { randomBytes } from 'node:crypto'
import { say } from '@dorkos/shared'
import { AppError } from './app-error.ts'
import type { Clock } from './ports/clock.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 10
const windowMs = 10 * 60_000
/** Wrong guesses in ten minutes, after which typed codes rest: against 2^50 codes they find nothing. */
const maxWrongGuesses = 50

export function randomTypedCode(): string {
  return [...randomBytes(length)].map((byte) => alphabet.charAt(byte & 31)).join('')
}

/** As people are shown it. */
export function shownTypedCode(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`
}

/** As it was made, whatever case, dashes and look-alikes a person typed. Undefined when it cannot be a typed code. */
export function normalTypedCode(text: string): string | undefined {
  const plain = text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return /^[0-9A-HJKMNP-TV-Z]{10}$/.test(plain) ? plain : undefined
}

/** Whether this may be a typed code: short enough that guesses at it must be limited. */
export function isTypedCode(text: string): boolean {
  return normalTypedCode(text) !== undefined
}

/** Of this process: several servers allow as many times more, which changes nothing. */
export class GuessLimit {
  readonly #clock: Clock
  #wrong: { at: number }[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts a guess as wrong until the function that it answers with says that it was right. Throws `rate_limited` after too many. */
  guess(): () => void {
    const since = this.#clock.monotonic() - windowMs
    this.#wrong = this.#wrong.filter(({ at }) => at > since)
    const [first] = this.#wrong
    if (this.#wrong.length >= maxWrongGuesses && first)
      throw new AppError('rate_limited', say('codes_wrong'), {
        details: { retry_after: Math.ceil((first.at - since) / 1000) },
      })
    const guess = { at: this.#clock.monotonic() }
    this.#wrong.push(guess)
    return () => {
      this.#wrong = this.#wrong.filter((one) => one !== guess)
    }
  }
}
