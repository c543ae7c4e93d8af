/**
 * One CLI process of a session, from its start to its end: turns what it tells into events, and keeps the record of every
 * turn. A turn's end is stored before it is told.
 */
import { randomUUID } from 'node:crypto'
import type { NewEvent, Turn, TurnReasonCode } from '@dorkos/shared'
import { initialMapState, mapMessage } from '../event-map/map-message.ts'
import type {
  Agent,
  AgentHandlers,
  AgentSpec,
  AgentTurnEnd,
  CliMessage,
  ElicitationAnswer,
  ElicitationQuestion,
  LiveAgent,
  MessageState,
} from '../ports/agent.ts'
import { isoTime } from '../ports/clock.ts'
import type { TurnEndRecord } from '../ports/coordination.ts'
import type { EndCause, SessionHost, TurnCost } from './session-host.ts'
import { TurnTracker } from './turn-tracker.ts'
import { inSteps, untilStored } from './until-stored.ts'

export class LiveProcess {
  /** Names the process in the ledger's arithmetic: the CLI's cost figures are cumulative over it. */
  readonly processId = randomUUID()
  readonly turns = new TurnTracker()
  readonly #host: SessionHost
  #agent: LiveAgent | undefined
  #mapState = initialMapState()
  #stop: EndCause | undefined
  /** It has exited. */
  isGone = false
  /** Messages whose `user_message` was told. */
  readonly #told = new Set<string>()
  backgroundTasks = 0
  /** Resolves when the process is gone and all that it left open is settled. */
  readonly ended: Promise<void>
  #resolveEnded: () => void = () => {}

