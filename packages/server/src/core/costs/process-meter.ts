import type { CliMessage } from '../ports/agent.ts'
import { type TurnUsage, usageOfTurn } from './ledger-rows.ts'
import { type Figures, type ModelUsage, readUsage, sum, usageSince } from './usage-figures.ts'

/** What the CLI answers to `get_usage`: its figures up to the last model call that ended, in the middle of a turn too. */
export type UsageReader = () => Promise<Record<string, unknown>>

/**
 * Follows the figures of one CLI process. They are cumulative, and those of a resumed or forked conversation begin where
 * that one stood, so what counts is always the difference to a point that is known.
 */
export class ProcessMeter {
  readonly #read: UsageReader | undefined
  /** Where the process stood after its last turn; undefined while that is not known. */
  #booked: ModelUsage | undefined
  #newest: ModelUsage | undefined
  #turns = 0

  /** `isNew`: the conversation begins with this process, so its figures begin at nothing. */
  constructor(isNew: boolean, read: UsageReader | undefined) {
    this.#booked = isNew ? new Map() : undefined
    this.#read = read
  }

  /** What was used since the last turn that is in the ledger. */
  get unbooked(): ModelUsage {
    return this.#booked && this.#newest ? usageSince(this.#booked, this.#newest) : new Map()
  }

  get running(): Figures {
    return sum(this.unbooked.values())
  }

  /** Asks the process. The first answer of one that inherits figures is where it begins. Keeps what it knows when that fails. */
  async refresh(): Promise<void> {
    if (!this.#read) return
    const turns = this.#turns
    const { session } = await this.#read()
    // A turn was booked meanwhile: this may be from before.
    if (turns !== this.#turns) return
    const usage = readUsage((session as { model_usage?: unknown } | undefined)?.model_usage)
    if (!usage) return
    this.#booked ??= usage
    this.#newest = usage
  }

  /** What a turn used, by its result. Call `book` once it is in the ledger. */
  turn(result: CliMessage): TurnUsage {
    return usageOfTurn(result, this.#booked ?? new Map())
  }

  book(total: ModelUsage): void {
    this.#turns++
    this.#booked = total
    this.#newest = total
  }
}
