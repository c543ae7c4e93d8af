/**
 * Runs one session that this server owns: holds its lease, writes its events, starts its CLI process when there is something
 * to do, and hands it one message at a time. What a person steers in goes at once.
 */
import type { NewEvent, SessionState, Turn, TurnReasonCode } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import type { Logger } from '../logger.ts'
import type {
  Agent,
  AgentSpec,
  AgentTurnEnd,
  ElicitationAnswer,
  ElicitationQuestion,
  LiveAgent,
} from '../ports/agent.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import { type Coordination, type LeaseGrant, StaleEpochError } from '../ports/coordination.ts'
import type { SessionRecord } from '../ports/records.ts'
import { failTurn } from './fail-turn.ts'
import { LiveProcess } from './live-process.ts'
import { outcomeOfLost } from './lost-turn.ts'
import { ProcessSlot } from './process-slot.ts'
import type { SessionEvents } from './session-events.ts'
import type { PermissionHandlers, ProcessCosts, ProcessMcp, SessionHost } from './session-host.ts'
import { SessionStanding } from './session-standing.ts'
import { within } from './within.ts'

export interface RunnerParts {
  agent: Agent
  coordination: Coordination
  clock: Clock
  logger: Logger
  costs(runner: SessionRunner): ProcessCosts
  permissions(runner: SessionRunner): Promise<PermissionHandlers>
  /** What the CLI is started with but for MCP servers, made anew each time. */
  spec(record: SessionRecord): Promise<Omit<AgentSpec, 'mcpServers'>>
  /** Before each message and after each turn: whether the place is still as it was. May ask for a restart. */
  lookAtPlace(record: SessionRecord): Promise<void>
  mcp(runner: SessionRunner): ProcessMcp
  /** The MCP servers that every session gets. */
  injected(): Record<string, unknown>
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
  /** When it was last used, on the monotonic clock. */
  lastUsed: number
  readonly #parts: RunnerParts
  readonly #slot: ProcessSlot
  readonly #standing: SessionStanding
  #pumping: Promise<void> | undefined
  #pumpAgain = false
  /** A message is on its way from the queue to the CLI. */
  #handing: Promise<boolean> | undefined
  #draining = false
  #paused = false
  #expectsWork = false
  /** Of the process that lives or starts now. */
  #mcp: ProcessMcp | undefined
  /** Why the next message is for a new process. */
  #restart: string | undefined
  #closing: Promise<void> | undefined
  #crashes = 0

