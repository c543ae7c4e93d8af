/**
 * Runs one session that this server owns: holds its lease, writes its events, starts its CLI process when there is
 * something to do, and hands it one message at a time. What a person steers in goes at once.
 */
import {
  type NewEvent,
  type Saying,
  type SessionActivity,
  say,
  type Task,
  type Turn,
  type TurnReasonCode,
} from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import type { SessionHooks } from '../hooks/session-hooks.ts'
import type { ElicitationAnswer, ElicitationQuestion, LiveAgent } from '../ports/agent.ts'
import type { LeaseGrant, LeaseOwner } from '../ports/coordination.ts'
import type { SessionRecord, SessionStore } from '../ports/records.ts'
import type { LiveProcess, Unread } from './live-process.ts'
import { MessagePump } from './message-pump.ts'
import { type OwnedTurns, ownedTurns } from './owned-turns.ts'
import { type KeeperParts, ProcessKeeper } from './process-keeper.ts'
import type { ProcessLimit } from './process-limit.ts'
import type { OwnedSession, ProcessSources } from './process-session.ts'
import type { SessionEmitter } from './session-emitter.ts'
import { SessionStatus } from './session-status.ts'
import type { Movement, SessionView } from './watchdog.ts'
import { within } from './within.ts'

const interruptMs = 10_000
/** How long a CLI may take to accept a message while the session is being closed. */
const handOverMs = 2000

export interface RunnerParts extends Omit<KeeperParts, 'limit' | 'sources'> {
  sessions: SessionStore
  /** This run of this server. */
  owner: LeaseOwner
  /** What the processes of a session are given. */
  sourcesOf(runner: SessionRunner): ProcessSources
  /** A session changed in a way that lists show. */
  changed(sessionId: string): void
}

interface AcquiredSession {
  record: SessionRecord
  grant: LeaseGrant
  events: SessionEmitter
  isReserved: boolean
  /** The MCP servers that every session gets. */
  injected: Record<string, unknown>
}

export class SessionRunner {
  readonly grant: LeaseGrant
  readonly events: SessionEmitter
  readonly turns: OwnedTurns
  readonly status: SessionStatus
  /** There is no such session yet: the id is kept for one that somebody may begin. */
  isReserved: boolean
  /** When it was last used, on the monotonic clock. */
  lastUsed: number
  readonly #parts: RunnerParts
  readonly #limit: ProcessLimit
  readonly #keeper: ProcessKeeper
  readonly #pump: MessagePump
  #expectsWork = false
  #closing: Promise<void> | undefined

  constructor(parts: RunnerParts, limit: ProcessLimit, session: AcquiredSession) {
    const { grant, events } = session
    this.isReserved = session.isReserved
    this.#parts = parts
    this.#limit = limit
    this.grant = grant
    this.events = events
    this.turns = ownedTurns(parts.coordination.turns, grant, parts.clock)
    this.lastUsed = parts.clock.monotonic()
    this.status = new SessionStatus(session, parts, (id) => {
      parts.changed(id)
      limit.recheck()
    })
    const owned: OwnedSession = { turns: this.turns, events, status: this.status }
    const sources = parts.sourcesOf(this)
    this.#keeper = new ProcessKeeper(owned, { ...parts, limit, sources }, this, session.injected)
    this.#pump = new MessagePump(owned, this.#keeper)
  }

  get record(): SessionRecord {
    return this.status.record
  }

