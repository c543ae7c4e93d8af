/** Chance in a fake CLI: its reports come at any moment at which the real one's may. The same seed makes the same choices. */
import { sleep } from './turn.ts'

export interface DisorderOptions {
  seed: number
  /** The longest time between two reports. Default 5. */
  maxDelayMs?: number
  /** The longest time that it reads a session that it resumes, before it tells what was lost. Default 50. */
  maxReadingMs?: number
  /** Some reports on messages are left out, doubled, or come late. */
  faults?: boolean
}

/** What is wrong with the reports on one message. */
export type ReportFault = 'no_queued' | 'late_started' | 'no_completed' | 'doubled'

const faults: readonly ReportFault[] = ['no_queued', 'late_started', 'no_completed', 'doubled']
const faultChance = 0.2

export class Disorder {
  readonly #maxDelayMs: number
  readonly #maxReadingMs: number
  readonly #hasFaults: boolean
  #state: number

  /** Every session has choices of its own. */
  constructor(
    { seed, maxDelayMs = 5, maxReadingMs = 50, faults = false }: DisorderOptions,
    sessionId: string,
  ) {
    this.#maxDelayMs = maxDelayMs
    this.#maxReadingMs = maxReadingMs
    this.#hasFaults = faults
    this.#state = [...sessionId].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed)
  }

  happens(probability = 0.5): boolean {
    return this.#next() < probability
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#next() * list.length)]
  }

  /** Some time passes, or none. */
  async moment(longest = this.#maxDelayMs): Promise<void> {
    if (this.happens()) await sleep(this.#next() * longest)
  }

  reading(): Promise<void> {
    return this.moment(this.#maxReadingMs)
  }

  fault(): ReportFault | undefined {
    return this.#hasFaults && this.happens(faultChance) ? this.pick(faults) : undefined
  }

  /** Between 0 and 1 (mulberry32). */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
