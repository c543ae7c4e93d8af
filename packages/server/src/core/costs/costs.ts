/**
 * What agents cost: every turn goes to the ledger with the CLI's own figures, and budgets are checked before each model
 * call with what the running turns have used so far.
 */
import type { Budget, Config, NewEvent, SessionCost } from '@dorkos/shared'
import type { Actor } from '../actor.ts'
import type { Logger } from '../logger.ts'
import type { AgentTurnEnd } from '../ports/agent.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { Ledger, SessionRecord } from '../ports/records.ts'
import type { CostService } from '../services.ts'
import { type BudgetRefusal, budgetOf, isWorse, refusalFor, warningKey } from './budget-state.ts'
import { createCostReports } from './cost-reports.ts'
import { durationOf, ledgerRows, totalOf } from './ledger-rows.ts'
import { OpenCalls } from './open-calls.ts'
import { ProcessMeter, type UsageReader } from './process-meter.ts'
import { lastTurn, sessionCost, type TurnFigures } from './session-cost.ts'
import type { Usage } from './usage-figures.ts'

export interface CostsDeps {
  ledger: Ledger
  sessions: { get(id: string): Promise<Pick<SessionRecord, 'demo' | 'budgetUsd'> | undefined> }
  config: () => Pick<Config, 'sessions' | 'budgets'>
  clock: Clock
  logger: Logger
}

/** A CLI process whose figures are to be followed. */
export interface MeteredProcess {
  processId: string
  sessionId: string
  principal: string
  /** False when it resumes or forks a conversation: its figures then begin where that one stood. */
  isNew: boolean
  demo: boolean
  /** Asks the CLI (`get_usage`). Without it, budgets see only turns that have ended. */
  readUsage?: UsageReader
  emit: (event: NewEvent) => void
}

export interface TurnCost {
  /** Figures for the turn's `turn_end`. */
  turnEnd: Partial<Extract<NewEvent, { type: 'turn_end' }>>
  /** The `cost_update`. */
  events: NewEvent[]
}

interface EndedTurn {
  record: Pick<SessionRecord, 'id' | 'workspaceId' | 'demo'>
  turnId: string
  /** Who caused it. */
  principal: string
  processId: string
}

type Admission = { ok: true } | { ok: false; message: string }

interface Metered {
  process: MeteredProcess
  meter: ProcessMeter
  /** Has called the model since its last turn was booked. Others have nothing new to report. */
  busy: boolean
}

/** How long a call waits near a limit for those before it. */
const holdMs = 60_000

export class Costs {
  readonly service: CostService
  readonly #deps: CostsDeps
  readonly #processes = new Map<string, Metered>()
  readonly #calls: OpenCalls
  /**
   * Why a model call was refused in the turn that runs, by session. Only here: the process whose gateway refuses is the one that ends the
   * turn. Should it die in between, its successor ends the turn as cut off, and the next call is refused by the ledger again.
   */
  readonly #refusals = new Map<string, BudgetRefusal>()
  readonly #warned = new Map<string, Budget['state']>()
  #writing: Promise<unknown> = Promise.resolve()