  get #process(): LiveProcess | undefined {
    return this.#keeper.process
  }

  get id(): string {
    return this.record.id
  }

  get state(): SessionActivity {
    return this.status.state
  }

  get live(): boolean {
    return this.#process !== undefined
  }

  get pid(): number | undefined {
    return this.#process?.agent.pid
  }

  /** Commands and subagents of its process. */
  get tasks(): Task[] {
    return this.#process?.tasks ?? []
  }

  get runningTurnId(): string | undefined {
    return this.#process?.turns.running?.id
  }

  /** Its process was sent something: before that, a model is asked for nobody. */
  get wasPrompted(): boolean {
    return this.#process?.wasPrompted ?? false
  }

  /** A turn runs, or is certain to begin; and it waits for nobody. */
  get working(): boolean {
    const isHeld = this.state === 'waiting' || this.state === 'paused'
    return this.#pump.handing !== undefined || (this.#process?.turns.busy === true && !isHeld)
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
      this.starting ||
      this.#pump.pumping !== undefined ||
      ['waiting', 'paused', 'working'].includes(this.state)
    )
  }

  /** Its process was started early, and nobody has said anything since. */
  get isSpare(): boolean {
    return this.#keeper.isSpare && !this.closing
  }

  /** Until when a spare process is of use, on the monotonic clock; undefined for any other. */
  get spareUntil(): number | undefined {
    return this.#keeper.spareUntil
  }

  /** The process, for what only a live one can do. */
  get agent(): LiveAgent {
    if (!this.#process) throw new AppError('conflict', say('session_not_running'))
    return this.#process.agent
  }

  /** Its process is being started. */
  get starting(): boolean {
    return this.#keeper.starting
  }

  /** The process, once a start that is under way is over; undefined when there is none. */
  whenOpen(): Promise<LiveProcess | undefined> {
    return this.#keeper.whenOpen()
  }

  /** The injected MCP servers are others now: a process that runs gets them. */
  inject(servers: Record<string, unknown>): Promise<void> {
    return this.#keeper.inject(servers)
  }

  /** An MCP server asks a person for something, on behalf of this session. */
  async elicit(question: ElicitationQuestion): Promise<ElicitationAnswer> {
    return (await this.#process?.elicit(question)) ?? { action: 'cancel' }
  }

  /** Of the process that lives or starts now. */
  get hooks(): SessionHooks | undefined {
    return this.#keeper.hooks
  }

  /** What the process was started with has changed, and another has not been started yet. */
  get isOutdated(): boolean {
    return this.#keeper.isOutdated
  }

  /** What the process was started with has changed: it is started anew before the next message. */
  restartWhenIdle(reason: Saying): void {
    this.#keeper.restartWhenIdle(reason)
  }

  /** Whether the workspace is still what the process was started for; it is ended, or started anew, where it is not. */
  async checkWorkspace(): Promise<void> {
    if (this.live || this.starting) await this.#keeper.checkWorkspace()
  }

  /** Starts the process if it does not run, also after crashes. */
  async start(): Promise<void> {
    this.#keeper.use()
    this.#keeper.resetFailures()
    await this.#keeper.ensure()
    this.wake()
  }

  /** Starts the process ahead of the first message, and has it do what its first turn would otherwise wait for. */
  async warm(): Promise<void> {
    await this.start()
    await this.#process?.agent.contextUsage()
  }

  /**
   * Somebody has the session open, and may write until then: where there is room, a process is started for it, as a
   * spare until it is used. Nothing is done for a session that is at work.
   */
  async prepare(until: number): Promise<void> {
    const hasProcess = this.live || this.starting
    if (this.closing || this.#expectsWork || (hasProcess && !this.isSpare)) return
    this.#keeper.keepSpare(until)
    this.lastUsed = this.#parts.clock.monotonic()
    if (hasProcess || this.#keeper.hasFailed || !this.#limit.hasRoom) return
    await this.#keeper.ensure()
    await this.#process?.agent.contextUsage()
  }

  /** A spare process begins its session before there is a message. */
  async beginEarly(): Promise<void> {
    await this.#keeper.beginEarly()
    if (this.isSpare) await this.#process?.agent.contextUsage()
  }

  /** It is taken for a session that is being made: neither ended to make room nor taken again. */
  claim(): void {
    this.#expectsWork = true
    this.#keeper.use()
  }

  /** It is the session's of this record, which is stored now. */
  async adopt(record: SessionRecord): Promise<void> {
    this.isReserved = false
    this.status.record = record
    await this.status.addCliSession(this.#process?.agent.cliSessionId)
    this.wake()
  }

  /** Its process counts as ended: another may start. It is ended in a moment. */
  releaseSlot(): void {
    this.#keeper.releaseSlot()
  }

  /** A message is about to be handed over with `wake()`: until then it counts as busy. */
  expectWork(): void {
    this.#expectsWork = true
    this.#keeper.use()
    this.lastUsed = this.#parts.clock.monotonic()
    // A live one begins on it in a moment, and notes it then.
    if (!this.live) this.status.keep(this.status.happened())
  }

  /** Something may be to do: a message was accepted, a turn ended, the server started. */
  wake(): void {
    this.lastUsed = this.#parts.clock.monotonic()
    this.#expectsWork = false
    this.#pump.wake()
  }

  publishQueue(): Promise<void> {
    return this.#pump.publishQueue()
  }

  /** Puts a waiting message into the running turn, if there is one. Undefined when the message no longer waits. */
  async steer(turnId: string): Promise<Turn | undefined> {
    const process = this.#process
    if (process?.turns.running) {
      if (!(await this.#pump.steer(process, turnId))) return undefined
      await this.publishQueue()
    } else this.wake()
    return this.turns.get(turnId)
  }

  /** Stops the turn that runs. Always answers: a CLI that does not is ended. */
  async interrupt(reason: Saying, code: TurnReasonCode = 'person', unread: Unread = 'run'): Promise<void> {
    const process = this.#process
    // While one starts, no message has left the queue: there they are held or taken back.
    if (!process) return
    // A message that is on its way is interrupted too, once it has arrived.
    const { handing } = this.#pump
    if (handing) await within(interruptMs, this.#parts.clock, handing)
    if (await within(interruptMs, this.#parts.clock, process.interrupt(unread))) return
    this.#parts.logger.warn({ sessionId: this.id }, 'the CLI did not answer an interrupt and is ended')
    await process.close(reason, code)
  }

  async pause(): Promise<void> {
    const { agent } = this
    // Noted at once, as the agent does: of a pause and its end that come together, the later holds.
    this.status.isPaused = true
    try {
      await agent.pause()
    } catch (error) {
      if (this.#has(agent)) this.#goOn()
      this.wake()
      throw error
    }
    if (this.#has(agent) && this.status.isPaused) this.status.set('paused')
  }

  async resume(): Promise<void> {
    const { agent } = this
    this.status.isPaused = false
    await agent.resume()
    if (this.#has(agent) && !this.status.isPaused) this.#goOn()
    this.wake()
  }

  /** Nobody holds the process, whose turn may have begun or ended meanwhile. */
  #goOn(): void {
    this.status.isPaused = false
    const hasTurn = this.runningTurnId !== undefined
    const isAtWork = this.state === 'working' || this.state === 'waiting'
    if (this.state === 'paused' || isAtWork !== hasTurn) this.status.set(hasTurn ? 'working' : 'idle')
  }

  /** Its process is still this one: a pause ends with the process that it held. */
  #has(agent: LiveAgent): boolean {
    return this.#process?.agent === agent
  }

  /** All that the watchdog checks; what the store says is the caller's. */
  view(queue: readonly Turn[], open: readonly Turn[]): SessionView {
    const { isIdle = true, turns } = this.#process ?? {}
    return {
      state: this.status.isPaused ? 'paused' : this.state,
      moving: this.#moving,
      takesMessages: !this.#pump.isHeld && !this.#keeper.hasFailed,
      isAsked: this.status.isAsked,
      process: turns && { isIdle, isInTurn: turns.running !== undefined, turns: turns.ids },
      queue,
      open,
      emitted: this.events.emitted,
    }
  }

  get #moving(): Movement | undefined {
    if (this.closing) return 'closing'
    if (this.starting) return this.#keeper.isInLine ? 'in_line' : 'starting'
    if (this.#process?.isGone) return 'ending'
    if (this.#pump.handing) return 'handing_over'
    if (this.events.isStoring) return 'storing'
    return this.#pump.pumping && 'preparing'
  }

  /** Ends the process in good order; the session stays this server's. */
  stop(reason: Saying, code?: TurnReasonCode): Promise<void> {
    return this.#keeper.stop(reason, code)
  }

  /** No further message begins; what runs goes on. */
  drain(): void {
    this.#pump.stop()
  }

  /** Ends the process and gives the session back. */
  close(reason: Saying, code?: TurnReasonCode): Promise<void> {
    this.#closing ??= (async () => {
      this.#pump.stop()
      this.#keeper.close()
      // A message that is on its way arrives first: what became of it can then be seen in the transcript.
      const { handing } = this.#pump
      if (handing) await within(handOverMs, this.#parts.clock, handing)
      await this.stop(reason, code)
      await this.#pump.pumping
      await this.events.close()
      const { coordination, owner } = this.#parts
      await coordination.leases[this.isReserved ? 'forget' : 'release'](this.grant, owner)
    })()
    return this.#closing
  }

  /** Another process has the session: this one must end its CLI at once, and write nothing. */
  async abandon(): Promise<void> {
    this.#closing ??= Promise.resolve()
    this.#pump.stop()
    this.#keeper.close()
    await this.#process?.agent.close().catch(() => undefined)
  }

  /** An event of the permission gateway's. */
  publish(event: NewEvent): void {
    this.events.emit(event)
    if (event.type === 'question_prompt' && event.approval.kind === 'elicitation')
      this.status.formOpened(event.approval.id)
    if (event.type === 'question_resolved')
      this.status.formClosed(event.approval_id, this.runningTurnId ? 'working' : 'idle')
  }
}
