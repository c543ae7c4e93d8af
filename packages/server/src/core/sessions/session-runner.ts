/**
 * Runs one session that this server owns: holds its lease, writes its events, starts its CLI process when there is something
 * to do, and hands it one message at a time. What a person steers in goes at once.
 */
import type { NewEvent, PermissionMode, SessionState, Turn } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import type { Logger } from '../logger.ts'
import type { Agent, AgentSpec, AgentTurnEnd, LiveAgent } from '../ports/agent.ts'
import type { Clock } from '../ports/clock.ts'
import { type Coordination, type LeaseGrant, StaleEpochError } from '../ports/coordination.ts'
import type { SessionRecord } from '../ports/records.ts'
import { LiveProcess } from './live-process.ts'
import { outcomeOfLost } from './lost-turn.ts'
import { toMcpHealth } from './mcp-health.ts'
import type { SessionEvents } from './session-events.ts'
import type { PermissionHandlers, ProcessCosts, SessionHost } from './session-host.ts'
import { within } from './within.ts'

export interface RunnerParts {
  agent: Agent
  coordination: Coordination
  clock: Clock
  logger: Logger
  costs(runner: SessionRunner): ProcessCosts
  permissions(runner: SessionRunner): Promise<PermissionHandlers>
  /** What the CLI is started with, made anew each time. */
  spec(record: SessionRecord): Promise<AgentSpec>
  /** Waits for a free place among the live processes; the returned function gives it back. Rejects when the signal says so. */
  takePlace(runner: SessionRunner, signal: AbortSignal): Promise<() => void>
  /** Gives the lease back. */
  release(grant: LeaseGrant): Promise<void>
  change(id: string, change: Partial<SessionRecord>): Promise<SessionRecord | undefined>
  /** Something that a list of sessions shows has changed. */
  changed(sessionId: string): void
  /** The session turned out to belong to another process. */
  lost(runner: SessionRunner): void
}

/** After so many ends of the process without a finished turn in between, a person has to start it again. */
const maxCrashes = 3
const interruptMs = 10_000
/** How long a CLI may take to accept a message while the session is being closed. */
const handOverMs = 2000

export class SessionRunner {
  readonly grant: LeaseGrant
  readonly events: SessionEvents
  record: SessionRecord
  /** When it was last used, on the monotonic clock. */
  lastUsed: number
  readonly #parts: RunnerParts
  #process: LiveProcess | undefined
  #opening: Promise<LiveProcess> | undefined
  #state: SessionState
  #pumping: Promise<void> | undefined
  #pumpAgain = false
  /** A message is on its way from the queue to the CLI. */
  #handing: Promise<boolean> | undefined
  #draining = false
  #paused = false
  #expectsWork = false
  /** The next message is for a new process. */
  #restart = false
  #closing: Promise<void> | undefined
  readonly #giveUp = new AbortController()
  #crashes = 0

  constructor(parts: RunnerParts, record: SessionRecord, grant: LeaseGrant, events: SessionEvents) {
    this.#parts = parts
    this.record = record
    this.grant = grant
    this.events = events
    // A pause ends with the process that it held.
    this.#state = record.state === 'paused' ? 'idle' : record.state
    this.lastUsed = parts.clock.monotonic()
  }

  get id(): string {
    return this.record.id
  }

  get state(): SessionState {
    return this.#state
  }

  get live(): boolean {
    return this.#process !== undefined
  }

  get pid(): number | undefined {
    return this.#process?.agent.pid
  }

  get runningTurnId(): string | undefined {
    return this.#process?.turns.running?.id
  }

  /** A turn runs, or is certain to begin; and it waits for nobody. */
  get working(): boolean {
    const isHeld = this.#state === 'waiting' || this.#state === 'paused'
    return this.#handing !== undefined || (this.#process?.turns.busy === true && !isHeld)
  }

  /** It is being closed, or was: nothing runs here any more. */
  get closing(): boolean {
    return this.#closing !== undefined
  }