  constructor(parts: RunnerParts, record: SessionRecord, grant: LeaseGrant, events: SessionEvents) {
    this.#parts = parts
    this.grant = grant
    this.events = events
    this.lastUsed = parts.clock.monotonic()
    this.#slot = new ProcessSlot({
      takePlace: (signal) => parts.takePlace(this, signal),
      start: () => this.#startProcess(),
      opened: (process) => this.#opened(process),
    })
    this.#standing = new SessionStanding(
      {
        events,
        process: () => ({ live: this.live, backgroundTasks: this.#process?.backgroundTasks ?? 0 }),
        change: parts.change,
        changed: parts.changed,
        fault: (error) => this.fault(error),
      },
      record,
    )
  }

  get record(): SessionRecord {
    return this.#standing.record
  }

  get #process(): LiveProcess | undefined {
    return this.#slot.process
  }

  get id(): string {
    return this.record.id
  }

  get state(): SessionState {
    return this.#standing.state
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
    const isHeld = this.state === 'waiting' || this.state === 'paused'
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
      this.#slot.starting ||
      this.#pumping !== undefined ||
      ['waiting', 'paused', 'working'].includes(this.state)
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
    return this.#slot.starting
  }

  /** The process, once a start that is under way is over; undefined when there is none. */
  whenOpen(): Promise<LiveProcess | undefined> {
    return this.#slot.whenOpen()
  }

  /** The injected MCP servers are others now: a process that runs gets them. */
  async inject(servers: Record<string, unknown>): Promise<void> {
    if (await this.whenOpen()) await this.#mcp?.inject(servers)
  }

  /** An MCP server asks a person for something, on behalf of this session. */
  async elicit(question: ElicitationQuestion): Promise<ElicitationAnswer> {
    return (await this.#process?.elicit(question)) ?? { action: 'cancel' }
  }

  /** What the process was started with has changed: it is started anew before the next message. */
  restartWhenIdle(reason: string): void {
    if (this.#process || this.#slot.starting) this.#restart = reason
  }

  /** Starts the process if it does not run, also after crashes. */
  async start(): Promise<void> {
    this.#crashes = 0
    await this.#slot.ensure()
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
    // A live one begins on it in a moment, and notes it then.
    if (!this.live) this.#standing.keep(this.#happened())
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
  async interrupt(reason: string, code: TurnReasonCode = 'person'): Promise<void> {
    const process = this.#process ?? (await this.whenOpen())
    // A message that is on its way is interrupted too, once it has arrived.
    await this.#handing?.catch(() => undefined)
    if (!process) return
    if (await within(interruptMs, this.#parts.clock, process.agent.interrupt())) return
    this.#parts.logger.warn({ sessionId: this.id }, 'the CLI did not answer an interrupt and is ended')
    await process.close(reason, code)
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
  stop(reason: string, code?: TurnReasonCode): Promise<void> {
    return this.#slot.stop(reason, code)
  }

  /** No further message begins; what runs goes on. */
  drain(): void {
    this.#draining = true
  }

  /** Ends the process and gives the session back. */
  close(reason: string, code?: TurnReasonCode): Promise<void> {
    this.#closing ??= (async () => {
      this.#slot.giveUp()
      // A message that is on its way arrives first: what became of it can then be told from the transcript.
      if (this.#handing) await within(handOverMs, this.#parts.clock, this.#handing)
      await this.stop(reason, code)
      await this.#pumping
      await this.events.close()
      await this.#parts.release(this.grant)
    })()
    return this.#closing
  }

  /** Another process has the session: this one must end its CLI at once, and write nothing. */
  async abandon(): Promise<void> {
    this.#closing ??= Promise.resolve()
    this.#slot.giveUp()
    await this.#process?.agent.close().catch(() => undefined)
  }

  setState(state: SessionState, reason?: string): void {
    this.#standing.set(state, reason)
  }

  /** An event of the permission gateway's. */
  tell(event: NewEvent): void {
    this.events.emit(event)
    if (event.type === 'question_prompt' && event.approval.kind === 'elicitation')
      this.#standing.formOpened(event.approval.id)
    if (event.type === 'question_resolved')
      this.#standing.formClosed(event.approval_id, this.runningTurnId ? 'working' : 'idle')
  }

  emitStatus(reason?: string): void {
    this.#standing.tell(reason)
  }

  change(change: Partial<SessionRecord>): Promise<void> {
    return this.#standing.change(change)
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
      const process = await this.#slot.ensure().catch((error: unknown) => this.#failNext(error))
      if (!process || this.#isHeld || process.busy) return
      await this.#parts.lookAtPlace(this.record)
      if (this.#isHeld || process.busy) return
      if (this.#restart !== undefined) {
        const reason = this.#restart
        this.#restart = undefined
        await process.close(reason)
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

  async #startProcess(): Promise<LiveProcess> {
    const process = new LiveProcess(this.#host(await this.#parts.permissions(this)))
    const spec = await this.#parts.spec(this.record)
    // It is made of what holds now.
    this.#restart = undefined
    const mcp = this.#parts.mcp(this)
    try {
      const mcpServers = await mcp.open(this.#parts.injected())
      this.#mcp = mcp
      await process.open(this.#parts.agent, { ...spec, mcpServers })
    } catch (error) {
      mcp.close()
      throw error
    }
    return process
  }

  async #opened(process: LiveProcess): Promise<void> {
    await this.#standing.addCliSession(process.agent.cliSessionId)
    this.setState('idle', 'the process started')
    this.#mcp?.started(process.agent)
  }

  /** The process does not start: the next message ends with that reason, the others wait for a person. */
  async #failNext(error: unknown): Promise<undefined> {
    const { logger, clock, coordination } = this.#parts
    const reason = error instanceof Error ? error.message : String(error)
    logger.error({ sessionId: this.id, err: error }, 'the agent did not start')
    this.#crashes = maxCrashes
    if (this.#closing) return
    const { grant, events } = this
    if (!(await failTurn({ turns: coordination.turns, grant, events, clock }, reason))) return
    this.setState('failed', reason)
    await this.change(this.#happened())
    await this.tellQueue()
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
      outcomeOfLost: (turn, why) => outcomeOfLost(agent, this.record, turn.id, why),
      processState: (state) => {
        if (!this.#paused || state === 'paused') this.#standing.follow(state)
      },
      permissionMode: (mode) => this.#standing.followMode(mode),
      mcpHealth: (byCli) => this.#mcp?.health(byCli) ?? [...byCli],
      turnBegan: () => {
        this.#mcp?.turn(true)
        if (!this.#paused) this.setState('working')
        this.#standing.keep(this.#happened())
      },
      turnEnded: (outcome) => this.#turnEnded(outcome),
      processEnded: (end) => this.#processEnded(end),
      fault: (error) => this.fault(error),
    }
  }

  /** What the record says of something that was said or done just now. */
  #happened(): Partial<SessionRecord> {
    return { updatedAt: isoTime(this.#parts.clock.now()) }
  }

  #turnEnded(outcome: AgentTurnEnd['outcome']): void {
    this.#crashes = 0
    this.#mcp?.turn(false)
    // Text that was still streaming ends a turn also while a person holds the session: it stays held.
    if (!this.#paused)
      this.setState(outcome === 'interrupted' ? 'interrupted' : outcome === 'completed' ? 'idle' : 'failed')
    this.#standing
      .addCliSession(this.#process?.agent.cliSessionId, this.#happened())
      .catch((error: unknown) => this.fault(error))
    this.#parts.lookAtPlace(this.record).catch((error: unknown) => this.fault(error))
    this.wake()
  }

  #processEnded(end: { wanted: boolean; error: string | undefined; hadTurn: boolean }): void {
    this.#slot.clear()
    this.#mcp?.close()
    this.#mcp = undefined
    this.#paused = false
    if (!end.wanted) this.#crashes++
    if (end.hadTurn) {
      this.setState('interrupted', end.error)
      this.#standing.keep(this.#happened())
    } else if (end.error && !end.wanted) this.setState('failed', end.error)
    else if (['working', 'waiting', 'paused'].includes(this.state)) this.setState('idle')
    else this.emitStatus()
    this.wake()
  }
}
