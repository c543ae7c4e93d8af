/**
 * A session's CLI processes, one after the other and never two: each is started when it is wanted, made of what holds
 * then, followed while it lives, and counted when it ends by itself.
 */

import { type NewEvent, type Saying, say, type TurnReasonCode } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import { waitingNotice } from '../hooks/hook-keeper.ts'
import type { SessionHooks } from '../hooks/session-hooks.ts'
import type { Logger } from '../logger.ts'
import { inMessage } from '../notice.ts'
import type { Agent } from '../ports/agent.ts'
import type { Clock } from '../ports/clock.ts'
import type { Coordination } from '../ports/coordination.ts'
import { LiveProcess } from './live-process.ts'
import type { ProcessLimit } from './process-limit.ts'
import type { OwnedSession, ProcessOwner, ProcessSources } from './process-session.ts'
import type { ProcessEnd, SessionStatus } from './session-status.ts'

/** After so many ends of the process without a finished turn in between, a person has to start it again. */
const maxCrashes = 3
/** What a spare process has read of its directory is this new at most when its first message comes. */
const begunFreshMs = 120_000

export interface KeeperParts {
  agent: Agent
  coordination: Coordination
  sources: ProcessSources
  limit: ProcessLimit
  clock: Clock
  logger: Logger
}

/** Has the messages that processes are for. */
interface MessageQueue {
  /** Something may be to do. */
  wake(): void
  publishQueue(): Promise<void>
}

export class ProcessKeeper implements ProcessOwner {
  readonly #session: OwnedSession
  readonly #parts: KeeperParts
  readonly #queue: MessageQueue
  /** The MCP servers that every session gets. */
  #injected: Record<string, unknown>
  readonly #closed = new AbortController()
  #process: LiveProcess | undefined
  #opening: Promise<LiveProcess> | undefined
  /** Of the process that lives or starts now. */
  hooks: SessionHooks | undefined
  #publishedWaiting: string | undefined
  /** Why the next message is for a new process. */
  #restart: Saying | undefined
  #crashes = 0
  /** Until when a process that was started early is kept, on the monotonic clock; undefined once it is used. */
  #spareUntil: number | undefined
  /** Its session has not begun. */
  #isParked = false
  /** When a spare process began its session, on the monotonic clock. */
  #begunAt: number | undefined
  /** It waits for a slot among all processes. */
  isInLine = false
  /** Gives the slot of the process among all of them back. */
  #releaseSlot: () => void = () => {}

  constructor(
    session: OwnedSession,
    parts: KeeperParts,
    queue: MessageQueue,
    injected: Record<string, unknown>,
  ) {
    this.#session = session
    this.#parts = parts
    this.#queue = queue
    this.#injected = injected
  }