  /** It works, waits for a person, or has something to do: it must not be ended to make room. */
  get busy(): boolean {
    const working = this.#process?.busy || (this.#process?.backgroundTasks ?? 0) > 0
    return (
      working ||
      this.#expectsWork ||
      Boolean(this.#opening ?? this.#pumping) ||
      ['waiting', 'paused', 'working'].includes(this.#state)
    )
  }

  /** The process, for what only a live one can do. */
  get agent(): LiveAgent {
    if (!this.#process)
      throw new AppError('conflict', 'The session’s process is not running. Start the session first.')
    return this.#process.agent
  }

  /** Its process is being started. */
  get starting(): boolean {
    return this.#opening !== undefined
  }

  /** The process, once a start that is under way is over; undefined when there is none. */
  async whenOpen(): Promise<LiveProcess | undefined> {
    await this.#opening?.catch(() => undefined)
    return this.#process
  }

  /** What the process was started with has changed: it is started anew before the next message. */
  restartWhenIdle(): void {
    this.#restart = this.#process !== undefined
  }

  /** Starts the process if it does not run, also after crashes. */
  async start(): Promise<void> {
    this.#crashes = 0
    await this.#ensureProcess()
    this.wake()
  }

  /** Starts the process ahead of the first message, and has it do what its first turn would otherwise wait for. */
  async warm(): Promise<void> {
    await this.start()
    await this.#process?.agent.contextUsage()
  }

  /** A message is about to be handed over with `wake()`: until then it counts as busy. */
  expectWork(): void {
    this.#expectsWork = true
    this.lastUsed = this.#parts.clock.monotonic()
  }

  /** Something may be to do: a message was accepted, a turn ended, the server started. */
  wake(): void {
    this.lastUsed = this.#parts.clock.monotonic()
    this.#expectsWork = false
    this.#pumpAgain = true
    if (this.#closing || this.#pumping) return
    this.#pumping = this.#pump()
      .catch((error: unknown) => this.fault(error))
      .finally(() => {
        this.#pumping = undefined
        if (this.#pumpAgain) this.wake()
        else this.#parts.changed(this.id)
      })
  }

  async tellQueue(): Promise<void> {
    const queue = await this.#parts.coordination.turns.queued(this.id)
    this.events.emit({ type: 'queue_update', queue })
    this.#parts.changed(this.id)
  }

  /** Puts a waiting message into the turn that runs; without one it stays in its place. Undefined when it no longer waits. */
  async steer(turnId: string): Promise<Turn | undefined> {
    const { turns } = this.#parts.coordination
    const process = this.#process
    if (process?.turns.running) {
      const turn = await turns.claimTurn(this.id, this.grant.epoch, turnId)
      if (!turn) return undefined
      await process.send({ ...turn, cause: 'steer' }, 'steer')
      await this.tellQueue()
    } else this.wake()
    return turns.get(this.id, turnId)
  }

  /** Stops the turn that runs. Always answers: a CLI that does not is ended. */
  async interrupt(reason: string): Promise<void> {
    const process = this.#process ?? (await this.whenOpen())
    // A message that is on its way is interrupted too, once it has arrived.
    await this.#handing?.catch(() => undefined)
    if (!process) return
    if (await within(interruptMs, this.#parts.clock, process.agent.interrupt())) return
    this.#parts.logger.warn({ sessionId: this.id }, 'the CLI did not answer an interrupt and is ended')
    await process.close(reason)
  }

  async pause(): Promise<void> {
    await this.agent.pause()
    this.#paused = true
    this.setState('paused')
  }

  async resume(): Promise<void> {
    await this.agent.resume()
    this.#paused = false
    this.setState(this.runningTurnId ? 'working' : 'idle')
    this.wake()
  }

  /** Ends the process in good order; the session stays this server's. */
  async stop(reason: string): Promise<void> {
    const process = this.#process ?? (await this.#opening?.catch(() => undefined))
    await process?.close(reason)
  }

  /** No further message begins; what runs goes on. */
  drain(): void {
    this.#draining = true
  }

  /** Ends the process and gives the session back. */
  close(reason: string): Promise<void> {
    this.#closing ??= (async () => {
      this.#giveUp.abort()
      // A message that is on its way arrives first: what became of it can then be told from the transcript.
      if (this.#handing) await within(handOverMs, this.#parts.clock, this.#handing)
      await this.stop(reason)
      await this.#pumping
      await this.events.close()
      await this.#parts.release(this.grant)
    })()
    return this.#closing
  }

  /** Another process has the session: this one must end its CLI at once, and write nothing. */
  async abandon(): Promise<void> {
    this.#closing ??= Promise.resolve()
    this.#giveUp.abort()
    await this.#process?.agent.close().catch(() => undefined)
  }

  setState(state: SessionState, reason?: string): void {
    if (state === this.#state && !reason) return
    this.#state = state
    this.emitStatus(reason)
    // `working` and `waiting` follow from the turns; the others must outlast the process.
    if (state === 'working' || state === 'waiting') this.#parts.changed(this.id)
    else void this.change({ state }).catch((error: unknown) => this.fault(error))
  }

  emitStatus(reason?: string): void {
    const { model, permissionMode, cliSessionIds } = this.record
    const cliSessionId = cliSessionIds.at(-1)
    this.events.emit({
      type: 'session_status',
      state: this.#state,
      live: this.live,
      permission_mode: permissionMode,
      background_tasks: this.#process?.backgroundTasks ?? 0,
      ...(model && { model }),
      ...(cliSessionId && { cli_session_id: cliSessionId }),
      ...(reason && { reason }),
    })
  }

  async change(change: Partial<SessionRecord>): Promise<void> {
    const changed = await this.#parts.change(this.id, change)
    if (changed) this.record = changed
    this.#parts.changed(this.id)
  }

  fault(error: unknown): void {
    if (error instanceof StaleEpochError) {
      void this.abandon()
      this.#parts.lost(this)
      return
    }
    this.#parts.logger.error({ sessionId: this.id, err: error }, 'session fault')
    const message = error instanceof Error ? error.message : String(error)
    this.events.emit({ type: 'error', code: error instanceof AppError ? error.code : 'internal', message })
  }

  async #pump(): Promise<void> {
    const { turns } = this.#parts.coordination
    while (this.#pumpAgain) {
      this.#pumpAgain = false
      if (this.#isHeld || this.#process?.busy) return
      if (this.#crashes >= maxCrashes || (await turns.queued(this.id)).length === 0) return
      const process = await this.#ensureProcess().catch((error: unknown) => this.#failNext(error))
      if (!process || this.#isHeld || process.busy) return
      if (this.#restart) {
        this.#restart = false
        await process.close('a limit was changed')
        this.#pumpAgain = true
        continue
      }
      this.#handing = this.#handOver(process).finally(() => {
        this.#handing = undefined
      })
      if (!(await this.#handing)) return
      await this.tellQueue()
    }
  }

  get #isHeld(): boolean {
    return this.#closing !== undefined || this.#draining || this.#paused
  }

  /** The next message goes to the CLI. False when there is none. */
  async #handOver(process: LiveProcess): Promise<boolean> {
    const turn = await this.#parts.coordination.turns.claim(this.id, this.grant.epoch)
    if (turn) await process.send(turn, 'queue')
    return turn !== undefined
  }

  #ensureProcess(): Promise<LiveProcess> {
    if (this.#process) return Promise.resolve(this.#process)
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #open(): Promise<LiveProcess> {
    const giveBack = await this.#parts.takePlace(this, this.#giveUp.signal)
    const process = await this.#startProcess().catch((error: unknown) => {
      giveBack()
      throw error
    })
    void process.ended.then(giveBack)
    if (process.isGone) throw new AppError('agent_failed', 'The CLI ended right after its start.')
    this.#process = process
    const { cliSessionId } = process.agent
    const cliSessionIds = this.record.cliSessionIds.includes(cliSessionId)
      ? this.record.cliSessionIds
      : [...this.record.cliSessionIds, cliSessionId]
    await this.change({ cliSessionIds })
    this.setState('idle', 'the process started')
    this.#tellMcpServers(process.agent).catch((error: unknown) => this.fault(error))
    return process
  }

  async #startProcess(): Promise<LiveProcess> {
    const process = new LiveProcess(this.#host(await this.#parts.permissions(this)))
    if (this.#closing) throw new AppError('unavailable', 'The session is being closed.')
    await process.open(this.#parts.agent, await this.#parts.spec(this.record))
    if (this.#closing) {
      await process.close('the session was given up')
      throw new AppError('unavailable', 'The session is being closed.')
    }
    return process
  }

  async #tellMcpServers(agent: LiveAgent): Promise<void> {
    const servers = await agent.mcpStatus()
    this.events.emit({ type: 'mcp_status', servers: servers.map(toMcpHealth) })
  }

  /** The process does not start: the next message ends with that reason, the others wait for a person. */
  async #failNext(error: unknown): Promise<undefined> {
    const { turns } = this.#parts.coordination
    const reason = error instanceof Error ? error.message : String(error)
    this.#parts.logger.error({ sessionId: this.id, err: error }, 'the agent did not start')
    this.#crashes = maxCrashes
    const turn = this.#closing ? undefined : await turns.claim(this.id, this.grant.epoch)
    if (!turn) return undefined
    const endedAt = new Date(this.#parts.clock.now()).toISOString()
    const events: NewEvent[] = [
      { type: 'turn_start', turn_id: turn.id, cause: turn.cause },
      { type: 'user_message', message_id: turn.id, turn_id: turn.id, content: turn.content ?? '' },
      { type: 'turn_end', turn_id: turn.id, outcome: 'failed', reason },
    ]
    await this.events.storeThenEmit(
      () => turns.end(this.id, this.grant.epoch, turn.id, { outcome: 'failed', endedAt, reason }),
      () => events,
    )
    this.setState('failed', reason)
    await this.tellQueue()
    return undefined
  }

  #host(permissions: PermissionHandlers): SessionHost {
    const { coordination, clock, logger, agent } = this.#parts
    return {
      grant: this.grant,
      events: this.events,
      coordination,
      clock,
      logger,
      costs: this.#parts.costs(this),
      permissions,
      record: () => this.record,
      outcomeOfLost: (turn, reason) => outcomeOfLost(agent, this.record, turn.id, reason),
      processState: (state) => this.#processState(state),
      permissionMode: (mode) => this.#followMode(mode),
      turnBegan: () => {
        if (!this.#paused) this.setState('working')
      },
      turnEnded: (outcome) => this.#turnEnded(outcome),
      processEnded: (end) => this.#processEnded(end),
      fault: (error) => this.fault(error),
    }
  }

  /** The CLI's own word on its state; how the last turn ended says more than `idle`. */
  #processState(state: 'working' | 'waiting' | 'idle' | 'paused'): void {
    if (this.#paused && state !== 'paused') return
    if (state === 'idle' && !['working', 'waiting'].includes(this.#state)) return this.#parts.changed(this.id)
    this.setState(state)
  }

  #followMode(permissionMode: PermissionMode): void {
    if (permissionMode !== this.record.permissionMode)
      void this.change({ permissionMode }).catch((error: unknown) => this.fault(error))
  }

  #turnEnded(outcome: AgentTurnEnd['outcome']): void {
    this.#crashes = 0
    // Text that was still streaming ends a turn also while a person holds the session: it stays held.
    if (!this.#paused)
      this.setState(outcome === 'interrupted' ? 'interrupted' : outcome === 'completed' ? 'idle' : 'failed')
    const cliSessionId = this.#process?.agent.cliSessionId
    const known = this.record.cliSessionIds
    const cliSessionIds = cliSessionId && !known.includes(cliSessionId) ? [...known, cliSessionId] : known
    void this.change({ cliSessionIds }).catch((error: unknown) => this.fault(error))
    this.wake()
  }

  #processEnded(end: { wanted: boolean; error: string | undefined; hadTurn: boolean }): void {
    this.#process = undefined
    this.#paused = false
    if (!end.wanted) this.#crashes++
    if (end.hadTurn) this.setState('interrupted', end.error)
    else if (end.error && !end.wanted) this.setState('failed', end.error)
    else if (['working', 'waiting', 'paused'].includes(this.#state)) this.setState('idle')
    else this.emitStatus()
    this.wake()
  }
}
