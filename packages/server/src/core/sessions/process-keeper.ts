/**
 * A session's CLI processes, one after the other and never two: each is started when it is wanted, made of what holds then, followed
 * while it lives, and counted when it ends by itself.
 */
import type { TurnReasonCode } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import { waitingNotice } from '../hooks/hook-keeper.ts'
import type { SessionHooks } from '../hooks/session-hooks.ts'
import type { AgentTurnEnd } from '../ports/agent.ts'
import { LiveProcess } from './live-process.ts'
import { outcomeOfLost } from './lost-turn.ts'
import type { RunnerOwner, RunnerParts } from './runner-parts.ts'
import type { PermissionHandlers, ProcessMcp, SessionHost } from './session-host.ts'
import type { SessionRunner } from './session-runner.ts'
import type { SessionStatus } from './session-status.ts'

/** After so many ends of the process without a finished turn in between, a person has to start it again. */
const maxCrashes = 3
/** What a spare process has read of its directory is this new at most when its first message comes. */
const begunFreshMs = 120_000

export class ProcessKeeper {
  /** A person holds the process; ends with it. */
  isPaused = false
  readonly #runner: SessionRunner
  readonly #parts: RunnerParts
  readonly #owner: RunnerOwner
  readonly #status: SessionStatus
  readonly #closed = new AbortController()
  #process: LiveProcess | undefined
  #opening: Promise<LiveProcess> | undefined
  /** Of the process that lives or starts now. */
  hooks: SessionHooks | undefined
  /** Of the process that lives or starts now. */
  #mcp: ProcessMcp | undefined
  #publishedWaiting: string | undefined
  /** Why the next message is for a new process. */
  #restart: string | undefined
  #crashes = 0
  /** The process was started early, for somebody who looks until then, on the monotonic clock; undefined once it is used. */
  #spareUntil: number | undefined
  /** Its session has not begun. */
  #isParked = false
  /** When a spare process began its session, on the monotonic clock. */
  #begunAt: number | undefined
  /** Gives the place of the process among all of them back. */
  #giveUpPlace: () => void = () => {}

  constructor(runner: SessionRunner, parts: RunnerParts, owner: RunnerOwner, status: SessionStatus) {
    this.#runner = runner
    this.#parts = parts
    this.#owner = owner
    this.#status = status
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
    const isOfUse = this.starting || (this.#process && !this.isOutdated && !isStale)
    return isOfUse ? this.#spareUntil : this.#spareUntil && 0
  }

  /** What is started from now on, or runs as one already, is a spare process. */
  keepSpare(until: number): void {
    this.#spareUntil = until
  }

  /** A spare process reads its directory now, so that the first message need not wait for that. It is of use for a while only. */
  async beginEarly(): Promise<void> {
    if (!this.isSpare || !this.#isParked || this.starting) return
    this.#begunAt = this.#parts.clock.monotonic()
    await this.#become(this.#begin(this.ensure()))
  }

  /** The session is used: a spare process begins with it. Another is started in place of one that cannot, or did not start. */
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
      this.#parts.logger.info({ sessionId: this.#runner.id, err: error }, 'a spare process was of no use')
      await this.#process?.close('The process could not begin its session.')
      return this.#open()
    }
  }

  /** Its place is free from now on, for another: it is about to be ended. */
  giveUpPlace(): void {
    this.#giveUpPlace()
  }

