/**
 * Limits failed attempts per source, loopback included: a web page or an agent can try tokens from there too. Only failures
 * count, and a valid token is accepted from a source that is over the limit: otherwise anyone on the same address could lock
 * the owner out. Guessing gains nothing by that, as a token has 256 bits and the code of a link 128. Typed codes, which are
 * shorter, are not even checked from such a source; they have a count of their own, so that wrong tokens do not keep anybody
 * from signing in.
 */
import type { Clock } from '../core/ports/clock.ts'
import { sourceKey } from './source-address.ts'

const windowMs = 60_000
const maxSources = 10_000

export interface FailureLimits {
  /** Tokens and the codes of links. */
  long: FailureLimit
  /** Codes that people type. */
  typed: FailureLimit
  /** Pairings that are asked for: anybody may, so each counts. */
  pairing: FailureLimit
}

export function createFailureLimits(clock: Clock, limit?: number): FailureLimits {
  return {
    long: new FailureLimit(clock, limit),
    typed: new FailureLimit(clock, limit),
    pairing: new FailureLimit(clock, limit),
  }
}

class FailureLimit {
  readonly #clock: Clock
  readonly #limit: number
  /** Times of failures by source, the source that failed longest ago first. */
  readonly #failures = new Map<string, number[]>()

  constructor(clock: Clock, limit = 10) {
    this.#clock = clock
    this.#limit = limit
  }

  /** Seconds until the source may try again; undefined when it may now. */
  waitOf(source: string): number | undefined {
    const recent = this.#recent(sourceKey(source))
    const [first] = recent
    if (recent.length < this.#limit || first === undefined) return undefined
    return Math.max(1, Math.ceil((first + windowMs - this.#clock.monotonic()) / 1000))
  }

  /** Counts a failure. Answers with the wait if the source was over the limit before it. */
  fail(source: string): number | undefined {
    const wait = this.waitOf(source)
    if (wait !== undefined) return wait
    const key = sourceKey(source)
    const times = [...this.#recent(key), this.#clock.monotonic()]
    this.#failures.delete(key)
    this.#failures.set(key, times)
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > maxSources && oldest !== undefined) this.#failures.delete(oldest)
    return undefined
  }

  #recent(key: string): number[] {
    const since = this.#clock.monotonic() - windowMs
    return (this.#failures.get(key) ?? []).filter((at) => at > since)
  }
}
