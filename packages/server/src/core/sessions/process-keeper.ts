/**
 * A session's CLI processes, one after the other: each is made of what holds when it starts, followed while it lives, and
 * counted when it ends by itself.
 */
import { waitingNotice } from '../hooks/hook-keeper.ts'
import type { SessionHooks } from '../hooks/session-hooks.ts'
import type { AgentTurnEnd } from '../ports/agent.ts'
import { LiveProcess } from './live-process.ts'
import { outcomeOfLost } from './lost-turn.ts'
import { ProcessSlot } from './process-slot.ts'
import type { RunnerParts } from './runner-parts.ts'
import type { PermissionHandlers, ProcessMcp, SessionHost } from './session-host.ts'
import type { SessionRunner } from './session-runner.ts'
import type { SessionStanding } from './session-standing.ts'

/** After so many ends of the process without a finished turn in between, a person has to start it again. */
const maxCrashes = 3

export class ProcessKeeper {
  readonly slot: ProcessSlot
  /** A person holds the process; ends with it. */
  isPaused = false
  readonly #runner: SessionRunner
  readonly #parts: RunnerParts
  readonly #standing: SessionStanding
  /** Of the process that lives or starts now. */
  hooks: SessionHooks | undefined
  /** Of the process that lives or starts now. */
  #mcp: ProcessMcp | undefined
  #toldWaiting: string | undefined
  /** Why the next message is for a new process. */
  #restart: string | undefined
  #crashes = 0

  constructor(runner: SessionRunner, parts: RunnerParts, standing: SessionStanding) {
    this.#runner = runner
    this.#parts = parts
    this.#standing = standing
    this.slot = new ProcessSlot({
      takePlace: (signal) => parts.takePlace(runner, signal),
      start: () => this.#start(),
      opened: (process) => this.#opened(process),
    })
  }

  /** It ended too often, or does not start: none is started until `forgive()`. */
  get isGivenUp(): boolean {
    return this.#crashes >= maxCrashes
  }

  giveUp(): void {
    this.#crashes = maxCrashes
  }

  forgive(): void {
    this.#crashes = 0
  }

  /** The process holds what no longer counts. */
  get isOutdated(): boolean {
    return this.#restart !== undefined
  }

  restartWhenIdle(reason: string): void {
    if (this.slot.process || this.slot.starting) this.#restart = reason
  }

  /** Why the process must end before the next message; undefined when it need not. Tells it once. */
  takeRestart(): string | undefined {
    const reason = this.#restart
    this.#restart = undefined
    return reason
  }

  async inject(servers: Record<string, unknown>): Promise<void> {
    if (await this.slot.whenOpen()) await this.#mcp?.inject(servers)
  }

  async #start(): Promise<LiveProcess> {
    const { record } = this.#standing
    const hooks = await this.#parts.hooks(record)
    hooks.emit = (event) => this.#runner.tell(event)
    this.hooks = hooks
    const process = new LiveProcess(this.#host(await this.#parts.permissions(this.#runner, hooks), hooks))
    const spec = await this.#parts.spec(record, hooks)
    hooks.container = spec.container
    // It is made of what holds now.
    this.#restart = undefined
    const mcp = this.#parts.mcp(this.#runner)
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
    this.#standing.set('idle', 'the process started')
    this.#tellWaiting()
    this.#mcp?.started(process.agent)
  }

  /** Once, until it is something else that waits. */
  #tellWaiting(): void {
    const notice = this.hooks && waitingNotice(this.hooks.standings)
    const words = notice?.type === 'notice' ? notice.message : undefined
    if (notice && words !== this.#toldWaiting) this.#runner.tell(notice)
    this.#toldWaiting = words
  }

  #host(permissions: PermissionHandlers, hooks: SessionHooks): SessionHost {
    const { coordination, clock, logger, agent, costs } = this.#parts
    const runner = this.#runner
    const standing = this.#standing
    return {
      grant: runner.grant,
      events: runner.events,
      coordination,
      clock,
      logger,
      costs: costs(runner),
      permissions,
      hooks,
      record: () => standing.record,
      outcomeOfLost: (turn, why) => outcomeOfLost(agent, standing.record, turn.id, why),
      processState: (state) => {
        if (!this.isPaused || state === 'paused') standing.follow(state)
      },
      permissionMode: (mode) => standing.followMode(mode),
      settingsChanged: () => this.restartWhenIdle('Settings of Claude Code have changed.'),
      mcpHealth: (byCli) => this.#mcp?.health(byCli) ?? [...byCli],
      queueChanged: async () => {
        await runner.tellQueue()
        runner.wake()
      },
      turnBegan: () => {
        this.#mcp?.turn(true)
        if (!this.isPaused) standing.set('working')
        standing.keep(standing.happened())
      },
      turnEnded: (outcome) => this.#turnEnded(outcome),
      processEnded: (end) => this.#processEnded(end),
      fault: (error) => runner.fault(error),
    }
  }

  #turnEnded(outcome: AgentTurnEnd['outcome']): void {
    const standing = this.#standing
    const fault = (error: unknown) => this.#runner.fault(error)
    this.forgive()
    this.#mcp?.turn(false)
    // Text that was still streaming ends a turn also while a person holds the session: it stays held.
    if (!this.isPaused)
      standing.set(outcome === 'interrupted' ? 'interrupted' : outcome === 'completed' ? 'idle' : 'failed')
    standing.addCliSession(this.slot.process?.agent.cliSessionId, standing.happened()).catch(fault)
    this.#parts.lookAtPlace(standing.record).catch(fault)
    this.#runner.wake()
  }

  #processEnded(end: { wanted: boolean; error: string | undefined; hadTurn: boolean }): void {
    const standing = this.#standing
    this.slot.clear()
    this.#mcp?.close()
    this.#mcp = undefined
    this.hooks = undefined
    this.isPaused = false
    if (!end.wanted) this.#crashes++
    if (end.hadTurn) {
      standing.set('interrupted', end.error)
      standing.keep(standing.happened())
    } else if (end.error && !end.wanted) standing.set('failed', end.error)
    else if (['working', 'waiting', 'paused'].includes(standing.state)) standing.set('idle')
    else standing.tell()
    this.#runner.wake()
  }
}
