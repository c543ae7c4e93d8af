/**
 * Keeps agents alive. Knows which sessions this server owns, starts and ends their processes within the limits, admits
 * messages durably before anything runs, and recovers everything after a crash.
 */
import { randomUUID } from 'node:crypto'
import { type MessageContent, type Saying, say, type Turn, type TurnReasonCode } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import type { EventPipeline } from '../events/event-pipeline.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { LeaseGrant, NewTurn } from '../ports/coordination.ts'
import type { SessionRecord } from '../ports/records.ts'
import { isRunnable } from './message-pump.ts'
import { ProcessLimit } from './process-limit.ts'
import { recoverSession } from './recover.ts'
import { SessionEmitter } from './session-emitter.ts'
import { type RunnerParts, SessionRunner } from './session-runner.ts'
import { Watchdog } from './watchdog.ts'

const tidyMs = 15_000
const watchMs = 5_000

/** A lease is renewed three times before it would run out. */
export const defaultLeaseMs = 15_000

export interface ManagerParts extends RunnerParts {
  leaseMs: number
  pipeline: EventPipeline
  limits(): { maxLive: number; maxMemoryMb: number; idleMs: number }
  /** Proportional memory of a process in MB; 0 where it cannot be determined. */
  memoryOf(pid: number): Promise<number>
  /** Voids approvals that an earlier owner left open. */
  voidApprovals(runner: SessionRunner, reason: Saying): Promise<void>
}

export interface MessageOptions {
  principal: string
  delivery: 'queue' | 'steer'
  /** Default: `message`. That one is steered into a turn is found out when it is. */
  cause?: Exclude<NewTurn['cause'], 'steer'>
  idempotencyKey?: string
  /** The turn whose message it is sent in place of. */
  replaces?: string
}

export class AgentManager {
  readonly #parts: ManagerParts
  readonly #runners = new Map<string, SessionRunner>()
  readonly #acquiring = new Map<string, Promise<SessionRunner>>()
  readonly #processLimit: ProcessLimit
  readonly #watchdog: Watchdog
  #mcpServers: Record<string, unknown> = {}
  #stopTimers: (() => void)[] = []
  #stopping = false
  readonly #removing = new Set<string>()
  /** Sessions of nobody that had something to do when they were last checked. */
  #waitingUnowned = new Set<string>()
  /** On the monotonic clock: when running turns are no longer waited for. */
  #stopBy = Number.POSITIVE_INFINITY
  /** Resolves when what the last run left is repaired: no session is owned before. */
  readonly #ready: Promise<void>
  #becomeReady: () => void = () => {}

