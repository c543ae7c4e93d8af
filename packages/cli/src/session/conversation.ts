/** A session on the terminal: all that happens in it is shown, approvals are asked about, messages can be sent. */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import {
  ApiError,
  compareEventPositions,
  isQueueHeld,
  parseEventId,
  type SessionSnapshot,
  type StreamEvent,
  type Turn,
} from '@dorkos/shared'
import type { Connection } from '../connect.ts'
import type { UserMessage } from '../terminal/event-printer.ts'
import { ApprovalAnswers } from './approval-answers.ts'
import { type Following, followSession, sendSurely } from './follow-session.ts'
import type { TerminalView } from './terminal-view.ts'
import { withRights } from './with-rights.ts'

export interface ConversationOptions {
  connection: Connection
  view: TerminalView
  sessionId: string
  onEvent: (event: StreamEvent) => void
  /** How much of what was said before is shown. */
  history: number
  /** The session begins or ends a turn. */
  onWork: (isWorking: boolean) => void
  /** So many messages wait, and none of them runs: somebody stopped the agent. */
  onHeld?: (count: number) => void
  reconnectMs?: number
}

/** So long a stop waits for messages that are on their way. */
const arrivalMs = 1000

export class Conversation {
  readonly #options: ConversationOptions
  readonly #following: Following
  readonly answers: ApprovalAnswers
  readonly #typed: string[] = []
  /** Messages that the server has not confirmed yet. */
  readonly #onTheWay = new Set<Promise<unknown>>()
  #newest: string | undefined
  queue: readonly Turn[] = []
  isWorking = false

  constructor(options: ConversationOptions) {
    this.#options = options
    const { connection, view, sessionId } = options
    this.answers = new ApprovalAnswers({
      client: connection.client,
      rights: connection.rights,
      asker: view.asker,
      notify: (text) => view.notify(text),
      hold: () => view.hold(),
      release: () => view.release(),
      style: view.style,
      elsewhere: view.asker
        ? 'Answer it with /answer'
        : `Answer it in a terminal: dorkos attach ${sessionId}`,
    })
    this.#following = followSession(
      connection.client,
      sessionId,
      {
        onSnapshot: (snapshot, isFirst) => this.#snapshot(snapshot, isFirst),
        onEvent: (event) => this.#event(event),
        onConnection: (text) => view.notify(`${text}\n`),
      },
      options.reconnectMs,
    )
  }

  /** What was before is shown; nothing from here on is missed. Rejects when the session cannot be followed. */
  get ready(): Promise<void> {
    return Promise.race([this.#following.ready, this.#following.ended])
  }

  /** Rejects when the session cannot be followed any more. */
  get ended(): Promise<void> {
    return this.#following.ended
  }

  async send(content: string): Promise<void> {
    const { connection, sessionId, view } = this.#options
    const idempotencyKey = randomUUID()
    // One that waits for its turn is shown again when that comes.
    if (!this.isWorking) this.#typed.push(content)
    const sent = withRights(connection.rights, view, () =>
      sendSurely(() =>
        connection.client.sendMessage({ params: { id: sessionId }, body: { content }, idempotencyKey }),
      ),
    )
    this.#onTheWay.add(sent)
    await sent.finally(() => this.#onTheWay.delete(sent))
  }

  /** Whether the message stands on the screen already, as it was typed. */
  isOwn({ content }: UserMessage): boolean {
    const index = typeof content === 'string' ? this.#typed.indexOf(content) : -1
    if (index !== -1) this.#typed.splice(index, 1)
    return index !== -1
  }

  get isHeld(): boolean {
    return isQueueHeld(this.queue)
  }

  async release(): Promise<void> {
    const { connection, sessionId, view } = this.#options
    await withRights(connection.rights, view, () =>
      connection.client.releaseQueue({ params: { id: sessionId } }),
    )
  }

  /** Takes back all that wait now; says how many those were. One that began meanwhile goes on. */
  async withdrawAll(): Promise<number> {
    const { connection, sessionId: id } = this.#options
    let count = 0
    for (const { id: messageId } of this.queue) {
      try {
        await connection.client.withdrawMessage({ params: { id, messageId } })
        count++
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'conflict')) throw error
      }
    }
    return count
  }

  /** What was typed before is stopped with the rest: a message that came after the stop would run. */
  async interrupt(): Promise<void> {
    const arrived = Promise.allSettled(this.#onTheWay)
    await Promise.race([arrived, setTimeout(arrivalMs, undefined, { ref: false })])
    await this.#options.connection.client.interruptSession({ params: { id: this.#options.sessionId } })
  }

  close(): void {
    this.answers.close()
    this.#following.stop()
    this.#following.ended.catch(() => undefined)
  }

  async #snapshot(snapshot: SessionSnapshot, isFirst: boolean): Promise<void> {
    if (isFirst) await this.#showHistory(snapshot)
    this.#setQueue(snapshot.queue)
    for (const event of snapshot.turn) if (isNewer(event.id, this.#newest)) this.#event(event)
    if (snapshot.at !== undefined) this.#newest = snapshot.at
    for (const approval of snapshot.approvals) this.answers.offer(approval)
    this.#work(snapshot.turn.length > 0)
  }

  async #showHistory({ history_before }: SessionSnapshot): Promise<void> {
    const { connection, sessionId, history } = this.#options
    if (history === 0) return
    const { events } = await connection.client.getHistory({
      params: { id: sessionId },
      query: { limit: history, ...(history_before !== undefined && { before: history_before }) },
    })
    for (const event of events) this.#options.onEvent(event)
  }

  #event(event: StreamEvent): void {
    this.#newest = event.id
    switch (event.type) {
      case 'approval_required':
      case 'question_prompt':
        this.answers.offer(event.approval)
        break
      case 'approval_resolved':
      case 'question_resolved':
        this.answers.settled(event.approval_id)
        break
      case 'queue_update':
        this.#setQueue(event.queue)
        break
      case 'turn_start':
        this.#work(true)
        break
    }
    this.#options.onEvent(event)
    if (event.type === 'turn_end' && event.outcome !== 'joined') this.#work(false)
  }

  #setQueue(queue: readonly Turn[]): void {
    const wasHeld = this.isHeld
    this.queue = queue
    if (this.isHeld && !wasHeld) this.#options.onHeld?.(queue.length)
  }

  #work(isWorking: boolean): void {
    this.isWorking = isWorking
    this.#options.onWork(isWorking)
  }
}

function isNewer(id: string, than: string | undefined): boolean {
  const a = parseEventId(id)
  const b = than === undefined ? undefined : parseEventId(than)
  return !a || !b || compareEventPositions(a, b) > 0
}
