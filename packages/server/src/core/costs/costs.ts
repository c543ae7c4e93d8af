/**
 * What agents cost: every turn goes to the ledger with the CLI's own figures, and budgets are checked before each model
 * call with what the running turns have used so far, those of other servers included.
 */
import type { Budget, Config, NewEvent, SessionCost } from '@dorkos/shared'
import type { Actor } from '../actor.ts'
import type { Logger } from '../logger.ts'
import type { AgentTurnEnd } from '../ports/agent.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { Lease, LeaseOwner, RunningCosts } from '../ports/coordination.ts'
import type { Ledger, SessionRecord } from '../ports/records.ts'
import type { CostService } from '../services.ts'
import { type BudgetRefusal, budgetOf, isWorse, refusalFor, warningKey } from './budget-state.ts'
import { createCostReports } from './cost-reports.ts'
import { durationOf, ledgerRows, totalOf } from './ledger-rows.ts'
import { type Metered, type MeteredProcess, MeteredProcesses } from './metered-processes.ts'
import { OpenCalls } from './open-calls.ts'
import { ProcessMeter } from './process-meter.ts'
import { lastTurn, sessionCost, type TurnFigures } from './session-cost.ts'
import type { ModelUsage } from './usage-figures.ts'

export interface CostsDeps {
  ledger: Ledger
  runningCosts: RunningCosts
  leases: Pick<Lease, 'running'>
  /** This server. */
  owner: LeaseOwner
  sessions: { get(id: string): Promise<Pick<SessionRecord, 'principal' | 'demo' | 'budgetUsd'> | undefined> }
  config: () => Pick<Config, 'sessions' | 'budgets'>
  clock: Clock
  logger: Logger
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

/** How long a call waits near a limit for those before it. */
const holdMs = 60_000

export class Costs {
  readonly service: CostService
  readonly #deps: CostsDeps
  readonly #processes: MeteredProcesses
  readonly #calls: OpenCalls
  /**
   * Why a model call was refused in the turn that runs, by session. Only here: the process whose gateway refuses is the
   * one that ends the turn. Should it die in between, its successor ends the turn as cut off, and the next call is
   * refused by the ledger again.
   */
  readonly #refusals = new Map<string, BudgetRefusal>()
  readonly #warned = new Map<string, Budget['state']>()
  #writing: Promise<unknown> = Promise.resolve()

  constructor(deps: CostsDeps) {
    this.#deps = deps
    this.#calls = new OpenCalls(deps.clock)
    this.#processes = new MeteredProcesses({
      ...deps,
      onRise: (usd) => this.#calls.sawRise(usd),
      alone: (work) => this.#alone(work),
    })
    this.service = createCostReports(deps.ledger, (actor) => this.#allBudgets(actor))
  }

  /** Call when the process has started, before its first message: it is asked where its figures begin. */
  async openProcess(process: MeteredProcess): Promise<void> {
    await this.#processes.refresh([this.#processes.add(process)])
  }

  /** Call when it is gone, after its turns were recorded. */
  closeProcess(processId: string): void {
    const closed = this.#processes.remove(processId)
    if (closed) this.#calls.endAll(closed.process.sessionId)
  }

