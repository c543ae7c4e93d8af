/**
 * One live conversation: joins the control channel, the state machine, the outbox and the in-process servers.
 * `Session` is its public face; `query()` and the pool of prewarmed processes use it directly.
 */
import { InvalidOptionsError, SessionStateError } from '../errors.ts'
import type { HookCallback } from '../hooks.ts'
import { toInitialize } from '../launch/initialize.ts'
import type { Prompt, SessionOptions } from '../options.ts'
import { ControlChannel } from '../protocol/control-channel.ts'
import { HookRegistry } from '../protocol/hook-registry.ts'
import { type ConnectableServer, McpRouter } from '../protocol/mcp-router.ts'
import type { TransportExit, TransportFault } from '../transport/transport.ts'
import { Activity } from './activity.ts'
import { Completion } from './completion.ts'
import { EarlyQueue } from './early-queue.ts'
import { Emitter } from './emitter.ts'
import { EndTimer } from './end-timer.ts'
import { InboundRequests } from './inbound-requests.ts'
import { IncomingMessages } from './incoming-messages.ts'
import { LifecycleHooks } from './lifecycle-hooks.ts'
import type { MessageStream } from './message-stream.ts'
import { MessageMap, type ResultMessage, type SessionMessage, type TurnOutcome } from './messages.ts'
import { Outbox, type SendOptions } from './outbox.ts'
import { Pause } from './pause.ts'
import { type RawListener, Reading } from './reading.ts'
import type { SessionEvents, SessionResult, SessionStateInfo } from './session-events.ts'
import type { SessionSetup } from './session-setup.ts'
import { SessionStats } from './session-stats.ts'
import type { MachineEvent, SessionState, TerminalState } from './state-machine.ts'
import { StateTracker } from './state-machine.ts'
import { trackToolCalls } from './track-tool-calls.ts'
import { type Verdict, verdictOf } from './verdict.ts'

/** A week: past its timeout a hook denies the tool, and a pause is for a person to end. */
const pauseTimeoutSeconds = 7 * 24 * 60 * 60
const endSessionTimeoutMs = 1500
const neverStarted: TransportExit = { exitCode: null, signal: null, stderrTail: '' }

export class SessionCore {
  readonly id: string
  readonly options: SessionOptions
  /** The conversation existed before. */
  readonly resumed: boolean
  readonly events = new Emitter<SessionEvents>()
  readonly early = new EarlyQueue()
  readonly channel: ControlChannel
  readonly hooks: HookRegistry
  readonly router: McpRouter
  readonly outbox: Outbox
  keepAlive: boolean
  /** `save` is called whenever its state or its messages change; `saved` resolves when that is written. */
  record: { save(): void; saved(): Promise<void> } | undefined

