/** The turns of a session, as the process that owns it writes them: each write carries the epoch of its lease. */
import { type Clock, isoTime } from '../ports/clock.ts'
import type { LeaseGrant, TurnEndRecord, TurnQueue } from '../ports/coordination.ts'

export type OwnedTurns = ReturnType<typeof ownedTurns>

export function ownedTurns(turns: TurnQueue, { sessionId, epoch }: LeaseGrant, clock: Clock) {
  const now = () => isoTime(clock.now())
  return {
    now,
    /** Those that wait, in the order in which they will run. */
    queued: () => turns.queued(sessionId),
    get: (turnId: string) => turns.get(sessionId, turnId),
    claim: () => turns.claim(sessionId, epoch),
    claimTurn: (turnId: string) => turns.claimTurn(sessionId, epoch, turnId),
    unclaim: (turnId: string) => turns.unclaim(sessionId, epoch, turnId),
    start: (turnId: string) => turns.start(sessionId, epoch, turnId, now()),
    /** Records a turn that no message caused. */
    startBackground: (turn: { id: string; principal: string; startedAt: string }) =>
      turns.startBackground(sessionId, epoch, turn),
    end: (turnId: string, end: TurnEndRecord) => turns.end(sessionId, epoch, turnId, end),
    /** A message that the CLI gave back unread waits again, as a turn of another id. */
    giveBack: (turnId: string, again: { id: string; at: string; reason: string }) =>
      turns.giveBack(sessionId, epoch, turnId, again),
  }
}