  constructor(parts: ManagerParts) {
    this.#parts = parts
    this.#ready = new Promise((resolve) => {
      this.#becomeReady = resolve
    })
    const { agent, coordination, clock, logger } = parts
    this.#watchdog = new Watchdog({
      turns: coordination.turns,
      clock,
      logger,
      settle: (runner, open) => recoverSession({ runner, open, agent, coordination, clock }),
    })
    this.#processLimit = new ProcessLimit({
      clock: parts.clock,
      logger: parts.logger,
      limits: parts.limits,
      processes: () => this.#processes(),
      yieldSpare: () => this.#yieldSpare(),
      end: (sessionId, reason) => this.#letGoIfIdle(sessionId, reason),
    })
  }

  /** The in-process MCP servers of every session, from now on and in those that run. */
  async setMcpServers(servers: Record<string, unknown>): Promise<void> {
    this.#mcpServers = servers
    await Promise.all(this.runners().map((runner) => runner.inject(servers)))
  }

  /**
   * Recovers what earlier runs and other servers left, now and whenever one dies, and keeps leases and limits from now
   * on. Messages that were accepted and never sent run, unless a person holds them.
   */
  async start(): Promise<void> {
    const { coordination, agent, logger, owner, leaseMs } = this.#parts
    const swept = await agent.sweep()
    if (swept > 0) logger.info({ processes: swept }, 'processes that an earlier run left were ended')
    await coordination.leases.inherit(owner)
    const pending = await coordination.approvals.countPending(null)
    const unfinished = await coordination.turns.unfinished()
    await this.#recoverAll([...pending.keys(), ...unfinished.map(({ sessionId }) => sessionId)])
    this.#becomeReady()
    this.#repeat(leaseMs / 3, () => this.#renew())
    this.#repeat(leaseMs / 3, async () => this.#recoverAll(await this.#leftWaiting()))
    this.#repeat(tidyMs, () => this.#processLimit.tidy())
    this.#repeat(watchMs, () => this.#watchdog.check(this.runners()))
  }

  /** Recovers these sessions, and those whose owner is gone; what another server runs is its own. */
  async #recoverAll(more: readonly string[]): Promise<void> {
    const { leases, turns } = this.#parts.coordination
    const left = [...(await leases.abandoned()), ...more].filter((id) => !this.#runners.has(id))
    if (left.length === 0) return
    const running = await leases.running(left)
    const ids = new Set(left.filter((id) => !running.has(id)))
    if (ids.size === 0) return
    this.#parts.logger.info({ sessions: ids.size }, 'recovering what a server left that is gone')
    const unfinished = new Map((await turns.unfinished()).map((one) => [one.sessionId, one.open]))
    for (const id of ids)
      await this.#recover(id, unfinished.get(id) ?? []).catch((error: unknown) => {
        if (isTaken(error)) return
        this.#parts.logger.error({ sessionId: id, err: error }, 'a session could not be recovered')
      })
  }

  /** Messages accepted by a server that died before it owned their session. One about to own it is left alone. */
  async #leftWaiting(): Promise<string[]> {
    const { turns, leases } = this.#parts.coordination
    const waiting = (await turns.unfinished()).filter(({ queued }) => queued > 0)
    const owned = await leases.running(waiting.map(({ sessionId }) => sessionId))
    const unowned: string[] = []
    for (const { sessionId } of waiting)
      if (!owned.has(sessionId) && isRunnable(await turns.queued(sessionId))) unowned.push(sessionId)
    const seenBefore = unowned.filter((id) => this.#waitingUnowned.has(id))
    this.#waitingUnowned = new Set(unowned)
    return seenBefore
  }

  /** The runner of a session that this server owns now. */
  peek(sessionId: string): SessionRunner | undefined {
    const runner = this.#runners.get(sessionId)
    return runner?.isReserved ? undefined : runner
  }

  get liveCount(): number {
    return this.runners().filter(({ live, isReserved }) => live && !isReserved).length
  }

  /** Also those that are kept for sessions which nobody has begun. */
  runners(): SessionRunner[] {
    return [...this.#runners.values()]
  }

  /** Makes this server the session's owner. */
  async own(record: SessionRecord, reason: string): Promise<SessionRunner> {
    await this.#ready
    return this.#own(record, reason)
  }

  async #own(record: SessionRecord, reason: string): Promise<SessionRunner> {
    if (this.#removing.has(record.id)) throw new AppError('not_found', say('session_deleting'))
    const owned = this.#runners.get(record.id)
    if (owned && !owned.closing) return owned
    if (this.#stopping) throw new AppError('unavailable', say('server_stopping'))
    const started = this.#acquiring.get(record.id) ?? this.#acquire(record, reason)
    this.#acquiring.set(record.id, started)
    return started.finally(() => this.#acquiring.delete(record.id))
  }

  /** Admits a message: when this resolves it is on disk and will run, whatever happens to this process. */
  async sendMessage(record: SessionRecord, content: MessageContent, options: MessageOptions): Promise<Turn> {
    if (this.#stopping) throw new AppError('unavailable', say('server_stopping_unaccepted'))
    const { turns } = this.#parts.coordination
    if (this.#removing.has(record.id)) throw new AppError('not_found', say('session_deleting'))
    const { principal, delivery, cause = 'message', idempotencyKey, replaces } = options
    const { outcome, turn } = await turns.admit({
      id: randomUUID(),
      sessionId: record.id,
      cause,
      content,
      principal,
      createdAt: isoTime(this.#parts.clock.now()),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(replaces !== undefined && { replaces }),
    })
    if (outcome === 'mismatch') throw new AppError('idempotency_mismatch', say('key_used_for_message'))
    // One that is known and still waits may have been stored by a server that could not run it.
    if (turn.state !== 'queued') return turn
    await this.#run(record, turn, delivery)
    return (await turns.get(record.id, turn.id)) ?? turn
  }

  /** Ends the process and gives the session up, so that it can be deleted or archived. */
  async letGo(sessionId: string, reason: Saying, code?: TurnReasonCode): Promise<void> {
    const runner = this.#runners.get(sessionId)
    if (!runner) return
    await runner.close(reason, code)
    if (this.#runners.get(sessionId) === runner) this.#runners.delete(sessionId)
    this.#parts.changed(sessionId)
  }

  /** It was idle when it was chosen; by now it may have got something to do. */
  async #letGoIfIdle(sessionId: string, reason: Saying): Promise<void> {
    const runner = this.#runners.get(sessionId)
    if (!runner || runner.busy) return
    await this.letGo(sessionId, reason)
    // A message that came while it was being ended waits for a new process.
    const waiting = await this.#parts.coordination.turns.queued(sessionId)
    if (isRunnable(waiting) && !this.#stopping) (await this.#own(runner.record, 'a message waits')).wake()
  }

  /** Ends a session for good: nobody owns it again while `work` removes it. */
  async remove(sessionId: string, work: () => Promise<void>): Promise<void> {
    this.#removing.add(sessionId)
    try {
      await this.letGo(sessionId, say('session_deleted'), 'person')
      await work()
    } finally {
      this.#removing.delete(sessionId)
    }
  }

  /**
   * Stops for good: nothing new starts, running turns get `graceMs` to end, then they are interrupted; every process is
   * gone when this resolves. Sessions that wait for a person are not waited for, and messages that wait run after the
   * next start.
   */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true
    this.#becomeReady()
    for (const runner of this.runners()) runner.drain()
    for (const stop of this.#stopTimers.splice(0)) stop()
    this.hurry(graceMs)
    const working = () => this.runners().some((runner) => runner.working)
    while (working() && this.#parts.clock.monotonic() < this.#stopBy) await pause(this.#parts.clock, 50)
    await Promise.allSettled([...this.#acquiring.values()])
    const closed = await Promise.allSettled(
      [...this.#runners.keys()].map((id) => this.letGo(id, say('server_stopped'), 'server_restart')),
    )
    for (const result of closed)
      if (result.status === 'rejected')
        this.#parts.logger.error({ err: result.reason }, 'a session could not be closed in good order')
    await this.#parts.agent.close()
    await this.#parts.pipeline.drained()
  }

  /** Running turns get no more than this from now on: for a second Ctrl-C. */
  hurry(graceMs: number): void {
    this.#stopBy = Math.min(this.#stopBy, this.#parts.clock.monotonic() + graceMs)
  }

  async #run(record: SessionRecord, turn: Turn, delivery: 'queue' | 'steer'): Promise<void> {
    try {
      const runner = await this.own(record, 'a message was accepted')
      runner.expectWork()
      await runner.publishQueue()
      if (delivery === 'steer') await runner.steer(turn.id)
      else runner.wake()
    } catch (error) {
      // The message is on disk: it runs at the next occasion. The sender is notified of its acceptance all the same.
      this.#parts.logger.error(
        { sessionId: record.id, err: error },
        'an accepted message could not be run yet',
      )
    }
  }

  async #acquire(record: SessionRecord, reason: string): Promise<SessionRunner> {
    // The last process may still be ending: two must never work on one transcript.
    await this.#runners.get(record.id)?.close(say('session_taken_anew'))
    const grant = await this.#takeOver(record.id, reason)
    if (!grant) throw new AppError('conflict', say('session_elsewhere'), { details: taken })
    const stored = await this.#parts.sessions.get(record.id)
    const { pipeline, logger } = this.#parts
    const onStale = () => this.#lost(runner)
    // A takeover writes the epoch's first event itself, so the next one is the second.
    const writer = pipeline.writer(grant, 1, onStale)
    const runner: SessionRunner = new SessionRunner(this.#parts, this.#processLimit, {
      record: stored ?? record,
      isReserved: stored === undefined,
      grant,
      events: new SessionEmitter(writer, { sessionId: record.id, logger, onStale }),
      injected: this.#mcpServers,
    })
    this.#runners.set(record.id, runner)
    return runner
  }

  /** The takeover's own event is published like any other, in its place. */
  #takeOver(sessionId: string, reason: string): Promise<LeaseGrant | undefined> {
    const { pipeline, coordination } = this.#parts
    return pipeline.between(async () => {
      const { owner, leaseMs } = this.#parts
      const value = await coordination.leases.acquire(sessionId, owner, leaseMs, reason)
      const takenOver = value && (await coordination.events.latest(sessionId, 'session_taken_over'))
      return { value, events: takenOver ? [takenOver] : [] }
    })
  }

  #lost(runner: SessionRunner): void {
    if (this.#runners.get(runner.id) === runner) this.#runners.delete(runner.id)
    void runner.abandon()
    this.#parts.changed(runner.id)
  }

  async #recover(sessionId: string, open: (Turn & { epoch: number })[]): Promise<void> {
    const record = await this.#parts.sessions.get(sessionId)
    if (!record) {
      // Deleted but for its lease, or never begun.
      const grant = await this.#takeOver(sessionId, 'there is no such session')
      if (grant) await this.#parts.coordination.leases.forget(grant, this.#parts.owner)
      return
    }
    const runner = await this.#own(record, 'the server that ran it is gone')
    const { agent, coordination, clock, voidApprovals } = this.#parts
    await voidApprovals(runner, say('void_server_stopped'))
    await recoverSession({ runner, open, agent, coordination, clock })
    if (isRunnable(await coordination.turns.queued(sessionId))) runner.wake()
    else await this.letGo(sessionId, say('process_spare'))
  }

  async #renew(): Promise<void> {
    const grants = this.runners().map(({ grant }) => grant)
    if (grants.length === 0) return
    const { owner, leaseMs } = this.#parts
    const lost = await this.#parts.coordination.leases.renew(grants, owner, leaseMs)
    for (const { sessionId, epoch } of lost) {
      const runner = this.#runners.get(sessionId)
      if (runner?.grant.epoch === epoch) this.#lost(runner)
    }
  }

  async #processes() {
    const live = this.runners().filter((runner) => runner.live || runner.isSpare)
    const sizes = await Promise.all(
      live.map(({ pid }) => (pid === undefined ? 0 : this.#parts.memoryOf(pid))),
    )
    // Only now: what is used meanwhile must not be taken for idle.
    return live.map((runner, index) => ({
      sessionId: runner.id,
      lastUsed: runner.lastUsed,
      busy: runner.busy,
      spareUntil: runner.spareUntil,
      memoryMb: sizes[index] ?? 0,
    }))
  }

  #yieldSpare(): void {
    const [spare] = this.runners().filter(({ isSpare }) => isSpare)
    spare?.releaseSlot()
    if (!spare) return
    this.letGo(spare.id, say('process_spare')).catch((error: unknown) =>
      this.#parts.logger.warn({ err: error }, 'a spare process could not be ended'),
    )
  }

  #repeat(ms: number, task: () => Promise<void>): void {
    let cancel = () => {}
    const next = () => {
      cancel = this.#parts.clock.after(ms, () => {
        task()
          .catch((error: unknown) => this.#parts.logger.error({ err: error }, 'a task of the manager failed'))
          .finally(() => {
            if (!this.#stopping) next()
          })
      })
    }
    next()
    this.#stopTimers.push(() => cancel())
  }
}

const taken = { owner: 'another server' }

function isTaken(error: unknown): boolean {
  return error instanceof AppError && error.details === taken
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve))
}
