/** The turns of a session, as the process that owns it writes them: each write carries the epoch of its lease. */
import type { Turn } from '@dorkos/shared'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { LeaseGrant, TurnEndRecord, TurnQueue } from '../ports/coordination.ts'

export class OwnedTurns {
  readonly #turns: TurnQueue
  readonly #grant: LeaseGrant
  readonly #clock: Clock

  constructor(turns: TurnQueue, grant: LeaseGrant, clock: Clock) {
    this.#turns = turns
    this.#grant = grant
    this.#clock = clock
  }

  now(): string {
    return isoTime(this.#clock.now())
  }

  /** Those that wait, in the order in which they will run. */
  queued(): Promise<Turn[]> {
    return this.#turns.queued(this.#grant.sessionId)
  }

  get(turnId: string): Promise<Turn | undefined> {
    return this.#turns.get(this.#grant.sessionId, turnId)
  }

  claim(): Promise<Turn | undefined> {
    return this.#turns.claim(this.#grant.sessionId, this.#grant.epoch)
  }

  claimTurn(turnId: string): Promise<Turn | undefined> {
    return this.#turns.claimTurn(this.#grant.sessionId, this.#grant.epoch, turnId)
  }

  unclaim(turnId: string): Promise<void> {
    return this.#turns.unclaim(this.#grant.sessionId, this.#grant.epoch, turnId)
  }

  start(turnId: string): Promise<void> {
    return this.#turns.start(this.#grant.sessionId, this.#grant.epoch, turnId, this.now())
  }

  /** Records a turn that no message caused. */
  startBackground(turn: { id: string; principal: string; startedAt: string }): Promise<void> {
    return this.#turns.startBackground(this.#grant.sessionId, this.#grant.epoch, turn)
  }

  end(turnId: string, end: TurnEndRecord): Promise<void> {
    return this.#turns.end(this.#grant.sessionId, this.#grant.epoch, turnId, end)
  }

  /** A message that the CLI gave back unread waits again, as a turn of another id. */
  giveBack(turnId: string, again: { id: string; at: string; reason: string }): Promise<Turn> {
    return this.#turns.giveBack(this.#grant.sessionId, this.#grant.epoch, turnId, again)
  }
}
