/** Hands the messages that wait to the session's process, one at a time and in their order. */
import { isQueueHeld, type Turn } from '@dorkos/shared'
import type { LeaseGrant, TurnQueue } from '../ports/coordination.ts'
import type { LiveProcess } from './live-process.ts'
import type { ProcessKeeper } from './process-keeper.ts'

export interface MessagePumpParts {
  turns: TurnQueue
  grant: LeaseGrant
  keeper: ProcessKeeper
  /** Nothing is handed over any more. */
  isClosing(): boolean
  /** No message may begin now. */
  isHeld(): boolean
  /** Whether the workspace is still as it was; may ask for a restart. */
  checkWorkspace(): Promise<void>
  /** The process did not start. */
  notStarted(error: unknown): Promise<undefined>
  /** A message went to the CLI. */
  handed(): Promise<void>
  /** There is nothing to do, or it cannot be done now. */
  rested(): void
  fault(error: unknown): void
}

/** Something waits, and no person holds it. */
export function isRunnable(queue: readonly Turn[]): boolean {
  return queue.length > 0 && !isQueueHeld(queue)
}

export class MessagePump {
  readonly #parts: MessagePumpParts
  #pumping: Promise<void> | undefined
  #again = false
  readonly #onTheWay = new Set<Promise<unknown>>()

  constructor(parts: MessagePumpParts) {
    this.#parts = parts
  }

  /** It is at work; resolves when it rests. */
  get pumping(): Promise<void> | undefined {
    return this.#pumping
  }

  /** Messages are on their way from the queue to the CLI; resolves when all have arrived, or could not. */
  get handing(): Promise<unknown> | undefined {
    return this.#onTheWay.size > 0 ? Promise.allSettled(this.#onTheWay) : undefined
  }

  /** Something may be to do. */
  wake(): void {
    this.#again = true
    if (this.#parts.isClosing() || this.#pumping) return
    this.#pumping = this.#pump()
      .catch((error: unknown) => this.#parts.fault(error))
      .finally(() => {
        this.#pumping = undefined
        if (this.#again) this.wake()
        else this.#parts.rested()
      })
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
    const { turns, grant, keeper, isHeld } = this.#parts
    while (this.#again) {
      this.#again = false
      if (isHeld() || keeper.process?.busy) return
      if (keeper.hasFailed || !isRunnable(await turns.queued(grant.sessionId))) return
      keeper.use()
      const process = await keeper.ensure().catch((error: unknown) => this.#parts.notStarted(error))
      if (!process || isHeld() || process.busy) return
      await this.#parts.checkWorkspace()
      if (isHeld() || process.busy) return
      // From here to the hand-over nothing is awaited: who closes the session sees that a message is on its way.
      const restart = keeper.takeRestart()
      if (restart !== undefined) {
        await process.close(restart)
        this.#again = true
        continue
      }
      if (!(await this.#follow(this.#handOver(process)))) return
      await this.#parts.handed()
    }
  }

  /** The next message goes to the CLI. False when there is none. */
  async #handOver(process: LiveProcess): Promise<boolean> {
    const { turns, grant } = this.#parts
    const turn = await turns.claim(grant.sessionId, grant.epoch)
    if (turn) await process.send(turn, 'queue')
    return turn !== undefined
  }

  async #steer(process: LiveProcess, turnId: string): Promise<boolean> {
    const { turns, grant } = this.#parts
    const turn = await turns.claimTurn(grant.sessionId, grant.epoch, turnId)
    if (turn) await process.send({ ...turn, cause: 'steer' }, 'steer')
    return turn !== undefined
  }
}