  constructor(deps: CostsDeps) {
    this.#deps = deps
    this.#calls = new OpenCalls(deps.clock)
    this.service = createCostReports(deps.ledger, (actor) => this.#allBudgets(actor))
  }

  /** Call when the process has started, before its first message: it is asked where its figures begin. */
  async openProcess(process: MeteredProcess): Promise<void> {
    // What a demo uses is no money, so nobody needs to know of it before its turn is over.
    const read = process.demo ? undefined : process.readUsage
    const metered = { process, meter: new ProcessMeter(process.isNew, read), busy: false }
    this.#processes.set(process.processId, metered)
    await this.#refresh([metered])
  }

  /** Call when it is gone, after its turns were recorded. */
  closeProcess(processId: string): void {
    const closed = this.#processes.get(processId)
    this.#processes.delete(processId)
    if (closed) this.#calls.endAll(closed.process.sessionId)
  }

  /** Puts a turn that ended with a result into the ledger. */
  async recordTurn(turn: EndedTurn & { end: Pick<AgentTurnEnd, 'result'> }): Promise<TurnCost> {
    const { result } = turn.end
    const metered = this.#processes.get(turn.processId)
    const meter = metered?.meter ?? new ProcessMeter(true, undefined)
    const { used, total } = meter.turn(result)
    const cost = await this.#write(turn, used, durationOf(result), () => {
      meter.book(total)
      if (metered) metered.busy = false
    })
    const steps =
      typeof result.num_turns === 'number' ? { num_turns: Math.max(0, Math.round(result.num_turns)) } : {}
    return { ...cost, turnEnd: { ...cost.turnEnd, duration_ms: durationOf(result), ...steps } }
  }

  /**
   * Puts a turn into the ledger whose process died in it: with what the CLI had reported last. Nobody else will ever count that;
   * the CLI itself forgets it.
   */
  async recordLostTurn(turn: EndedTurn): Promise<TurnCost> {
    const meter = this.#processes.get(turn.processId)?.meter
    const used = meter?.unbooked ?? new Map()
    return await this.#write(turn, used, 0, () => meter?.book(new Map()))
  }

  /** Whether the session may call the model now. `callEnded` must follow each call that was admitted. */
  async admit(sessionId: string): Promise<Admission> {
    for (let patience = holdMs; ; ) {
      const { ended } = this.#calls
      const budgets = await this.check(sessionId)
      if (budgets.length === 0) return { ok: true }
      const reached = budgets.find(({ state }) => state === 'reached')
      if (reached) {
        const refusal = refusalFor(reached)
        this.#refusals.set(sessionId, refusal)
        return { ok: false, message: refusal.reason }
      }
      if (patience <= 0) break
      if (budgets.some((budget) => this.#calls.mustWait(budget, sessionId))) {
        if ((await this.#calls.nextEnd(patience)) === 'late') patience = 0
        continue
      }
      const isOld = ended !== this.#calls.ended && budgets.some((budget) => this.#calls.isNear(budget, 2))
      if (!isOld) break
    }
    this.#calls.begin(sessionId)
    for (const metered of this.#processes.values())
      if (metered.process.sessionId === sessionId) metered.busy = true
    return { ok: true }
  }

  callEnded(sessionId: string): void {
    this.#calls.end(sessionId)
  }

  /** Why a model call of the running turn was refused. A turn that then failed, failed for this; `recordTurn` forgets it. */
  refusalOf(sessionId: string): BudgetRefusal | undefined {
    return this.#refusals.get(sessionId)
  }

  /**
   * The session's budgets with what its running turn used, as far as the CLI knows. For logins that do not pass the model
   * gateway, call it after each answer and interrupt the turn when one is `reached`.
   */
  async check(sessionId: string): Promise<Budget[]> {
    const record = await this.#deps.sessions.get(sessionId)
    if (record?.demo) return []
    const day = this.#deps.config().budgets.dayUsd > 0
    const concerned = ({ process, busy }: Metered) => process.sessionId === sessionId || (day && busy)
    await this.#refresh([...this.#processes.values()].filter(concerned))
    const budgets = await this.#alone(() => this.#budgetsOf(sessionId, record?.budgetUsd))
    await this.#warn(sessionId, budgets)
    return budgets
  }

  /** What a `cost_update` would say now; undefined until the session's first turn ended. */
  current(sessionId: string): Promise<SessionCost | undefined> {
    return this.#alone(async () => {
      const figures = this.#runningFigures(sessionId) ?? (await lastTurn(this.#deps.ledger, sessionId))
      return figures && (await this.#costOf(sessionId, figures)).cost
    })
  }

  /** A budget was raised, lowered or taken away: who watches sees at once whether there still is something to warn of. */
  async limitsChanged(concerned?: string): Promise<void> {
    this.#warned.clear()
    for (const { process } of this.#processes.values()) {
      if (concerned !== undefined && process.sessionId !== concerned) continue
      const cost = await this.current(process.sessionId)
      if (cost) process.emit({ type: 'cost_update', ...cost })
    }
  }

  #runningFigures(sessionId: string): TurnFigures | undefined {
    const metered = [...this.#processes.values()].find(({ process }) => process.sessionId === sessionId)
    return metered && metered.meter.running.usd > 0 ? { ...metered.meter.running, demo: false } : undefined
  }

  async #write(turn: EndedTurn, used: Usage, durationMs: number, book: () => void): Promise<TurnCost> {
    const { record, turnId, principal } = turn
    const facts = {
      time: isoTime(this.#deps.clock.now()),
      session_id: record.id,
      turn_id: turnId,
      workspace_id: record.workspaceId,
      principal,
      demo: record.demo,
    }
    const rows = ledgerRows(facts, used, durationMs)
    await this.#alone(async () => {
      await this.#deps.ledger.append(rows)
      book()
    })
    this.#refusals.delete(record.id)
    this.#calls.endAll(record.id)
    const { usd, tokens } = totalOf(rows)
    const update = await this.#update(record.id, { usd, tokens, turnId, demo: record.demo })
    return { turnEnd: { usd, tokens }, events: [update] }
  }

  async #update(sessionId: string, figures: TurnFigures): Promise<NewEvent> {
    const { cost, budgets } = await this.#costOf(sessionId, figures)
    for (const budget of budgets) this.#warned.set(warningKey(budget), budget.state)
    return { type: 'cost_update', ...cost }
  }

  /** The figures of a turn with the totals and budgets of now. */
  async #costOf(sessionId: string, figures: TurnFigures) {
    const { ledger, sessions, clock } = this.#deps
    const [record, session, day] = await Promise.all([
      sessions.get(sessionId),
      ledger.spent({ sessionId }),
      ledger.spent({ from: dayOf(clock) }),
    ])
    const budgets = figures.demo ? [] : await this.#budgetsOf(sessionId, record?.budgetUsd)
    return { cost: sessionCost(figures, { session, day }, budgets), budgets }
  }

  /** In the middle of a turn too, people are warned once when a budget comes to its warning or its end. */
  async #warn(sessionId: string, budgets: readonly Budget[]): Promise<void> {
    if (!budgets.some((budget) => isWorse(budget, this.#warned.get(warningKey(budget))))) return
    const metered = [...this.#processes.values()].find(({ process }) => process.sessionId === sessionId)
    if (!metered) return
    metered.process.emit(await this.#update(sessionId, { ...metered.meter.running, demo: false }))
  }

  async #budgetsOf(sessionId: string, ownLimit: number | undefined): Promise<Budget[]> {
    const { sessions, budgets } = this.#deps.config()
    const limit = ownLimit ?? sessions.budgetUsd
    const used = limit > 0 ? (await this.#deps.ledger.spent({ sessionId })) + this.#running(sessionId) : 0
    const own = budgetOf('session', limit, used, budgets.warnAt, sessionId)
    const day = await this.#dayBudget()
    return [own, day].filter((budget) => budget !== undefined)
  }

  async #dayBudget(): Promise<Budget | undefined> {
    const { dayUsd, warnAt } = this.#deps.config().budgets
    if (!(dayUsd > 0)) return undefined
    const used = (await this.#deps.ledger.spent({ from: dayOf(this.#deps.clock) })) + this.#running()
    return budgetOf('day', dayUsd, used, warnAt)
  }

  async #allBudgets({ principal }: Actor): Promise<Budget[]> {
    const own = [...this.#processes.values()].filter(({ process }) => process.principal === principal)
    const ids = new Set(own.map(({ process }) => process.sessionId))
    const budgets = await Promise.all([...ids].map((id) => this.check(id)))
    const day = await this.#alone(() => this.#dayBudget())
    return [...(day ? [day] : []), ...budgets.flat().filter(({ kind }) => kind === 'session')]
  }

  #running(sessionId?: string): number {
    let usd = 0
    for (const { process, meter } of this.#processes.values())
      if (sessionId === undefined || process.sessionId === sessionId) usd += meter.running.usd
    return usd
  }

  /** A process that does not answer counts with what it reported last. */
  async #refresh(processes: readonly Metered[]): Promise<void> {
    await Promise.all(
      processes.map(async ({ process, meter }) => {
        const before = meter.running.usd
        try {
          await meter.refresh()
        } catch (error) {
          const fields = { sessionId: process.sessionId, error: String(error) }
          this.#deps.logger.warn(fields, 'the CLI did not tell what its turn costs')
        }
        this.#calls.sawRise(meter.running.usd - before)
      }),
    )
  }

  /** One after the other, so that no turn is counted both as running and in the ledger. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#writing.then(work)
    this.#writing = done.catch(() => undefined)
    return done
  }
}

/** When the day began, in UTC. */
function dayOf(clock: Clock): string {
  return `${isoTime(clock.now()).slice(0, 10)}T00:00:00.000Z`
}
