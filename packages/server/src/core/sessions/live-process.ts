/** One CLI process of a session, from its start to its end: turns what it says into events, and follows its turns. */

import { randomUUID } from 'node:crypto'
import { type NewEvent, type Saying, say, type Task, type Turn, type TurnReasonCode } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import { isByCli } from '../event-map/map-assistant.ts'
import { initialMapState, mapMessage } from '../event-map/map-message.ts'
import type { Todo } from '../event-map/map-state.ts'
import { publicTasks } from '../event-map/map-tasks.ts'
import { unseenPlugins, whyUnseen } from '../hooks/loaded-check.ts'
import { noticeOf, sayingOf } from '../notice.ts'
import { allDenied } from '../permissions/call-counts.ts'
import type {
  AgentHandlers,
  AgentSpec,
  AgentTurnEnd,
  CliMessage,
  ElicitationAnswer,
  ElicitationQuestion,
  LiveAgent,
  MessageState,
  PermissionAnswer,
  PermissionQuestion,
  ToolCallRan,
  ToolCallSeen,
  ToolCallVerdict,
} from '../ports/agent.ts'
import type { EndCause, ProcessMcp, ProcessOwner, ProcessSession } from './process-session.ts'
import { TurnRecord, TurnTracker, type TurnVerdict } from './process-turns.ts'
import { PromptCauses } from './prompt-causes.ts'
import { untilStored } from './until-stored.ts'

/**
 * What becomes of messages that the CLI has and did not begin with when its turn is stopped: they begin the next turn, wait
 * again until a person says so, or never run.
 */
export type Unread = 'run' | 'hold' | 'cancel'

export class LiveProcess {
  /** Names the process in the ledger's arithmetic: the CLI's cost figures are cumulative over it. */
  readonly processId = randomUUID()
  readonly turns = new TurnTracker()
  readonly #session: ProcessSession
  readonly #owner: ProcessOwner
  readonly #record: TurnRecord
  #agent: LiveAgent | undefined
  /** That it was started with. */
  #settings: AgentSpec['settings'] = {}
  #mapState = initialMapState()
  #stop: EndCause | undefined
  /** As the last interrupt said that had the CLI give messages back. */
  #unread: Exclude<Unread, 'run'> = 'cancel'
  /** Messages that were stopped before they began. */
  readonly #stopped = new Set<string>()
  /** It has exited. */
  isGone = false
  backgroundTasks = 0
  readonly #prompts = new PromptCauses()
  /** Something was said to it: before that, nothing that it asks a model is ours. */
  wasPrompted = false
  /** The turn that runs, or is about to, has a prompt of ours. */
  #isPrompted = false
  /** By the agent's own word: it neither works nor waits. */
  isIdle = true
  /** Resolves when the process is gone and all that it left open is settled. */
  readonly ended: Promise<void>
  #resolveEnded: () => void = () => {}

