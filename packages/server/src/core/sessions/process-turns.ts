/** The turns of one CLI process: which runs, where each message has gone, and the record of each from its begin to its end. */

import { randomUUID } from 'node:crypto'
import type { NewEvent, Turn } from '@dorkos/shared'
import { startEvent } from '../event-map/history-turns.ts'
import { inWords } from '../notice.ts'
import type { AgentTurnEnd } from '../ports/agent.ts'
import type { TurnEndRecord } from '../ports/coordination.ts'
import { outcomeOfLost } from './lost-turn.ts'
import type { BookedTurn, EndCause, ProcessOwner, ProcessSession } from './process-session.ts'
import { inSteps, untilStored } from './until-stored.ts'

export interface RunningTurn {
  id: string
  cause: Turn['cause']
  /** Who caused it; undefined for one that began by itself. */
  principal: string | undefined
  /** Messages that this turn took in besides the one that it is named after. */
  joined: string[]
}

/** Which turn runs, and where each message that was sent has gone: into a turn of its own, or into one that was running. Only memory. */
export class TurnTracker {
  /** Sent to the CLI, not begun. */
  readonly #sent = new Map<string, Turn>()
  #running: RunningTurn | undefined

  get running(): RunningTurn | undefined {
    return this.#running
  }

  /** A turn runs, or is certain to begin. */
  get busy(): boolean {
    return this.#running !== undefined || this.#sent.size > 0
  }

