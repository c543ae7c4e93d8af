/** The CLI processes of this server whose figures are followed, and what the other servers know of them. */
import type { NewEvent } from '@dorkos/shared'
import type { Logger } from '../logger.ts'
import type { Clock } from '../ports/clock.ts'
import type { RunningCosts } from '../ports/coordination.ts'
import type { Ledger } from '../ports/records.ts'
import { ProcessMeter, type UsageReader } from './process-meter.ts'
import { ReportedCost } from './reported-cost.ts'

/** A CLI process whose figures are to be followed. */
export interface MeteredProcess {
  processId: string
  sessionId: string
  /** In which this server owns the session. */
  epoch: number
  principal: string
  /** False when it resumes or forks a conversation: its figures then begin where that one stood. */
  isNew: boolean
  demo: boolean
  /** Asks the CLI (`get_usage`). Without it, budgets see only turns that have ended. */
  readUsage?: UsageReader
  emit: (event: NewEvent) => void
}

export interface Metered {
  process: MeteredProcess
  meter: ProcessMeter
  /** Has called the model since its last turn was booked. Others have nothing new to report. */
  busy: boolean
  reported: ReportedCost
  /** A call has ended, and its cost is still looked for. */
  cancelLook?: () => void
}

interface MeteringDeps {
  ledger: Ledger
  runningCosts: RunningCosts
  clock: Clock
  logger: Logger
  /** Between two looks the figures of a process rose by this much. */
  onRise(usd: number): void
  /** One after the other with what is booked. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

/** So long after a call the CLI is asked what it cost, unless another has begun and ended by then: the next may be hours away. */
const lookAfterMs = 1000
const longestLookMs = 60_000

export class MeteredProcesses {
  readonly #deps: MeteringDeps
  readonly #processes = new Map<string, Metered>()

  constructor(deps: MeteringDeps) {
    this.#deps = deps
  }

  add(process: MeteredProcess): Metered {
    // What a demo uses is no money, so nobody needs to know of it before its turn is over.
    const meter = new ProcessMeter(process.isNew, process.demo ? undefined : process.readUsage)
    const metered = { process, meter, busy: false, reported: new ReportedCost(this.#deps, process) }
    this.#processes.set(process.processId, metered)
    return metered
  }

  remove(processId: string): Metered | undefined {
    const removed = this.#processes.get(processId)
    this.#processes.delete(processId)
    removed?.cancelLook?.()
    if (removed) void this.#deps.alone(() => removed.reported.report(0))
    return removed
  }

  get(processId: string): Metered | undefined {
    return this.#processes.get(processId)
  }

  all(): Metered[] {
    return [...this.#processes.values()]
  }

  of(sessionId: string): Metered[] {
    return this.all().filter(({ process }) => process.sessionId === sessionId)
  }

  /** Asks each. One that does not answer counts with what it reported last. */
  async refresh(processes: readonly Metered[]): Promise<void> {
    await Promise.all(
      processes.map(async ({ process, meter }) => {
        const before = meter.running.usd
        try {
          await meter.refresh()
        } catch (error) {
          const fields = { sessionId: process.sessionId, error: String(error) }
          this.#deps.logger.warn(fields, 'the CLI did not report what its turn costs')
        }
        this.#deps.onRise(meter.running.usd - before)
      }),
    )
  }

  /** To the other servers, what is known here. */
  async report(processes: readonly Metered[]): Promise<void> {
    await Promise.all(processes.map(({ meter, reported }) => reported.report(meter.running.usd)))
  }

  /** A model call of the session has ended. The CLI may not know its cost yet: it is asked until it does. */
  callEnded(sessionId: string): void {
    for (const metered of this.of(sessionId))
      if (!metered.process.demo) this.#lookLater(metered, lookAfterMs, metered.meter.running.usd)
  }

  /** `before`: what was known when the call ended. */
  #lookLater(metered: Metered, afterMs: number, before: number): void {
    metered.cancelLook?.()
    metered.cancelLook = this.#deps.clock.after(afterMs, async () => {
      await this.refresh([metered])
      await this.#deps.alone(() => this.report([metered]))
      const isOpen = this.#processes.has(metered.process.processId) && metered.busy
      if (isOpen && metered.meter.running.usd === before && afterMs < longestLookMs)
        this.#lookLater(metered, 2 * afterMs, before)
    })
  }
}