  /** Ends the process in good order, also one that is just being started. */
  async stop(reason: string, code?: TurnReasonCode): Promise<void> {
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

  fail(): void {
    this.#crashes = maxCrashes
  }

  resetFailures(): void {
    this.#crashes = 0
  }

  /** The process holds what no longer counts. */
  get isOutdated(): boolean {
    return this.#restart !== undefined
  }

  restartWhenIdle(reason: string): void {
    if (this.#process || this.starting) this.#restart = reason
  }

  /** Why the process must end before the next message; undefined when it need not. Tells it once. */
  takeRestart(): string | undefined {
    const reason = this.#restart
    this.#restart = undefined
    return reason
  }

  async inject(servers: Record<string, unknown>): Promise<void> {
    if (await this.whenOpen()) await this.#mcp?.inject(servers)
  }

  async #open(): Promise<LiveProcess> {
    const release = await this.#owner.acquireProcess(this.#runner, this.#closed.signal)
    this.#giveUpPlace = release
    const process = await this.#startUnlessClosed().catch((error: unknown) => {
      release()
      throw error
    })
    void process.ended.then(release)
    if (process.isGone) throw new AppError('agent_failed', 'The CLI ended right after its start.')
    this.#process = process
    await this.#opened(process)
    return process
  }

  async #startUnlessClosed(): Promise<LiveProcess> {
    this.#checkOpen()
    const process = await this.#start()
    if (this.#closed.signal.aborted) await process.close('the session was given up')
    this.#checkOpen()
    return process
  }

  #checkOpen(): void {
    if (this.#closed.signal.aborted) throw new AppError('unavailable', 'The session is being closed.')
  }

  async #start(): Promise<LiveProcess> {
    const { record } = this.#status
    const hooks = await this.#parts.hooks(record)
    const { isSpare } = this
    if (isSpare && hooks.runsUnprompted)
      throw new AppError('conflict', 'Hooks of this place would run before anybody says something.')
    hooks.emit = (event) => this.#runner.publish(event)
    this.hooks = hooks
    const process = new LiveProcess(this.#host(await this.#parts.permissions(this.#runner, hooks), hooks))
    const spec = await this.#parts.spec(record, hooks)
    hooks.container = spec.container
    // It is made of what holds now.
    this.#restart = undefined
    this.#begunAt = undefined
    const mcp = this.#parts.mcp(this.#runner)
    try {
      const mcpServers = await mcp.open(this.#owner.injected())
      this.#mcp = mcp
      this.#isParked = isSpare && spec.start.kind === 'new'
      await process.open(this.#parts.agent, { ...spec, mcpServers, isSpare: this.#isParked })
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
    this.#mcp?.started(process.agent)
  }

  /** Once, until it is something else that waits. */
  #publishWaiting(): void {
    const notice = this.hooks && waitingNotice(this.hooks.standings)
    const words = notice?.type === 'notice' ? notice.message : undefined
    if (notice && words !== this.#publishedWaiting) this.#runner.publish(notice)
    this.#publishedWaiting = words
  }

  #host(permissions: PermissionHandlers, hooks: SessionHooks): SessionHost {
    const { coordination, clock, logger, agent, costs } = this.#parts
    const runner = this.#runner
    const status = this.#status
    return {
      grant: runner.grant,
      events: runner.events,
      coordination,
      clock,
      logger,
      costs: costs(runner),
      permissions,
      hooks,
      record: () => status.record,
      outcomeOfLost: (turn, why) => outcomeOfLost(agent, status.record, turn.id, why),
      processState: (state) => {
        if (!this.isPaused || state === 'paused') status.follow(state)
      },
      permissionMode: (mode) => status.followMode(mode),
      settingsChanged: () => this.restartWhenIdle('Settings of Claude Code have changed.'),
      mcpHealth: (byCli) => this.#mcp?.health(byCli) ?? [...byCli],
      queueChanged: async () => {
        await runner.publishQueue()
        runner.wake()
      },
      turnBegan: () => {
        this.#mcp?.turn(true)
        if (!this.isPaused) status.set('working')
        status.keep(status.happened())
      },
      turnEnded: (outcome) => this.#turnEnded(outcome),
      processEnded: (end) => this.#processEnded(end),
      fault: (error) => runner.fault(error),
    }
  }

  #turnEnded(outcome: AgentTurnEnd['outcome']): void {
    const status = this.#status
    const fault = (error: unknown) => this.#runner.fault(error)
    this.resetFailures()
    this.#mcp?.turn(false)
    // Text that was still streaming ends a turn also while a person holds the session: it stays held.
    if (!this.isPaused)
      status.set(outcome === 'interrupted' ? 'interrupted' : outcome === 'completed' ? 'idle' : 'failed')
    status.addCliSession(this.#process?.agent.cliSessionId, status.happened()).catch(fault)
    this.#parts.checkWorkspace(status.record).catch(fault)
    this.#runner.wake()
  }

  #processEnded(end: { wanted: boolean; error: string | undefined; hadTurn: boolean }): void {
    const status = this.#status
    this.#process = undefined
    this.#isParked = false
    this.#mcp?.close()
    this.#mcp = undefined
    this.hooks = undefined
    this.isPaused = false
    if (!end.wanted) this.#crashes++
    if (end.hadTurn) {
      status.set('interrupted', end.error)
      status.keep(status.happened())
    } else if (end.error && !end.wanted) status.set('failed', end.error)
    else if (['working', 'waiting', 'paused'].includes(status.state)) status.set('idle')
    else status.publish()
    this.#runner.wake()
  }
}