  /** Everything that the process has and has not ended. */
  get ids(): string[] {
    const { id, joined = [] } = this.#running ?? {}
    return [...(id === undefined ? [] : [id]), ...joined, ...this.#sent.keys()]
  }

  sent(turn: Turn): void {
    this.#sent.set(turn.id, turn)
  }

  /** A message that did not go out after all. */
  notSent(turnId: string): void {
    this.#sent.delete(turnId)
  }

  /**
   * The CLI begins a turn with these messages. Answers with the messages of ours among them; none means that the agent woke by
   * itself, and the turn gets `backgroundId`. The CLI may say so twice, or while a turn of ours runs: then nothing begins.
   */
  begin(
    messageIds: readonly string[],
    backgroundId: string,
  ): { turn: RunningTurn; messages: Turn[] } | undefined {
    if (this.#running) return undefined
    const messages = messageIds.flatMap((id) => this.#take(id) ?? [])
    const [first, ...others] = messages
    this.#running = {
      id: first?.id ?? backgroundId,
      cause: first?.cause ?? 'background',
      principal: first?.principal,
      joined: others.map(({ id }) => id),
    }
    return { turn: this.#running, messages }
  }

  /** The running turn takes a message in; undefined when it is no message that waits, or no turn runs. */
  join(messageId: string): Turn | undefined {
    if (!this.#running) return undefined
    const turn = this.#take(messageId)
    if (turn) this.#running.joined.push(turn.id)
    return turn
  }

  /** The CLI is done with a message that it had not begun: it gave it up, or says no more than that. */
  unbegun(messageId: string): Turn | undefined {
    return this.#take(messageId)
  }

  /** The running turn is over. */
  end(): RunningTurn | undefined {
    const turn = this.#running
    this.#running = undefined
    return turn
  }

  /** The process is gone: the turn that ran, and the messages that were sent and never begun. */
  lose(): { running: RunningTurn | undefined; sent: Turn[] } {
    const lost = { running: this.end(), sent: [...this.#sent.values()] }
    this.#sent.clear()
    return lost
  }

  #take(id: string): Turn | undefined {
    const turn = this.#sent.get(id)
    this.#sent.delete(id)
    return turn
  }
}

/** How a turn ended, as it is recorded. */
export type TurnVerdict = Pick<AgentTurnEnd, 'outcome'> & Partial<EndCause>

/** The record of each turn. It is stored before it is published. */
export class TurnRecord {
  readonly #session: ProcessSession
  readonly #owner: ProcessOwner
  readonly #processId: string
  /** Messages of this turn and of the one before whose `user_message` was published. */
  #published = new Set<string>()
  #publishedBefore = new Set<string>()

  constructor(session: ProcessSession, owner: ProcessOwner, processId: string) {
    this.#session = session
    this.#owner = owner
    this.#processId = processId
  }

  hasPublished(messageId: string): boolean {
    return this.#published.has(messageId) || this.#publishedBefore.has(messageId)
  }

  begin(turn: RunningTurn, messages: readonly Turn[]): void {
    const { turns, status, events } = this.#session
    this.#publishedBefore = this.#published
    this.#published = new Set()
    const start = startEvent({ ...messages[0], ...turn })
    if (turn.cause === 'background') {
      const row = { id: turn.id, principal: status.record.principal, startedAt: turns.now() }
      this.#store(
        () => turns.startBackground(row),
        () => [start],
      )
    } else events.emit(start)
    for (const message of messages) this.publishMessage(message, turn.id)
  }

  publishMessage(message: Turn, turnId: string): void {
    if (this.hasPublished(message.id)) return
    this.#published.add(message.id)
    this.#session.events.emit({
      type: 'user_message',
      message_id: message.id,
      turn_id: turnId,
      content: message.content ?? '',
    })
  }

  /** The turn is over, and with it the messages that it took in. */
  end(turn: RunningTurn, end: AgentTurnEnd, { outcome, reason, reasonCode }: TurnVerdict): void {
    const { costs, turns } = this.#session
    const endedAt = turns.now()
    const structured = end.result.structured_output
    const facts = {
      ...(reason && inWords(reason)),
      ...(reasonCode !== undefined && { reasonCode }),
      ...(structured !== undefined && { structuredOutput: structured }),
    }
    let cost: BookedTurn = { turnEnd: {}, events: [] }
    const joined = { outcome: 'joined' as const, endedAt, joinedTurn: turn.id }
    const store = inSteps([
      async () => {
        cost = await costs.turnEnded({ ...this.#booked(turn), end })
      },
      () => turns.end(turn.id, { outcome, endedAt, ...facts }),
      ...turn.joined.map((id) => () => turns.end(id, joined)),
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

  /** A message of whose turn the CLI reported only the end. */
  endUnbegun(turn: Turn, end: Omit<TurnEndRecord, 'endedAt'>): void {
    this.#publishBegin(turn)
    this.#thenGoOn(this.#endNow(turn.id, end))
  }

  /** The CLI gave a message back unread, because a person stopped the agent: it waits again, and runs if no stop holds the queue any more. */
  giveBack(turnId: string): void {
    const { turns, events } = this.#session
    const reason = 'The agent was stopped before it had read this message, which waits again.'
    const again = { id: randomUUID(), at: turns.now(), reason }
    const given = events.storeThenEmit(
      () => turns.giveBack(turnId, again),
      () => [endEvent(turnId, { outcome: 'withdrawn', reason })],
    )
    this.#thenGoOn(given)
  }

  /** No turn's end follows: what waits may run now. */
  #thenGoOn(stored: Promise<void>): void {
    stored.then(() => this.#owner.queueChanged()).catch((error: unknown) => this.#session.events.fault(error))
  }

  /** The process is gone. A turn that ran was interrupted; a message that may or may not have arrived is looked for in the transcript. */
  async settleLost(lost: { running: RunningTurn | undefined; sent: Turn[] }, why: EndCause): Promise<void> {
    const { running, sent } = lost
    // What fails for one must not keep the others from being settled.
    const attempt = (work: () => Promise<void>) =>
      work().catch((fault: unknown) => this.#session.events.fault(fault))
    for (const id of running?.joined ?? []) await attempt(() => this.#endJoined(id, running?.id ?? id))
    if (running) await attempt(() => this.#endLost(running, why))
    for (const turn of sent) await attempt(() => this.#endUnconfirmed(turn, why))
  }

  /** What a background turn costs is its session's. */
  #booked({ id, principal = this.#session.status.record.principal }: RunningTurn) {
    return { turnId: id, principal, processId: this.#processId }
  }

  async #endUnconfirmed(turn: Turn, why: EndCause): Promise<void> {
    this.#publishBegin(turn)
    const { agent, status } = this.#session
    await this.#endNow(turn.id, await outcomeOfLost(agent, status.record, turn.id, why))
  }

  #publishBegin(turn: Turn): void {
    this.#session.events.emit(startEvent(turn))
    this.publishMessage(turn, turn.id)
  }

  async #endLost(turn: RunningTurn, why: EndCause): Promise<void> {
    const cost = await this.#session.costs.turnLost(this.#booked(turn))
    await this.#endNow(
      turn.id,
      { outcome: 'interrupted', ...inWords(why.reason), reasonCode: why.reasonCode },
      cost,
    )
  }

  /** A message that went into a turn ends with it; the turn's own end says so. */
  async #endJoined(turnId: string, joinedTurn: string): Promise<void> {
    const { turns } = this.#session
    const end = { outcome: 'joined' as const, joinedTurn, endedAt: turns.now() }
    await untilStored(() => turns.end(turnId, end))
  }

  async #endNow(turnId: string, end: Omit<TurnEndRecord, 'endedAt'>, cost?: BookedTurn): Promise<void> {
    const { turns, events } = this.#session
    const record = { ...end, endedAt: turns.now() }
    await events.storeThenEmit(
      () => turns.end(turnId, record),
      () => [endEvent(turnId, end, cost), ...(cost?.events ?? [])],
    )
  }

  #store(store: () => Promise<unknown>, events: () => NewEvent[]): void {
    this.#session.events
      .storeThenEmit(store, events)
      .catch((error: unknown) => this.#session.events.fault(error))
  }
}

function endEvent(
  turnId: string,
  { outcome, reason, reasonCode, said }: Pick<TurnEndRecord, 'outcome' | 'reason' | 'reasonCode' | 'said'>,
  cost?: BookedTurn,
): Extract<NewEvent, { type: 'turn_end' }> {
  return {
    type: 'turn_end',
    turn_id: turnId,
    outcome,
    ...cost?.turnEnd,
    ...(reason !== undefined && { reason }),
    ...(reasonCode !== undefined && { reason_code: reasonCode }),
    ...(said && { said }),
  }
}
