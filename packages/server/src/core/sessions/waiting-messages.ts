/** What people do with messages that wait: change, move and take them back, put them into the running turn, hold and release them. */
import { type MessageContent, say, type Turn } from '@dorkos/shared'
import type { Actor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { TurnQueue } from '../ports/coordination.ts'
import type { AgentManager } from './agent-manager.ts'
import type { SessionRecords } from './session-records.ts'
import type { SessionRunner } from './session-runner.ts'

export interface WaitingMessagesParts {
  turns: TurnQueue
  manager: AgentManager
  records: SessionRecords
  /** Throws for a session that is not the actor’s. What follows is written by the session's id alone. */
  check(actor: Actor, sessionId: string): Promise<void>
  clock: Clock
  audit(actor: Actor, action: string, sessionId: string, detail: Record<string, unknown>): Promise<void>
}

export class WaitingMessages {
  readonly #parts: WaitingMessagesParts

  constructor(parts: WaitingMessagesParts) {
    this.#parts = parts
  }

  async edit(actor: Actor, id: string, messageId: string, content: MessageContent): Promise<Turn> {
    await this.#parts.check(actor, id)
    const turn = stillWaiting(await this.#parts.turns.edit(id, messageId, content))
    await this.#publish(actor, id, 'a message was changed')
    return turn
  }

  async withdraw(actor: Actor, id: string, messageId: string): Promise<Turn> {
    await this.#parts.check(actor, id)
    const turn = stillWaiting(await this.#parts.turns.withdraw(id, messageId, this.#now()))
    await this.#publishWithdrawn(actor, id, [turn])
    return turn
  }

  async withdrawAll(actor: Actor, id: string): Promise<void> {
    const { turns } = this.#parts
    const withdrawn: Turn[] = []
    for (const { id: turnId } of await turns.queued(id)) {
      const turn = await turns.withdraw(id, turnId, this.#now())
      if (turn) withdrawn.push(turn)
    }
    if (withdrawn.length > 0) await this.#publishWithdrawn(actor, id, withdrawn)
  }

  async move(actor: Actor, id: string, messageId: string, before: string | undefined): Promise<Turn> {
    await this.#parts.check(actor, id)
    const moved = await this.#parts.turns.move(id, messageId, before)
    if (moved.outcome === 'target_not_waiting') throw new AppError('conflict', say('message_before_gone'))
    const turn = stillWaiting(moved.outcome === 'moved' ? moved.turn : undefined)
    await this.#publish(actor, id, 'a message was moved')
    return turn
  }

  async steer(actor: Actor, id: string, messageId: string): Promise<Turn> {
    const runner = await this.#run(actor, id, 'a message is steered in')
    return stillWaiting(await runner.steer(messageId))
  }

  /** About a message that may or may not have run: it does, now, or never. */
  async settle(actor: Actor, id: string, messageId: string, action: 'run' | 'drop'): Promise<Turn> {
    await this.#parts.check(actor, id)
    const turn = await this.#parts.turns.settle(id, messageId, action, this.#now())
    if (!turn) throw new AppError('conflict', say('message_settled'))
    await this.#parts.audit(actor, 'message_settled', id, { message_id: messageId, action })
    if (action === 'drop') {
      await this.#publishWithdrawn(actor, id, [turn])
      return turn
    }
    const runner = await this.#run(actor, id, 'a message was decided about')
    await runner.publishQueue()
    runner.wake()
    return turn
  }

  /** A person stops the agent: what waits now stays where it is, until `release` or the next message. */
  async hold(actor: Actor, id: string): Promise<void> {
    if (await this.#parts.turns.hold(id)) await this.#publish(actor, id, 'messages are held')
  }

  async release(actor: Actor, id: string): Promise<void> {
    // Checked first: what cannot run here now stays held.
    const runner = await this.#run(actor, id, 'messages are released')
    if (await this.#parts.turns.release(id)) await runner.publishQueue()
    runner.wake()
  }

  #now(): string {
    return isoTime(this.#parts.clock.now())
  }

  async #run(actor: Actor, id: string, reason: string): Promise<SessionRunner> {
    const { manager, records } = this.#parts
    return manager.own(await records.runnable(actor, id), reason)
  }

  /** Everyone who looks sees the queue as it is now, also when nothing of the session runs. */
  async #publish(actor: Actor, id: string, reason: string): Promise<void> {
    const { manager, records } = this.#parts
    const runner = await manager.own(await records.of(actor, id), reason)
    await runner.publishQueue()
  }

  /** Whoever follows a message learns that it will never run. */
  async #publishWithdrawn(actor: Actor, id: string, turns: Turn[]): Promise<void> {
    const { manager, records } = this.#parts
    const runner = await manager.own(await records.of(actor, id), 'a message was taken back')
    for (const turn of turns) runner.events.emit({ type: 'turn_end', turn_id: turn.id, outcome: 'withdrawn' })
    await runner.publishQueue()
    // It may have been what held the others. A session that may not run here leaves them waiting.
    const isRunnable = await records.runnable(actor, id).then(
      () => true,
      () => false,
    )
    if (isRunnable) runner.wake()
  }
}

function stillWaiting(turn: Turn | undefined): Turn {
  if (!turn) throw new AppError('conflict', say('message_not_waiting'))
  return turn
}
