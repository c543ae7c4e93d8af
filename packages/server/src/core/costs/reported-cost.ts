import type { Logger } from '../logger.ts'
import { type RunningCosts, StaleEpochError } from '../ports/coordination.ts'
import type { Ledger } from '../ports/records.ts'

interface ReportDeps {
  ledger: Ledger
  runningCosts: RunningCosts
  logger: Logger
}

/** What one process has used that is not booked, as the other servers know it. Reports must not overlap each other, nor a booking. */
export class ReportedCost {
  readonly #deps: ReportDeps
  readonly #session: { sessionId: string; epoch: number }
  #usd = 0
  /** Undefined until it is asked for: the ledger has changed. */
  #bookedTo: number | undefined

  constructor(deps: ReportDeps, session: { sessionId: string; epoch: number }) {
    this.#deps = deps
    this.#session = session
  }

  /** Writes only what has changed, so at most once for each model call. What fails is made up for by the next one. */
  async report(usd: number): Promise<void> {
    const { sessionId, epoch } = this.#session
    if (usd === this.#usd && (usd === 0 || this.#bookedTo !== undefined)) return
    try {
      this.#bookedTo ??= await this.#newestRow()
      await this.#deps.runningCosts.report(sessionId, epoch, { usd, bookedTo: this.#bookedTo })
      this.#usd = usd
    } catch (error) {
      // The session has another owner, who reports for it.
      if (error instanceof StaleEpochError) return
      const fields = { sessionId, error: String(error) }
      this.#deps.logger.warn(fields, 'other servers do not know what this turn costs')
    }
  }

  /** A turn of the session is in the ledger; `usd` is left of what was used. */
  async booked(usd: number): Promise<void> {
    this.#bookedTo = undefined
    await this.report(usd)
  }

  async #newestRow(): Promise<number> {
    const { sessionId } = this.#session
    const [newest] = await this.#deps.ledger.list({ principal: null, sessionId, limit: 1 })
    return newest?.id ?? 0
  }
}