  /** Puts a turn that ended with a result into the ledger. */
  async recordTurn(turn: EndedTurn & { end: Pick<AgentTurnEnd, 'result'> }): Promise<TurnCost> {
    const { result } = turn.end
    const metered = this.#processes.get(turn.processId)
    const meter = metered?.meter ?? new ProcessMeter(true, undefined)
    const { used, total } = meter.turn(result)
    const cost = await this.#write(turn, used, durationOf(result), async () => {
      meter.book(total)
      if (!metered) return
      metered.busy = false
      metered.cancelLook?.()
      await metered.reported.booked(meter.running.usd)
    })
    const steps =
      typeof result.num_turns === 'number' ? { num_turns: Math.max(0, Math.round(result.num_turns)) } : {}
    return { ...cost, turnEnd: { ...cost.turnEnd, duration_ms: durationOf(result), ...steps } }
  }

  /**
   * Puts a turn into the ledger whose process died in it: with what the CLI had reported last. Nobody else will ever
   * count that; the CLI itself forgets it.
   */
  async recordLostTurn(turn: EndedTurn): Promise<TurnCost> {
    const metered = this.#processes.get(turn.processId)
    const used = metered?.meter.unbooked ?? new Map()
    return await this.#write(turn, used, 0, async () => {
      metered?.meter.book(new Map())
      await metered?.reported.booked(0)
    })
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
        return { ok: false, message: refusal.reason.message }
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
    for (const metered of this.#processes.of(sessionId)) metered.busy = true
    return { ok: true }
  }

  callEnded(sessionId: string): void {
    this.#calls.end(sessionId)
    this.#processes.callEnded(sessionId)
  }

  /** Why a model call of the running turn was refused, and why that turn fails, if it does. `recordTurn` forgets it. */
  refusalOf(sessionId: string): BudgetRefusal | undefined {
    return this.#refusals.get(sessionId)
  }

  /**
   * The session's budgets with what its running turn used, as far as the CLI knows. For logins that do not pass the
   * model gateway, call it after each answer and interrupt the turn when one is `reached`.
   */
  async check(sessionId: string): Promise<Budget[]> {
    const record = await this.#deps.sessions.get(sessionId)
    if (record?.demo) return []
    const day = this.#deps.config().budgets.dayUsd > 0
    const concerned = ({ process, busy }: Metered) => process.sessionId === sessionId || (day && busy)
    const processes = this.#processes.all().filter(concerned)
    await this.#processes.refresh(processes)
    const budgets = await this.#alone(async () => {
      await this.#processes.report(processes)
      return this.#budgetsOf(sessionId, record?.budgetUsd)
    })
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

  /** A budget was raised, lowered or removed: whoever follows sees at once whether a warning still applies. */
  async limitsChanged(concerned?: string): Promise<void> {
    this.#warned.clear()
    const processes = concerned === undefined ? this.#processes.all() : this.#processes.of(concerned)
    for (const { process } of processes) {
      const cost = await this.current(process.sessionId)
      if (cost) process.emit({ type: 'cost_update', ...cost })
    }
  }

  #runningFigures(sessionId: string): TurnFigures | undefined {
    const [metered] = this.#processes.of(sessionId)
    return metered && metered.meter.running.usd > 0 ? { ...metered.meter.running, demo: false } : undefined
  }

  async #write(
    turn: EndedTurn,
    used: ModelUsage,
    durationMs: number,
    book: () => Promise<void>,
  ): Promise<TurnCost> {
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
      await book()
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
      ledger.spent({ principal: null, sessionId }),
      ledger.spent({ principal: null, from: dayOf(clock) }),
    ])
    const budgets = figures.demo ? [] : await this.#budgetsOf(sessionId, record?.budgetUsd)
    return { cost: sessionCost(figures, { session, day }, budgets), budgets }
  }

  /** In the middle of a turn too, people are warned once when a budget comes to its warning or its end. */
  async #warn(sessionId: string, budgets: readonly Budget[]): Promise<void> {
    if (!budgets.some((budget) => isWorse(budget, this.#warned.get(warningKey(budget))))) return
    const [metered] = this.#processes.of(sessionId)
    if (!metered) return
    metered.process.emit(await this.#update(sessionId, { ...metered.meter.running, demo: false }))
  }

  async #budgetsOf(sessionId: string, ownLimit: number | undefined): Promise<Budget[]> {
    const { sessions, budgets } = this.#deps.config()
    const limit = ownLimit ?? sessions.budgetUsd
    const used = limit > 0 ? await this.#usedBy(sessionId) : 0
    const own = budgetOf('session', limit, used, budgets.warnAt, sessionId)
    const day = await this.#dayBudget()
    return [own, day].filter((budget) => budget !== undefined)
  }

  async #usedBy(sessionId: string): Promise<number> {
    const isHere = this.#processes.of(sessionId).length > 0
    const others = isHere ? [] : await this.#runningElsewhere()
    const elsewhere = others.filter((cost) => cost.sessionId === sessionId)
    const spent = await this.#deps.ledger.spent({ principal: null, sessionId, upTo: elsewhere })
    return spent + totalUsd(elsewhere) + this.#running(sessionId)
  }

  async #dayBudget(): Promise<Budget | undefined> {
    const { dayUsd, warnAt } = this.#deps.config().budgets
    if (!(dayUsd > 0)) return undefined
    const elsewhere = await this.#runningElsewhere()
    const filter = { principal: null, from: dayOf(this.#deps.clock), upTo: elsewhere }
    const used = (await this.#deps.ledger.spent(filter)) + totalUsd(elsewhere) + this.#running()
    return budgetOf('day', dayUsd, used, warnAt)
  }

  /** What turns of other servers cost so far. The meters here know more of this one's. */
  async #runningElsewhere() {
    const own = new Set(this.#processes.all().map(({ process }) => process.sessionId))
    return (await this.#deps.runningCosts.list()).filter(({ sessionId }) => !own.has(sessionId))
  }

  async #allBudgets({ principal }: Actor): Promise<Budget[]> {
    const own = this.#processes.all().filter(({ process }) => process.principal === principal)
    const ids = [
      ...new Set(own.map(({ process }) => process.sessionId)),
      ...(await this.#elsewhere(principal)),
    ]
    const budgets = await Promise.all(ids.map((id) => this.check(id)))
    const day = await this.#alone(() => this.#dayBudget())
    return [...(day ? [day] : []), ...budgets.flat().filter(({ kind }) => kind === 'session')]
  }

  /** The principal's sessions that other servers run. */
  async #elsewhere(principal: string): Promise<string[]> {
    const { leases, sessions, owner } = this.#deps
    const ids = [...(await leases.running())].flatMap(([id, lease]) => (lease.owner === owner ? [] : id))
    const records = await Promise.all(ids.map((id) => sessions.get(id)))
    return ids.filter((_, index) => records[index]?.principal === principal)
  }

  #running(sessionId?: string): number {
    const processes = sessionId === undefined ? this.#processes.all() : this.#processes.of(sessionId)
    return totalUsd(processes.map(({ meter }) => meter.running))
  }

  /** One after the other, so that no turn is counted both as running and in the ledger. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#writing.then(work)
    this.#writing = done.catch(() => undefined)
    return done
  }
}

function totalUsd(costs: readonly { usd: number }[]): number {
  return costs.reduce((total, { usd }) => total + usd, 0)
}

/** When the day began, in UTC. */
function dayOf(clock: Clock): string {
  return `${isoTime(clock.now()).slice(0, 10)}T00:00:00.000Z`
}
