/** Hands the messages that wait to the session's process, one at a time and in their order. */

import { isQueueHeld, type NewEvent, type Turn } from '@dorkos/shared'
import { startEvent } from '../event-map/history-turns.ts'
import { inWords, sayingOf } from '../notice.ts'
import type { LiveProcess } from './live-process.ts'
import type { ProcessKeeper } from './process-keeper.ts'
import type { OwnedSession } from './process-session.ts'

/** Something waits, and no person holds it. */
export function isRunnable(queue: readonly Turn[]): boolean {
  return queue.length > 0 && !isQueueHeld(queue)
}

export class MessagePump {
  readonly #session: OwnedSession
  readonly #keeper: ProcessKeeper
  #pumping: Promise<void> | undefined
  #again = false
  #isStopped = false
  readonly #onTheWay = new Set<Promise<unknown>>()

  constructor(session: OwnedSession, keeper: ProcessKeeper) {
    this.#session = session
    this.#keeper = keeper
  }

  /** It is at work; resolves when it rests. */
  get pumping(): Promise<void> | undefined {
    return this.#pumping
  }

  /** Messages are on their way from the queue to the CLI; resolves when all have arrived, or could not. */
  get handing(): Promise<unknown> | undefined {
    return this.#onTheWay.size > 0 ? Promise.allSettled(this.#onTheWay) : undefined
  }

  /** No message may begin now. */
  get isHeld(): boolean {
    return this.#isStopped || this.#session.status.isPaused
  }

  /** For good: no further message begins. */
  stop(): void {
    this.#isStopped = true
  }

  /** Something may be to do. */
  wake(): void {
    this.#again = true
    if (this.#isStopped || this.#pumping) return
    this.#pumping = this.#pump()
      .catch((error: unknown) => this.#session.events.fault(error))
      .finally(() => {
        this.#pumping = undefined
        if (this.#again) this.wake()
        else this.#session.status.changed()
      })
  }

  /** Everyone sees the messages that wait as they are now. */
  async publishQueue(): Promise<void> {
    const { turns, events, status } = this.#session
    events.emit({ type: 'queue_update', queue: await turns.queued() })
    status.changed()
  }

  /** Puts a waiting message into the turn that runs. False when it no longer waits. */
  steer(process: LiveProcess, turnId: string): Promise<boolean> {
    return this.#follow(this.#steer(process, turnId))
  }

  #follow(handing: Promise<boolean>): Promise<boolean> {
    const followed = handing.finally(() => this.#onTheWay.delete(followed))
    this.#onTheWay.add(followed)
    return followed
  }

  async #pump(): Promise<void> {
    const { turns } = this.#session
    const keeper = this.#keeper
    while (this.#again) {
      this.#again = false
      if (this.isHeld || keeper.process?.busy) return
      if (keeper.hasFailed || !isRunnable(await turns.queued())) return
      keeper.use()
      const process = await keeper.ensure().catch((error: unknown) => this.#failNext(error))
      if (!process || this.isHeld || process.busy) return
      await keeper.checkWorkspace()
      if (this.isHeld || process.busy) return
      // From here to the hand-over nothing is awaited: who closes the session sees that a message is on its way.
      const restart = keeper.takeRestart()
      if (restart !== undefined) {
        await process.close(restart)
        this.#again = true
        continue
      }
      if (!(await this.#follow(this.#handOver(process)))) return
      await this.publishQueue()
    }
  }

  /** The next message goes to the CLI. False when there is none. */
  async #handOver(process: LiveProcess): Promise<boolean> {
    const turn = await this.#session.turns.claim()
    if (turn) await process.send(turn, 'queue')
    return turn !== undefined
  }

  async #steer(process: LiveProcess, turnId: string): Promise<boolean> {
    const turn = await this.#session.turns.claimTurn(turnId)
    if (turn) await process.send(turn, 'steer')
    return turn !== undefined
  }

  /** The process does not start: the next message ends with that reason, the others wait for a person. */
  async #failNext(error: unknown): Promise<undefined> {
    const { turns, events, status } = this.#session
    const why = inWords(sayingOf(error))
    this.#keeper.fail(error)
    const turn = this.#isStopped ? undefined : await turns.claim()
    if (!turn) return
    const end = { outcome: 'failed' as const, ...why, reasonCode: 'not_started' as const }
    const published: NewEvent[] = [
      startEvent(turn),
      { type: 'user_message', message_id: turn.id, turn_id: turn.id, content: turn.content ?? '' },
      { type: 'turn_end', turn_id: turn.id, outcome: end.outcome, ...why, reason_code: end.reasonCode },
    ]
    await events.storeThenEmit(
      () => turns.end(turn.id, { ...end, endedAt: turns.now() }),
      () => published,
    )
    status.set('failed', why.reason)
    await status.change(status.ended(end.outcome))
    await this.publishQueue()
  }
}