  readonly warn: (warning: string) => void
  readonly #afterStart: () => void
  readonly #incoming: IncomingMessages
  readonly #pause: Pause
  readonly #pausable: boolean
  readonly #stats = new SessionStats()
  readonly #servers: ReadonlyMap<string, ConnectableServer>
  readonly #completion = new Completion(this.events, () => this.record?.saved())
  readonly #lifecycle: LifecycleHooks
  readonly #tracker = new StateTracker((from, to) => this.#stateChanged(from, to))
  readonly #reading: Reading
  readonly #activity = new Activity({
    reported: (running) => (running ? this.outbox.agentIsBusy() : this.outbox.agentIsIdle()),
    changed: (graceMs) => this.#settle(graceMs),
  })
  readonly #endTimer = new EndTimer(() => {
    if (this.#isDone) void this.end(this.lastOutcome === 'failed' ? 'failed' : 'completed')
  })
  #initialized: Record<string, unknown> | undefined
  #ending: Verdict | undefined

  constructor(setup: SessionSetup) {
    this.id = setup.id
    this.options = setup.options
    this.keepAlive = setup.keepAlive
    this.warn = setup.warn
    this.#servers = setup.servers
    this.#afterStart = setup.afterStart
    this.#pausable = setup.pausable
    this.resumed = setup.resumed ?? false
    const hold: HookCallback = (_input, _toolUseId, { signal }) => this.#pause.holdTool(signal)
    const holdTools = { hooks: [hold], timeout: pauseTimeoutSeconds }
    this.hooks = new HookRegistry(
      setup.options.hooks ?? {},
      setup.pausable ? { PreToolUse: [holdTools] } : {},
    )
    this.#lifecycle = new LifecycleHooks({
      hooks: this.hooks,
      sessionId: setup.id,
      cwd: setup.options.cwd ?? process.cwd(),
      env: setup.options.env,
      warn: setup.warn,
    })
    this.channel = new ControlChannel(
      setup.transport,
      {
        message: (message) =>
          this.early.isHeld
            ? this.early.add(() => this.#incoming.receive(message))
            : this.#incoming.receive(message),
        request: (request) => inbound.answer(request),
        fault: (fault) => (this.early.isHeld ? this.early.add(() => this.#fault(fault)) : this.#fault(fault)),
        stderr: (line) => this.options.stderr?.(line),
        exit: (exit) => this.#exited(exit),
      },
      { timeoutMs: setup.options.controlTimeoutMs ?? 60_000 },
    )
    this.#reading = new Reading(setup.transport, () => this.channel.pendingRequests)
    this.channel.onOutboundChange = () => this.#reading.update()
    this.outbox = new Outbox({
      write: (message) => this.channel.send(message),
      cancel: (uuid) => this.#cancelInCli(uuid),
      report: (uuid, state) => {
        if (state === 'started') this.#incoming.messageStarted(uuid)
        this.events.emit('messageState', { uuid, state })
      },
      changed: () => {
        this.record?.save()
        this.#settle()
      },
      ready: () => this.router.refreshed(),
      warn: setup.warn,
    })
    this.#incoming = new IncomingMessages({
      mapper: setup.mapper ?? new MessageMap({ hasOutputSchema: setup.options.outputFormat !== undefined }),
      events: this.events,
      outbox: this.outbox,
      activity: this.#activity,
      stats: this.#stats,
      highWaterMark: setup.options.highWaterMark ?? 1000,
      onLag: (behind) => this.#reading.lag(behind),
    })
    this.#pause = new Pause({ tracker: this.#tracker, outbox: this.outbox })
    this.router = new McpRouter({
      sessionId: setup.id,
      send: (serverName, message) => {
        this.channel.request('mcp_message', { server_name: serverName, message }).catch(() => {})
      },
      ...trackToolCalls(this.#tracker),
    })
    const inbound = new InboundRequests({
      options: setup.options,
      hooks: this.hooks,
      router: this.router,
      tracker: this.#tracker,
      events: this.events,
      warn: setup.warn,
    })
  }

  /** What the CLI reported about itself: commands, agents, models, account. */
  get initialization(): Record<string, unknown> {
    return this.#initialized ?? {}
  }

  get stream(): MessageStream<SessionMessage> {
    return this.#incoming.stream
  }

  get lastResult(): ResultMessage | undefined {
    return this.#incoming.lastResult
  }

  get lastOutcome(): TurnOutcome | undefined {
    return this.lastResult?.outcome
  }

  get cliSessionIds(): readonly string[] {
    return this.#incoming.cliSessionIds
  }

  get opened(): boolean {
    return this.#initialized !== undefined
  }

  get ended(): boolean {
    return this.#tracker.ended
  }

  /**
   * Starts the process and initialises it. With a prompt, that goes out right behind `initialize`, so that the first
   * turn does not wait for a round trip. Rejects with a typed error, and leaves nothing running. A spare process is
   * opened silently, and announced when it is taken.
   */
  async open(prompt?: Prompt, { silent = false } = {}): Promise<void> {
    this.#stats.started()
    this.#transition({ type: 'start' })
    try {
      this.router.replace(this.#servers)
      const servers = await this.router.manifests()
      this.#assertNotEnding()
      await this.channel.open()
      if (!silent) this.announceStart()
      const payload = toInitialize(this.options, { hooks: this.hooks.manifest, servers })
      const initialized = this.channel.request('initialize', payload)
      // Not yet where the CLI might ignore what its hooks were given.
      const sent = prompt === undefined || this.hooks.needsSupport ? undefined : this.send(prompt)
      // Awaited below; what fails both is reported once, by `initialize`.
      sent?.catch(() => {})
      this.#initialized = await initialized
      this.#afterStart()
      this.hooks.checkSupport(this.#initialized)
      this.#assertNotEnding()
      this.router.open()
      await (sent ?? (prompt !== undefined && this.send(prompt)))
    } catch (error) {
      await this.#fail(error as Error)
      throw this.#ending?.error ?? error
    }
    this.#transition({ type: 'connected', busy: this.#busy })
    this.#settle()
  }

  /** Raises `SessionStart`. */
  announceStart(): void {
    this.#lifecycle.start(this.resumed ? 'resume' : 'startup')
  }

  async send(content: Prompt, options: SendOptions = {}): Promise<{ uuid: string }> {
    this.assertLive('send')
    return this.outbox.send(content, options)
  }

  /** Sends a user message of the CLI's own form, with fields that `send()` does not know. */
  async forward(message: Record<string, unknown>): Promise<{ uuid: string }> {
    this.assertLive('send')
    return this.outbox.forward(message)
  }

  /** No more messages come: the session ends when the agent is done. */
  endOfInput(): void {
    this.keepAlive = false
    this.#settle()
  }

  async pause(): Promise<void> {
    this.assertLive('pause')
    if (!this.#pausable) throw new InvalidOptionsError('pause() needs a session with the option `pausable`')
    await this.#pause.begin()
  }

  async resume(): Promise<void> {
    this.assertLive('resume')
    await this.#pause.end()
    this.#settle()
  }

  /** Stops the turn that runs, and drops the messages that wait where that is asked for. */
  async interrupt(cancelQueued: boolean): Promise<{ stillQueued: string[]; cancelled: string[] }> {
    const held = cancelQueued ? this.outbox.dropHeld() : []
    const receipt = await this.channel.request('interrupt', cancelQueued ? { cancel_queued: true } : {})
    const ids = (value: unknown) =>
      Array.isArray(value) ? value.map((id) => this.outbox.idOf(String(id))) : []
    return { stillQueued: ids(receipt.still_queued), cancelled: [...held, ...ids(receipt.cancelled)] }
  }

  /** Ends the process, gracefully and bounded. The first call decides how the session ended. */
  async end(state: TerminalState): Promise<void> {
    if (this.ended || this.#ending) return this.#completion.over()
    this.#ending = { state }
    if (this.#tracker.state === 'idle' && !this.opened) return this.#exited(neverStarted)
    this.#pause.sessionEnds()
    this.#reading.ending()
    if (this.opened) {
      await this.channel.request('end_session', {}, { timeoutMs: endSessionTimeoutMs }).catch(() => {})
      await this.channel.transport.terminate()
    } else {
      // It has not answered yet: the end of its input would only let it run the prompt first.
      await this.channel.transport.terminate({ graceMs: 0 })
    }
    await this.#completion.over()
  }

  /** Lets go of the process without ending it. */
  async detach(): Promise<void> {
    await this.channel.transport.detach()
    this.#ending = { state: 'completed' }
    this.#exited(neverStarted)
  }

  onRawMessage(listener: RawListener): () => void {
    return this.#incoming.onRawMessage(listener)
  }

  /** Resolves when the session ended; rejects when it failed. Reads on meanwhile, unless `keepReading` is false. */
  completion({ keepReading = true } = {}): Promise<SessionResult> {
    const result = this.#completion.result()
    return keepReading ? this.#reading.during(result) : result
  }

  whenEnded(callback: () => void): void {
    this.#completion.whenEnded(callback)
  }

  state(): SessionStateInfo {
    const { toolCalls, permissions } = this.#tracker.machine
    return {
      state: this.#tracker.state,
      sessionId: this.id,
      pendingToolCall: toolCalls[0],
      pendingToolCalls: toolCalls,
      pendingPermission: permissions[0],
      pendingPermissions: permissions,
      queuedMessages: this.outbox.list(),
      backgroundTasks: this.#activity.backgroundTasks,
      lastOutcome: this.lastOutcome,
      stats: this.#stats.snapshot(),
    }
  }

  assertLive(operation: string): void {
    if (!this.ended && !this.#ending) return
    const how = this.#ending?.state ?? this.#tracker.state
    throw new SessionStateError(`${operation}(): the session has ended (${how})`, this.#tracker.state)
  }

  #assertNotEnding(): void {
    if (this.#ending)
      throw new SessionStateError('the session was ended while it started', this.#ending.state)
  }

  get #busy(): boolean {
    return this.#activity.running || this.outbox.open > 0
  }

  /** Brings the phase in line with what the agent does and what is on its way to it. */
  #settle(graceMs = 0): void {
    if (this.ended || this.#ending || this.#tracker.machine.phase === 'starting') return
    this.#endTimer.stop()
    if (this.#busy) return this.#transition({ type: 'turn_start' })
    // A one-shot session that is done ends out of `running`: it is not waiting for anything.
    const done = this.#isDone
    if (this.#tracker.machine.phase === 'running' && !done) this.#transition({ type: 'turn_end' })
    if (done) this.#endTimer.start(graceMs)
  }

  /** One-shot: what was sent is answered or taken back, nothing waits, and nothing runs in the background. */
  get #isDone(): boolean {
    const waits =
      this.#busy || this.#pause.active || this.outbox.held > 0 || this.#activity.backgroundTasks > 0
    return !this.keepAlive && !waits && (this.lastResult !== undefined || this.outbox.used)
  }

  async #cancelInCli(uuid: string): Promise<boolean> {
    const answer = await this.channel.request('cancel_async_message', { message_uuid: uuid })
    return answer.cancelled === true
  }

  #fault(fault: TransportFault): void {
    this.events.emit('fault', fault, () =>
      this.warn(`The CLI wrote something that could not be used (${fault.kind}): ${fault.message}`),
    )
  }

  async #fail(error: Error): Promise<void> {
    if (!this.#ending) this.#ending = { state: 'failed', error }
    // At once: the end of its input would let it go on with what it was sent.
    const exit = await this.channel.transport.terminate({ graceMs: 0 }).catch(() => undefined)
    this.#exited(exit ?? neverStarted)
  }

  #exited(exit: TransportExit): void {
    if (this.ended) return
    this.early.release()
    this.#afterStart()
    this.#endTimer.stop()
    const { state, error } = verdictOf({
      sessionId: this.id,
      requested: this.#ending,
      exit,
      lastResult: this.lastResult,
      initialized: this.#initialized !== undefined,
      busy: this.#busy,
    })
    this.#ending = { state, error }
    this.channel.end(error ?? new SessionStateError('the session has ended', state))
    this.router.close()
    this.outbox.clear()
    this.#stats.completed()
    this.#transition({ type: 'end', state })
    this.stream.end(error)
    this.#completion.settle({ state, outcome: this.lastOutcome, result: this.lastResult, error })
    this.#lifecycle.end(state)
  }

  #transition(event: MachineEvent): void {
    this.#tracker.apply(event)
  }

  #stateChanged(from: SessionState, to: SessionState): void {
    this.record?.save()
    // Nobody holds the session while it starts: it is given out in the state that it has then.
    if (from === 'starting' || to === 'starting') return
    if (this.events.has('stateChange')) this.events.emit('stateChange', { from, to, info: this.state() })
  }
}
