/** The record of each turn of a process, from its begin to its end. What is stored and told is stored first. */
import { randomUUID } from 'node:crypto'
import type { NewEvent, Turn, TurnReasonCode } from '@dorkos/shared'
import type { AgentTurnEnd } from '../ports/agent.ts'
import { isoTime } from '../ports/clock.ts'
import type { TurnEndRecord } from '../ports/coordination.ts'
import type { BookedTurn, EndCause, SessionHost } from './session-host.ts'
import type { RunningTurn } from './turn-tracker.ts'
import { inSteps, untilStored } from './until-stored.ts'

/** How a turn ended, as it is recorded. */
export type TurnVerdict = Pick<AgentTurnEnd, 'outcome' | 'reason'> & { reasonCode?: TurnReasonCode }

export class TurnRecord {
  readonly #host: SessionHost
  readonly #processId: string
  /** Messages of this turn and of the one before whose `user_message` was told. */
  #published = new Set<string>()
  #publishedBefore = new Set<string>()

  constructor(host: SessionHost, processId: string) {
    this.#host = host
    this.#processId = processId
  }

  hasPublished(messageId: string): boolean {
    return this.#published.has(messageId) || this.#publishedBefore.has(messageId)
  }

  begin(turn: RunningTurn, messages: readonly Turn[]): void {
    const { coordination, clock, grant, record, events } = this.#host
    this.#publishedBefore = this.#published
    this.#published = new Set()
    const start: NewEvent = { type: 'turn_start', turn_id: turn.id, cause: turn.cause }
    if (turn.cause === 'background') {
      const row = { id: turn.id, principal: record().principal, startedAt: isoTime(clock.now()) }
      this.#store(
        () => coordination.turns.startBackground(grant.sessionId, grant.epoch, row),
        () => [start],
      )
    } else events.emit(start)
    for (const message of messages) this.publishMessage(message, turn.id)
  }

  publishMessage(message: Turn, turnId: string): void {
    if (this.hasPublished(message.id)) return
    this.#published.add(message.id)
    this.#host.events.emit({
      type: 'user_message',
      message_id: message.id,
      turn_id: turnId,
      content: message.content ?? '',
    })
  }

  /** The turn is over, and with it the messages that it took in. */
  end(turn: RunningTurn, end: AgentTurnEnd, { outcome, reason, reasonCode }: TurnVerdict): void {
    const { costs, clock } = this.#host
    const endedAt = isoTime(clock.now())
    const structured = end.result.structured_output
    const facts = {
      ...(reason !== undefined && { reason }),
      ...(reasonCode !== undefined && { reasonCode }),
      ...(structured !== undefined && { structuredOutput: structured }),
    }
    let cost: BookedTurn = { turnEnd: {}, events: [] }
    const joined = { outcome: 'joined' as const, endedAt, joinedTurn: turn.id }
    const store = inSteps([
      async () => {
        cost = await costs.turnEnded({ ...this.#booked(turn), end })
      },
      () => this.#storeEnd(turn.id, { outcome, endedAt, ...facts }),
      ...turn.joined.map((id) => () => this.#storeEnd(id, joined)),
    ])
    this.#store(store, () => [
      {
        ...endEvent(turn.id, { outcome, ...facts }, cost),
        ...(structured !== undefined && { structured_output: structured }),
      },
      ...cost.events,
    ])
  }

  /** The CLI gave a message up that it had not begun: the next can go out. */
  withdraw(turnId: string, reason: string): void {
    this.#thenGoOn(this.#endNow(turnId, { outcome: 'withdrawn', reason }))
  }

  /** A message whose turn the CLI told nothing of but its end. */
  endUnbegun(turn: Turn, end: Omit<TurnEndRecord, 'endedAt'>): void {
    this.#publishBegin(turn)
    this.#thenGoOn(this.#endNow(turn.id, end))
  }

  /** The CLI gave a message back unread, because a person stopped the agent: it waits again, and runs if no stop holds the queue any more. */
  giveBack(turnId: string): void {
    const { coordination, clock, grant, events } = this.#host
    const reason = 'The agent was stopped before it had read this message, which waits again.'
    const again = { id: randomUUID(), at: isoTime(clock.now()), reason }
    const given = events.storeThenEmit(
      () => coordination.turns.giveBack(grant.sessionId, grant.epoch, turnId, again),
      () => [endEvent(turnId, { outcome: 'withdrawn', reason })],
    )
    this.#thenGoOn(given)
  }

  /** No turn's end follows: what waits is looked at now. */
  #thenGoOn(stored: Promise<void>): void {
    const { queueChanged, fault } = this.#host
    stored.then(queueChanged).catch(fault)
  }

  /** The process is gone. A turn that ran was interrupted; a message that may or may not have arrived is looked for in the transcript. */
  async settleLost(lost: { running: RunningTurn | undefined; sent: Turn[] }, why: EndCause): Promise<void> {
    const { running, sent } = lost
    // What fails for one must not keep the others from being settled.
    const attempt = (work: () => Promise<void>) => work().catch((fault: unknown) => this.#host.fault(fault))
    for (const id of running?.joined ?? []) await attempt(() => this.#endJoined(id, running?.id ?? id))
    if (running) await attempt(() => this.#endLost(running, why))
    for (const turn of sent) await attempt(() => this.#endUnconfirmed(turn, why))
  }

  /** What a background turn costs is its session's. */
  #booked({ id, principal = this.#host.record().principal }: RunningTurn) {
    return { turnId: id, principal, processId: this.#processId }
  }

  async #endUnconfirmed(turn: Turn, why: EndCause): Promise<void> {
    this.#publishBegin(turn)
    await this.#endNow(turn.id, await this.#host.outcomeOfLost(turn, why))
  }

  #publishBegin(turn: Turn): void {
    this.#host.events.emit({ type: 'turn_start', turn_id: turn.id, cause: turn.cause })
    this.publishMessage(turn, turn.id)
  }

  async #endLost(turn: RunningTurn, why: EndCause): Promise<void> {
    const cost = await this.#host.costs.turnLost(this.#booked(turn))
    await this.#endNow(turn.id, { outcome: 'interrupted', ...why }, cost)
  }

  /** A message that went into a turn ends with it; the turn's own end tells. */
  async #endJoined(turnId: string, joinedTurn: string): Promise<void> {
    const end = { outcome: 'joined' as const, joinedTurn, endedAt: isoTime(this.#host.clock.now()) }
    await untilStored(() => this.#storeEnd(turnId, end))
  }

  async #endNow(turnId: string, end: Omit<TurnEndRecord, 'endedAt'>, cost?: BookedTurn): Promise<void> {
    const { clock, events } = this.#host
    const record = { ...end, endedAt: isoTime(clock.now()) }
    await events.storeThenEmit(
      () => this.#storeEnd(turnId, record),
      () => [endEvent(turnId, end, cost), ...(cost?.events ?? [])],
    )
  }

  #storeEnd(turnId: string, end: TurnEndRecord): Promise<unknown> {
    const { coordination, grant } = this.#host
    return coordination.turns.end(grant.sessionId, grant.epoch, turnId, end)
  }

  #store(store: () => Promise<unknown>, events: () => NewEvent[]): void {
    this.#host.events.storeThenEmit(store, events).catch((error: unknown) => this.#host.fault(error))
  }
}

function endEvent(
  turnId: string,
  { outcome, reason, reasonCode }: Pick<TurnEndRecord, 'outcome' | 'reason' | 'reasonCode'>,
  cost?: BookedTurn,
): Extract<NewEvent, { type: 'turn_end' }> {
  return {
    type: 'turn_end',
    turn_id: turnId,
    outcome,
    ...cost?.turnEnd,
    ...(reason !== undefined && { reason }),
    ...(reasonCode !== undefined && { reason_code: reasonCode }),
  }
}