  get #status(): SessionStatus {
    return this.#session.status
  }

  get process(): LiveProcess | undefined {
    return this.#process
  }

  /** A process is being started. */
  get starting(): boolean {
    return this.#opening !== undefined
  }

  /** The process, once a start that is under way is over; undefined when there is none. */
  async whenOpen(): Promise<LiveProcess | undefined> {
    await this.#opening?.catch(() => undefined)
    return this.#process
  }

  ensure(): Promise<LiveProcess> {
    if (this.#opening) return this.#opening
    return this.#process ? Promise.resolve(this.#process) : this.#become(this.#open())
  }

  #become(opening: Promise<LiveProcess>): Promise<LiveProcess> {
    const followed = opening.finally(() => {
      if (this.#opening === followed) this.#opening = undefined
    })
    this.#opening = followed
    return followed
  }

  /** The process was started early, and nobody has said anything since. */
  get isSpare(): boolean {
    return this.#spareUntil !== undefined
  }

  /** Until when a spare process is of use, on the monotonic clock; undefined for any other. */
  get spareUntil(): number | undefined {
    const isStale =
      this.#begunAt !== undefined && this.#parts.clock.monotonic() - this.#begunAt >= begunFreshMs
    const isThere = this.starting || (this.#process !== undefined && !this.isOutdated)
    const isOfUse = isThere && !isStale
    return isOfUse ? this.#spareUntil : this.#spareUntil && 0
  }

  /** What is started from now on, or runs as one already, is a spare process. */
  keepSpare(until: number): void {
    this.#spareUntil = until
  }

  /** A spare process reads its directory now, so that the first message need not wait. Useful only for a while. */
  async beginEarly(): Promise<void> {
    if (!this.isSpare || !this.#isParked || this.starting) return
    this.#begunAt = this.#parts.clock.monotonic()
    await this.#become(this.#begin(this.ensure()))
  }

  /** The session is used: a spare process begins it. If it cannot, or did not start, another takes its place. */
  use(): void {
    if (!this.isSpare) return
    this.#spareUntil = undefined
    if (this.starting || this.#isParked) this.#become(this.#begin(this.ensure())).catch(() => undefined)
  }

  async #begin(early: Promise<LiveProcess>): Promise<LiveProcess> {
    try {
      const process = await early
      if (this.#isParked) await process.begin()
      this.#isParked = false
      return process
    } catch (error) {
      this.#parts.logger.info(
        { sessionId: this.#status.record.id, err: error },
        'a spare process was of no use',
      )
      await this.#process?.close(say('process_not_begun'))
      return this.#open()
    }
  }

  /** Its slot is free from now on, for another: it is about to be ended. */
  releaseSlot(): void {
    this.#releaseSlot()
  }

  /** Ends the process in good order, also one that is just being started. */
  async stop(reason: Saying, code?: TurnReasonCode): Promise<void> {
    const process = this.#process ?? (await this.#opening?.catch(() => undefined))
    await process?.close(reason, code)
  }

  /** None is started here any more. */
  close(): void {
    this.#closed.abort()
  }

  /** It ended too often, or does not start: none is started until `resetFailures()`. */
  get hasFailed(): boolean {
    return this.#crashes >= maxCrashes
  }

  fail(error: unknown): void {
    this.#parts.logger.error({ sessionId: this.#status.record.id, err: error }, 'the agent did not start')
    this.#crashes = maxCrashes
  }

  resetFailures(): void {
    this.#crashes = 0
  }

  /** The process holds what no longer counts. */
  get isOutdated(): boolean {
    return this.#restart !== undefined
  }

  restartWhenIdle(reason: Saying): void {
    if (this.#process || this.starting) this.#restart = reason
  }

  /** Why the process must end before the next message; undefined when it need not. Answers once. */
  takeRestart(): Saying | undefined {
    const reason = this.#restart
    this.#restart = undefined
    return reason
  }

  async inject(servers: Record<string, unknown>): Promise<void> {
    this.#injected = servers
    await (await this.whenOpen())?.mcp.inject(servers)
  }

  async #open(): Promise<LiveProcess> {
    this.isInLine = true
    const release = await this.#parts.limit
      .acquire(() => this.#session.events.emit(waitsInLine), this.#closed.signal)
      .finally(() => {
        this.isInLine = false
      })
    this.#releaseSlot = release
    const process = await this.#startUnlessClosed().catch((error: unknown) => {
      release()
      throw error
    })
    void process.ended.then(release)
    if (process.isGone) throw new AppError('agent_failed', say('cli_ended_at_start'))
    this.#process = process
    this.#status.process = process
    await this.#opened(process)
    return process
  }

  async #startUnlessClosed(): Promise<LiveProcess> {
    this.#checkOpen()
    const process = await this.#start()
    if (this.#closed.signal.aborted) await process.close(say('session_given_up'))
    this.#checkOpen()
    return process
  }

  #checkOpen(): void {
    if (this.#closed.signal.aborted) throw new AppError('unavailable', say('session_closing'))
  }

  async #start(): Promise<LiveProcess> {
    const { record } = this.#status
    const { agent, sources, coordination } = this.#parts
    const hooks = await sources.hooks(record)
    const { isSpare } = this
    if (isSpare && hooks.runsUnprompted) throw new AppError('conflict', say('hooks_unprompted'))
    hooks.emit = (event) => this.#session.events.emit(event)
    this.hooks = hooks
    const permissions = await sources.permissions(hooks)
    const mcp = sources.mcp()
    const process = new LiveProcess(
      {
        ...this.#session,
        agent,
        permissions,
        hooks,
        mcp,
        costs: sources.costs(),
        changes: sources.changes(),
      },
      this,
    )
    const spec = await sources.spec(record, hooks)
    hooks.container = spec.container
    // It is made of what holds now.
    this.#restart = undefined
    this.#begunAt = undefined
    try {
      const mcpServers = await mcp.open(this.#injected)
      this.#isParked = isSpare && spec.start.kind === 'new'
      const todos = await coordination.events.latest(record.id, 'todo_update')
      await process.open(
        { ...spec, mcpServers, isSpare: this.#isParked },
        todos?.type === 'todo_update' ? todos.todos : undefined,
      )
    } catch (error) {
      mcp.close()
      throw error
    }
    return process
  }

  async #opened(process: LiveProcess): Promise<void> {
    await this.#status.addCliSession(process.agent.cliSessionId)
    this.#status.set('idle', 'the process started')
    this.#publishWaiting()
    process.mcp.started(process.agent)
  }

  /** Once, until it is something else that waits. */
  #publishWaiting(): void {
    const notice = this.hooks && waitingNotice(this.hooks.states)
    const words = notice?.type === 'notice' ? notice.message : undefined
    if (notice && words !== this.#publishedWaiting) this.#session.events.emit(notice)
    this.#publishedWaiting = words
  }

  checkWorkspace(): Promise<void> {
    return this.#parts.sources.checkWorkspace()
  }

  async queueChanged(): Promise<void> {
    await this.#queue.publishQueue()
    this.#queue.wake()
  }

  turnEnded(): void {
    this.resetFailures()
    this.checkWorkspace().catch((error: unknown) => this.#session.events.fault(error))
    this.#queue.wake()
  }

  processEnded(end: ProcessEnd): void {
    this.#process = undefined
    this.#status.process = undefined
    this.#isParked = false
    this.hooks = undefined
    if (!end.wanted) this.#crashes++
    this.#status.processEnded(end)
    this.#queue.wake()
  }
}

const waitsInLine: NewEvent = {
  type: 'notice',
  level: 'info',
  code: 'waiting_for_slot',
  ...inMessage(say('notice_in_line')),
}
