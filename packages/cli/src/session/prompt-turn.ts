/** Sends one message and follows its turn to the end. */
import { randomUUID } from 'node:crypto'
import { compareEventPositions, parseEventId, type SessionSnapshot, type StreamEvent } from '@dorkos/shared'
import type { Connection } from '../connect.ts'
import { safeText } from '../terminal/escape.ts'
import { ApprovalAnswers } from './approval-answers.ts'
import { type Following, followSession, sendSurely } from './follow-session.ts'
import type { TerminalView } from './terminal-view.ts'
import { type TurnResult, TurnWatch } from './turn-watch.ts'
import { withRights } from './with-rights.ts'

export interface PromptTurnOptions {
  connection: Connection
  view: TerminalView
  sessionId: string
  unattended: boolean
  /** Every event of the turn, in order, once. */
  onEvent: (event: StreamEvent) => void
  reconnectMs?: number
}

export class PromptTurn {
  readonly #options: PromptTurnOptions
  readonly #answers: ApprovalAnswers
  #following: Following | undefined
  #watch: TurnWatch | undefined
  /** Events that came before it was known which turn is ours. */
  #early: StreamEvent[] = []
  #newest: string | undefined
  #end: (result: TurnResult) => void = () => undefined
  turnId: string | undefined

  constructor(options: PromptTurnOptions) {
    this.#options = options
    const { connection, view, sessionId } = options
    this.#answers = new ApprovalAnswers({
      client: connection.client,
      rights: connection.rights,
      asker: view.asker,
      notify: (text) => view.notify(text),
      hold: () => view.hold(),
      release: () => view.release(),
      style: view.style,
      elsewhere: view.asker
        ? `Answer it in another terminal: dorkos attach ${sessionId}`
        : `There’s no terminal to ask on. Answer it in one with \`dorkos attach ${sessionId}\`, or use --unattended to have it denied.`,
    })
  }

  /** Rejects when the session cannot be followed, or the message is not taken. */
  async run(prompt: string): Promise<TurnResult> {
    const { connection, sessionId, view, reconnectMs } = this.#options
    const result = new Promise<TurnResult>((resolve) => {
      this.#end = resolve
    })
    const following = followSession(
      connection.client,
      sessionId,
      {
        onSnapshot: (snapshot, isFirst) => this.#snapshot(snapshot, isFirst),
        onEvent: (event) => this.#event(event),
        onConnection: (text) => view.notify(`${text}\n`),
      },
      reconnectMs,
    )
    this.#following = following
    const lost = following.ended.then(() => new Promise<never>(() => undefined))
    await Promise.race([following.ready, lost])
    const idempotencyKey = randomUUID()
    const { turn } = await withRights(connection.rights, view, () =>
      sendSurely(() =>
        connection.client.sendMessage({
          params: { id: sessionId },
          body: { content: prompt },
          idempotencyKey,
        }),
      ),
    )
    this.turnId = turn.id
    this.#watch = new TurnWatch(turn.id)
    for (const event of this.#early.splice(0)) this.#see(event)
    return await Promise.race([result, lost])
  }

  /** Stops the turn; a message that still waits is taken back instead. What others have waiting goes on. */
  interrupt(): void {
    const { connection, sessionId, view } = this.#options
    const params = { id: sessionId }
    const stop = () => connection.client.interruptSession({ params, body: { hold_queued: false } })
    const work =
      this.turnId !== undefined && this.#watch?.hasStarted === false
        ? connection.client.withdrawMessage({ params: { ...params, messageId: this.turnId } }).catch(stop)
        : stop()
    work.catch((error: unknown) =>
      view.notify(`${safeText(error instanceof Error ? error.message : String(error))}\n`),
    )
  }

  close(): void {
    this.#answers.close()
    this.#following?.stop()
    this.#following?.ended.catch(() => undefined)
  }

  #event(event: StreamEvent): void {
    this.#newest = event.id
    if (event.type === 'approval_required' || event.type === 'question_prompt')
      this.#answers.offer(event.approval)
    if (event.type === 'approval_resolved' || event.type === 'question_resolved')
      this.#answers.settled(event.approval_id)
    if (this.#watch) this.#see(event)
    else this.#early.push(event)
  }

  #see(event: StreamEvent): void {
    const watch = this.#watch
    if (!watch) return
    if (watch.see(event)) this.#options.onEvent(event)
    if (watch.result) this.#end(watch.result)
  }

  async #snapshot(snapshot: SessionSnapshot, isFirst: boolean): Promise<void> {
    for (const approval of snapshot.approvals) this.#answers.offer(approval)
    if (isFirst) {
      this.#newest = snapshot.at
      if (snapshot.session.state === 'working' || snapshot.session.state === 'waiting')
        this.#options.view.notify('The session is busy, so the message is queued.\n')
      return
    }
    const missed = snapshot.turn.filter(({ id }) => isNewer(id, this.#newest))
    for (const event of missed) this.#event(event)
    if (this.#watch && !this.#watch.result) await this.#checkEnded(snapshot)
  }

  /** After a gap: is the turn over? */
  async #checkEnded({ turn, queue }: SessionSnapshot): Promise<void> {
    const isOpen =
      queue.some(({ id }) => id === this.turnId) ||
      turn.some((event) => event.type === 'turn_start' && event.turn_id === this.turnId)
    if (isOpen) return
    const { connection, sessionId } = this.#options
    const { turns } = await connection.client.listTurns({ params: { id: sessionId }, query: { limit: 500 } })
    const own = turns.find(({ id }) => id === this.turnId)
    if (own?.state !== 'ended') return
    this.#watch?.endedUnseen(own)
    if (this.#watch?.result) this.#end(this.#watch.result)
  }
}

function isNewer(id: string, than: string | undefined): boolean {
  const a = parseEventId(id)
  const b = than === undefined ? undefined : parseEventId(than)
  return !a || !b || compareEventPositions(a, b) > 0
}