  constructor(session: ProcessSession, owner: ProcessOwner) {
    this.#session = session
    this.#owner = owner
    this.#record = new TurnRecord(session, owner, this.processId)
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve
    })
  }

  /** Starts the CLI; rejects with a sentence for people when it does not start. */
  async open(spec: AgentSpec, todos: Todo[] | undefined): Promise<void> {
    const isNew = spec.start.kind === 'new'
    if (todos) this.#mapState = initialMapState({ todos })
    this.#settings = spec.settings
    try {
      this.#agent = await this.#session.agent.open(spec, this.#handlers())
      if (this.#stop) throw new AppError('agent_failed', this.#stop.reason)
      await this.#checkLoaded(this.#agent)
      await this.#session.costs.opened({ processId: this.processId, isNew, agent: this.#agent })
    } catch (error) {
      await this.#agent?.close()
      await this.#session.permissions.close(say('process_not_started'))
      await this.#session.changes.close()
      this.#resolveEnded()
      throw error
    }
  }

  /** A spare one begins its session. Rejects, and is of no use, when it cannot or has loaded what nobody allowed. */
  async begin(): Promise<void> {
    await this.agent.begin()
    await this.#checkLoaded(this.agent)
  }

  get agent(): LiveAgent {
    if (!this.#agent) throw new Error('the process has not started')
    return this.#agent
  }

  get mcp(): ProcessMcp {
    return this.#session.mcp
  }

  /** An MCP server that is not the CLI's asks a person for something. */
  elicit(question: ElicitationQuestion): Promise<ElicitationAnswer> {
    return this.#session.permissions.onElicitation(question)
  }

  /** It cannot take the next message: it works, or is no more. */
  get busy(): boolean {
    return this.turns.busy || this.isGone
  }

  /**
   * Sends a claimed message. It is stored as running before it goes out, so one that is only claimed was never sent. A process
   * that does not take it is ended, and the message settled like any that was on its way then.
   */
  async send(turn: Turn, delivery: 'queue' | 'steer'): Promise<void> {
    if (this.isGone) return this.#putBack(turn)
    this.turns.sent(turn)
    this.#prompts.sent(turn.id, turn.content ?? '')
    this.wasPrompted = true
    try {
      await this.#session.turns.start(turn.id)
    } catch (error) {
      this.turns.notSent(turn.id)
      this.#prompts.done(turn.id)
      await this.#putBack(turn)
      throw error
    }
    if (this.isGone) return
    try {
      await this.agent.send({ id: turn.id, content: turn.content ?? '' }, delivery)
    } catch (error) {
      await this.close(sayingOf(error))
    }
  }

  async interrupt(unread: Unread): Promise<void> {
    // One that leaves them to the CLI changes nothing for those that it is giving back already.
    if (unread !== 'run') this.#unread = unread
    const { running } = this.turns
    const left = await this.agent.interrupt({ cancelUnread: unread !== 'run' })
    // Without a turn of a message, the stop was meant for the message that was about to begin one. The CLI forgets it (2.1.325).
    if (running && running.cause !== 'background') return
    for (const id of left.unread) this.#stopped.add(id)
    this.#stopBegun()
  }

  /** Stops the turn that runs if it has taken in a message that was to be stopped. */
  #stopBegun(): void {
    const { running } = this.turns
    const isStopped = running && [running.id, ...running.joined].some((id) => this.#stopped.has(id))
    if (!isStopped) return
    this.#stopped.clear()
    // A process that ends before it answers has stopped too.
    this.agent.interrupt({ cancelUnread: false }).catch(() => undefined)
  }

  /** It was claimed and never sent: it waits for the next process. */
  async #putBack(turn: Turn): Promise<void> {
    await untilStored(() => this.#session.turns.unclaim(turn.id))
  }

  /** What runs besides the answer, as far as the CLI told. */
  get tasks(): Task[] {
    return publicTasks(this.#mapState)
  }

  /** Ends the process in good order. What it leaves open is settled when this resolves. */
  async close(reason: Saying, reasonCode: TurnReasonCode = 'process_ended'): Promise<void> {
    this.#stop ??= { reason, reasonCode }
    await this.#agent?.close()
    await this.ended
  }

  #handlers(): AgentHandlers {
    const { permissions, hooks } = this.#session
    return {
      onMessage: (message) => this.#onMessage(message),
      onTurnStart: ({ messageIds }) => this.#onTurnStart(messageIds),
      onMessageState: (id, state) => this.#onMessageState(id, state),
      onTurnEnd: (end) => this.#onTurnEnd(end),
      onToolCall: (call) => this.#onToolCall(call),
      onPrompt: (prompt) => this.#onPrompt(prompt),
      onSkill: (input) => permissions.onSkill(input),
      onHook: (id, input, signal) => hooks.run(id, input, signal),
      onSettingsChanged: () => this.#onSettingsChanged(),
      onToolRan: (call) => this.#onToolRan(call),
      onToolFinished: (call) => permissions.onToolFinished(call),
      onPermission: (question) => this.#onPermission(question),
      onElicitation: (question) => permissions.onElicitation(question),
      onStateChange: (state) => {
        this.isIdle = state === 'idle'
        this.#session.status.follow(state)
      },
      onExit: (exit) => void this.#onExit(exit.error),
    }
  }

  /** Throws where the CLI has loaded, or goes by, what nobody allowed. */
  async #checkLoaded(agent: LiveAgent, isChanged = false): Promise<void> {
    const { states } = this.#session.hooks
    const unseen = whyUnseen(await agent.loaded(), { states, settings: this.#settings, isChanged })
    if (unseen !== undefined) throw new AppError('agent_failed', unseen)
  }

  /** Ends the process, and says why: what it does is not ours any more. Resolves when it is gone. */
  async #refuse(reason: Saying): Promise<void> {
    this.#session.events.emit({ ...noticeOf(reason, 'session_stopped'), level: 'warning' })
    await this.close(reason, 'not_allowed').catch((error: unknown) => this.#session.events.fault(error))
  }

  /** A policy counts as soon as this resolves, in the middle of a turn too. */
  async #onSettingsChanged(): Promise<void> {
    this.#owner.restartWhenIdle(say('settings_changed'))
    // While it starts, the check at its end sees what there is by then.
    if (!this.#agent) return
    try {
      await this.#checkLoaded(this.#agent, true)
    } catch (error) {
      if (!this.isGone && !this.#stop) await this.#refuse(sayingOf(error))
    }
  }

  async #onToolCall(call: ToolCallSeen): Promise<ToolCallVerdict> {
    const verdict = await this.#session.permissions.onToolCall(call)
    const mayRun = verdict.verdict === 'pass' || verdict.verdict === 'allow'
    if (mayRun) await this.#session.changes.beforeCall(call)
    return verdict
  }

  /** A person may have taken hours to answer, and changed something meanwhile. */
  async #onPermission(question: PermissionQuestion): Promise<PermissionAnswer> {
    const answer = await this.#session.permissions.onPermission(question)
    if (answer.behavior === 'allow')
      await this.#session.changes.beforeCall({ ...question, input: answer.updatedInput })
    return answer
  }

  async #onToolRan(call: ToolCallRan): Promise<void> {
    await this.#session.changes.afterCall(call)
    const reason = this.#session.permissions.onToolRan(call)
    if (reason !== undefined) await this.#refuse(reason)
  }

  /** Why it is not to reach the model, where it is nobody's. */
  #onPrompt(prompt: string): string | undefined {
    if (this.#prompts.isOurs(prompt)) {
      this.#isPrompted = true
      return undefined
    }
    const uncaused = say('turn_uncaused')
    void this.#refuse(uncaused)
    return uncaused.message
  }

  /** For a way to begin a turn that we know nothing of: the model answers, and nothing was put to it. */
  #isUnprompted({ type, parent_tool_use_id }: CliMessage): boolean {
    if (type !== 'assistant' || parent_tool_use_id || this.#isPrompted) return false
    return this.turns.running?.cause === 'background'
  }

  #onMessage(message: CliMessage): Promise<void> {
    this.#prompts.see(message)
    if (message.subtype === 'hook_response') this.#session.hooks.policy.see(message)
    if (this.#isUnprompted(message)) void this.#refuse(say('turn_uncaused'))
    const unseen = isInit(message) ? unseenPlugins(message, this.#session.hooks.states) : undefined
    if (unseen !== undefined) void this.#refuse(unseen)
    // What the CLI makes of a refused call: the turn's end says it.
    if (this.#session.costs.refusal() && isByCli(message)) return this.#session.events.ready()
    const { state, events } = mapMessage(this.#mapState, message)
    this.#mapState = state
    for (const event of events) {
      if (!this.#isPublished(event)) this.#session.events.emit(this.#withOwnHealth(event))
      if (event.type === 'session_status' && event.permission_mode)
        this.#session.status.followMode(event.permission_mode)
    }
    if (message.type === 'assistant') this.#session.costs.answered()
    if (message.type === 'system' && message.subtype === 'permission_denied') this.#toolDenied(message)
    if (message.type === 'system' && message.subtype === 'background_tasks_changed')
      this.#onBackgroundTasks(message)
    return this.#session.events.ready()
  }

  #toolDenied({ tool_use_id, tool_name, message }: CliMessage): void {
    if (typeof tool_use_id !== 'string' || typeof tool_name !== 'string') return
    const call = { toolCallId: tool_use_id, tool: tool_name }
    this.#session.permissions.onToolDenied(typeof message === 'string' ? { ...call, message } : call)
  }

  /** The whole set of what runs. Its last one may end without a turn, as when a person stops it. */
  #onBackgroundTasks({ tasks }: CliMessage): void {
    this.backgroundTasks = Array.isArray(tasks) ? tasks.length : 0
    this.#session.status.backgroundTasksChanged()
    this.#session.changes.backgroundTasksChanged(this.backgroundTasks)
  }

  #withOwnHealth(event: NewEvent): NewEvent {
    if (event.type !== 'session_status' || !event.mcp_servers) return event
    return { ...event, mcp_servers: this.mcp.health(event.mcp_servers) }
  }

  /** The CLI echoes messages; those of ours were published when their turn began. */
  #isPublished(event: NewEvent): boolean {
    return event.type === 'user_message' && this.#record.hasPublished(event.message_id)
  }

  #onTurnStart(messageIds: string[]): void {
    const begun = this.turns.begin(messageIds, randomUUID())
    if (!begun) return
    this.#record.begin(begun.turn, begun.messages)
    this.mcp.turn(true)
    this.#session.changes.turnBegan(begun.turn.id)
    this.#session.status.turnBegan()
    this.#stopBegun()
  }

  #onMessageState(id: string, state: MessageState): void {
    if (state === 'queued') return
    if (state === 'started') this.#prompts.begun(id)
    // A turn takes a message in when it starts on it, or at the latest when it is done with it.
    const joined = state === 'started' || state === 'completed' ? this.turns.join(id) : undefined
    const { running } = this.turns
    if (joined && running) {
      this.#record.publishMessage(joined, running.id)
      this.#stopBegun()
    }
    if (state !== 'started') this.#onUnbegun(id, state)
  }

  /** The CLI is done with a message without having begun a turn with it. */
  #onUnbegun(id: string, state: 'completed' | 'cancelled' | 'ignored'): void {
    this.#stopped.delete(id)
    const turn = this.turns.unbegun(id)
    if (!turn) return
    this.#prompts.done(id)
    if (state === 'completed') this.#record.endUnbegun(turn, { outcome: 'completed' })
    else if (state === 'ignored') this.#record.withdraw(turn.id, 'The CLI left this message out.')
    else if (this.#unread === 'hold') this.#record.giveBack(turn.id)
    else this.#record.withdraw(turn.id, 'It was taken back.')
  }

  #onTurnEnd(end: AgentTurnEnd): void {
    const turn = this.turns.end()
    if (!turn) return
    this.#isPrompted = false
    this.#prompts.done(turn.id, ...turn.joined)
    const verdict = this.#verdict(end)
    this.#record.end(turn, end, verdict)
    this.mcp.turn(false)
    this.#session.changes.turnEnded()
    this.#session.status.turnEnded(verdict.outcome, this.#agent?.cliSessionId)
    this.#owner.turnEnded()
  }

  /** A turn that failed because the gateway refused its next call did so for its budget; one that we ended says why. */
  #verdict(end: AgentTurnEnd): TurnVerdict {
    const denied = allDenied(this.#session.permissions.takeCounts())
    const refusal = this.#session.costs.refusal()
    if (refusal !== undefined && (end.outcome === 'failed' || end.outcome === 'interrupted'))
      return { outcome: 'budget', ...refusal }
    const { outcome } = end
    const reason = end.reason === undefined ? {} : { reason: say('cli_words', { text: end.reason }) }
    if (outcome === 'interrupted') return { outcome, ...reason, reasonCode: 'person', ...this.#stop }
    return { outcome, ...reason, ...(outcome === 'completed' && denied) }
  }

  async #onExit(error: string | undefined): Promise<void> {
    this.isGone = true
    const why = this.#stop ?? {
      reason: error === undefined ? say('cli_ended') : say('cli_words', { text: error }),
      reasonCode: 'process_ended' as const,
    }
    const lost = this.turns.lose()
    // What it had begun ended with it, and nobody can read what that printed.
    if (this.tasks.length > 0) this.#session.events.emit({ type: 'tasks_update', tasks: [] })
    await this.#session.permissions
      .close(why.reason)
      .catch((fault: unknown) => this.#session.events.fault(fault))
    await this.#record.settleLost(lost, why)
    await this.#session.changes.close()
    this.#session.costs.closed(this.processId)
    this.mcp.close()
    this.#owner.processEnded({
      wanted: this.#stop !== undefined,
      error,
      hadTurn: lost.running !== undefined || lost.sent.length > 0,
    })
    this.#resolveEnded()
  }
}

const isInit = ({ type, subtype }: CliMessage) => type === 'system' && subtype === 'init'