  constructor(host: SessionHost) {
    this.#host = host
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve
    })
  }

  /** Starts the CLI; rejects with a sentence for people when it does not start. */
  async open(agent: Agent, spec: AgentSpec): Promise<void> {
    const isNew = spec.start.kind === 'new'
    const { coordination, grant } = this.#host
    const todos = await coordination.events.latest(grant.sessionId, 'todo_update')
    if (todos?.event.type === 'todo_update') this.#mapState = initialMapState({ todos: todos.event.todos })
    try {
      this.#agent = await agent.open(spec, this.#handlers())
      await this.#host.costs.opened({ processId: this.processId, isNew, agent: this.#agent })
    } catch (error) {
      await this.#agent?.close()
      await this.#host.permissions.close('the agent did not start')
      this.#resolveEnded()
      throw error
    }
  }

  get agent(): LiveAgent {
    if (!this.#agent) throw new Error('the process has not started')
    return this.#agent
  }

  /** An MCP server that is not the CLI's asks a person for something. */
  elicit(question: ElicitationQuestion): Promise<ElicitationAnswer> {
    return this.#host.permissions.onElicitation(question)
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
    const { coordination, clock, grant } = this.#host
    if (this.isGone) return this.#putBack(turn)
    this.turns.sent(turn)
    try {
      await coordination.turns.start(grant.sessionId, grant.epoch, turn.id, isoTime(clock.now()))
    } catch (error) {
      this.turns.notSent(turn.id)
      await this.#putBack(turn)
      throw error
    }
    if (this.isGone) return
    try {
      await this.agent.send({ id: turn.id, content: turn.content ?? '' }, delivery)
    } catch (error) {
      await this.close(sentence(error))
    }
  }

  /** It was claimed and never sent: it waits for the next process. */
  async #putBack(turn: Turn): Promise<void> {
    const { coordination, grant } = this.#host
    await untilStored(() => coordination.turns.unclaim(grant.sessionId, grant.epoch, turn.id))
  }

  /** Ends the process in good order. What it leaves open is settled when this resolves. */
  async close(reason: string, reasonCode: TurnReasonCode = 'process_ended'): Promise<void> {
    this.#stop ??= { reason, reasonCode }
    await this.#agent?.close()
    await this.ended
  }

  #handlers(): AgentHandlers {
    const { permissions } = this.#host
    return {
      onMessage: (message) => this.#onMessage(message),
      onTurnStart: ({ messageIds }) => this.#onTurnStart(messageIds),
      onMessageState: (id, state) => this.#onMessageState(id, state),
      onTurnEnd: (end) => this.#onTurnEnd(end),
      onToolCall: (call) => permissions.onToolCall(call),
      onToolFinished: (call) => permissions.onToolFinished(call),
      onPermission: (question) => permissions.onPermission(question),
      onElicitation: (question) => permissions.onElicitation(question),
      onStateChange: ({ state, backgroundTasks }) => {
        this.backgroundTasks = backgroundTasks
        this.#host.processState(state)
      },
      onExit: (exit) => void this.#onExit(exit.error),
    }
  }

  #onMessage(message: CliMessage): Promise<void> {
    const { state, events } = mapMessage(this.#mapState, message)
    this.#mapState = state
    for (const event of events) {
      if (!this.#isToldAlready(event)) this.#host.events.emit(this.#putRight(event))
      if (event.type === 'session_status' && event.permission_mode)
        this.#host.permissionMode(event.permission_mode)
    }
    if (message.type === 'assistant') this.#host.costs.answered()
    if (message.type === 'system' && message.subtype === 'permission_denied') this.#toolDenied(message)
    return this.#host.events.ready()
  }

  #toolDenied({ tool_use_id, tool_name, message }: CliMessage): void {
    if (typeof tool_use_id !== 'string' || typeof tool_name !== 'string') return
    const call = { toolCallId: tool_use_id, tool: tool_name }
    this.#host.permissions.onToolDenied(typeof message === 'string' ? { ...call, message } : call)
  }

  #putRight(event: NewEvent): NewEvent {
    if (event.type !== 'session_status' || !event.mcp_servers) return event
    return { ...event, mcp_servers: this.#host.mcpHealth(event.mcp_servers) }
  }

  /** The CLI echoes messages; those of ours were told when their turn began. */
  #isToldAlready(event: NewEvent): boolean {
    return event.type === 'user_message' && this.#told.has(event.message_id)
  }

  #onTurnStart(messageIds: string[]): void {
    const begun = this.turns.begin(messageIds, randomUUID())
    if (!begun) return
    const { turn, messages } = begun
    const { coordination, clock, grant, record, events } = this.#host
    const tell = (): NewEvent[] => [{ type: 'turn_start', turn_id: turn.id, cause: turn.cause }]
    if (turn.cause === 'background') {
      const row = { id: turn.id, principal: record().principal, startedAt: isoTime(clock.now()) }
      this.#store(() => coordination.turns.startBackground(grant.sessionId, grant.epoch, row), tell)
    } else for (const event of tell()) events.emit(event)
    for (const message of messages) this.#tellMessage(message, turn.id)
    this.#host.turnBegan()
  }

  #onMessageState(id: string, state: MessageState): void {
    if (state === 'started') {
      const joined = this.turns.join(id)
      const { running } = this.turns
      if (joined && running) this.#tellMessage(joined, running.id)
    }
    if (state === 'cancelled' || state === 'ignored') {
      const turn = this.turns.cancelled(id)
      const reason =
        state === 'ignored' ? 'The CLI had seen this message before and left it out.' : 'It was taken back.'
      if (turn) void this.#endTurn(turn.id, { outcome: 'withdrawn', reason })
    }
  }

  #onTurnEnd(end: AgentTurnEnd): void {
    const turn = this.turns.end()
    if (!turn) return
    const { costs, clock, grant, coordination } = this.#host
    const endedAt = isoTime(clock.now())
    const { outcome, reason, reasonCode } = this.#verdict(end)
    const structured = end.result.structured_output
    const facts = {
      ...(reason !== undefined && { reason }),
      ...(reasonCode !== undefined && { reasonCode }),
      ...(structured !== undefined && { structuredOutput: structured }),
    }
    let cost: TurnCost = { turnEnd: {}, events: [] }
    const endTurn = (id: string, how: TurnEndRecord) =>
      coordination.turns.end(grant.sessionId, grant.epoch, id, how)
    const joined = { outcome: 'joined' as const, endedAt, joinedTurn: turn.id }
    const store = inSteps([
      async () => {
        cost = await costs.turnEnded({ turnId: turn.id, end, processId: this.processId })
      },
      () => endTurn(turn.id, { outcome, endedAt, ...facts }),
      ...turn.joined.map((id) => () => endTurn(id, joined)),
    ])
    this.#store(store, () => [
      {
        type: 'turn_end',
        turn_id: turn.id,
        outcome,
        ...cost.turnEnd,
        ...(reason !== undefined && { reason }),
        ...(reasonCode !== undefined && { reason_code: reasonCode }),
        ...(structured !== undefined && { structured_output: structured }),
      },
      ...cost.events,
    ])
    this.#host.turnEnded(outcome)
  }

  /** A turn that failed because the gateway refused its next call did so for its budget; one that we ended says why. */
  #verdict(end: AgentTurnEnd): Pick<AgentTurnEnd, 'outcome' | 'reason'> & { reasonCode?: TurnReasonCode } {
    const refusal = this.#host.costs.refusal()
    if (refusal !== undefined && (end.outcome === 'failed' || end.outcome === 'interrupted'))
      return { outcome: 'budget', reason: refusal }
    const { outcome, reason } = end
    if (outcome === 'interrupted') return { outcome, reason, reasonCode: 'person', ...this.#stop }
    return { outcome, reason }
  }

  /** The process is gone. A turn that ran was interrupted; a message that may or may not have arrived is looked for in the transcript. */
  async #onExit(error: string | undefined): Promise<void> {
    this.isGone = true
    const why = this.#stop ?? { reason: error ?? 'The CLI ended.', reasonCode: 'process_ended' }
    const { running, sent } = this.turns.lose()
    // What fails for one must not keep the others from being settled.
    const attempt = (work: () => Promise<void>) => work().catch((fault: unknown) => this.#host.fault(fault))
    await attempt(() => this.#host.permissions.close(why.reason))
    for (const id of running?.joined ?? []) await attempt(() => this.#endJoined(id, running?.id ?? id))
    if (running) await attempt(() => this.#endLostTurn(running.id, why))
    for (const turn of sent) await attempt(() => this.#endUnbegun(turn, why))
    this.#host.costs.closed(this.processId)
    this.#host.processEnded({
      wanted: this.#stop !== undefined,
      error,
      hadTurn: running !== undefined || sent.length > 0,
    })
    this.#resolveEnded()
  }

  async #endUnbegun(turn: Turn, why: EndCause): Promise<void> {
    this.#host.events.emit({ type: 'turn_start', turn_id: turn.id, cause: turn.cause })
    this.#tellMessage(turn, turn.id)
    await this.#endTurn(turn.id, await this.#host.outcomeOfLost(turn, why))
  }

  async #endLostTurn(turnId: string, why: EndCause): Promise<void> {
    const { events, turnEnd } = await this.#host.costs.turnLost({ turnId, processId: this.processId })
    await this.#endTurn(turnId, { outcome: 'interrupted', ...why }, { turnEnd, events })
  }

  async #endTurn(turnId: string, end: Omit<TurnEndRecord, 'endedAt'>, cost?: TurnCost): Promise<void> {
    const { coordination, clock, grant, events } = this.#host
    const { outcome, reason, reasonCode } = end
    const record = { ...end, endedAt: isoTime(clock.now()) }
    await events.storeThenEmit(
      () => coordination.turns.end(grant.sessionId, grant.epoch, turnId, record),
      () => [
        {
          type: 'turn_end',
          turn_id: turnId,
          outcome,
          ...cost?.turnEnd,
          ...(reason !== undefined && { reason }),
          ...(reasonCode !== undefined && { reason_code: reasonCode }),
        },
        ...(cost?.events ?? []),
      ],
    )
  }

  /** A message that went into a turn ends with it; the turn's own end tells. */
  async #endJoined(turnId: string, joinedTurn: string): Promise<void> {
    const { coordination, clock, grant } = this.#host
    const end = { outcome: 'joined' as const, joinedTurn, endedAt: isoTime(clock.now()) }
    await untilStored(() => coordination.turns.end(grant.sessionId, grant.epoch, turnId, end))
  }

  #tellMessage(turn: Turn, turnId: string): void {
    if (this.#told.has(turn.id)) return
    this.#told.add(turn.id)
    this.#host.events.emit({
      type: 'user_message',
      message_id: turn.id,
      turn_id: turnId,
      content: turn.content ?? '',
    })
  }

  #store(store: () => Promise<unknown>, events: () => NewEvent[]): void {
    this.#host.events.storeThenEmit(store, events).catch((error: unknown) => this.#host.fault(error))
  }
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
