/**
 * Recovers a session that an earlier run of the server left in the middle of something. A message that was only claimed was
 * never sent and runs; one that is in the transcript was interrupted; one that was sent and is not there asks a person; one
 * that the running turn had taken in ends with it. The log then says how every turn ended that it says began. All of it can be
 * cut off by the next crash, and is done again.
 */

import { type NewEvent, positionOf, say, type Turn } from '@dorkos/shared'
import { startEvent } from '../event-map/history-turns.ts'
import { inWords } from '../notice.ts'
import type { Agent } from '../ports/agent.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { Coordination } from '../ports/coordination.ts'
import { eventsAfter, findBegunTurn } from './begun-turn.ts'
import { outcomeOfLost } from './lost-turn.ts'
import type { EndCause } from './process-session.ts'
import type { SessionRunner } from './session-runner.ts'

/** So many turns at most were over and not published when the server died. */
const unpublishedLimit = 20
const why: EndCause = {
  reason: say('server_stopped_in_turn'),
  reasonCode: 'server_restart',
}

export async function recoverSession(parts: {
  runner: SessionRunner
  open: Turn[]
  agent: Agent
  coordination: Coordination
  clock: Clock
}): Promise<void> {
  const { runner, open, agent, coordination, clock } = parts
  const { id, turns, events } = runner
  const begun = await readBegunTurn(coordination, id)
  await publishStoredEnds(runner, coordination, begun?.id)
  let interrupted = false
  for (const turn of open) {
    if (turn.state === 'claimed') {
      await turns.unclaim(turn.id)
      continue
    }
    interrupted = true
    const endedAt = isoTime(clock.now())
    if (begun && turn.id !== begun.id && begun.messages.has(turn.id)) {
      await turns.end(turn.id, { outcome: 'joined', joinedTurn: begun.id, endedAt })
      continue
    }
    const lost =
      turn.cause === 'background'
        ? { outcome: 'interrupted' as const, ...inWords(why.reason), reasonCode: why.reasonCode }
        : await outcomeOfLost(agent, runner.record, turn.id, why)
    await events.storeThenEmit(
      () => turns.end(turn.id, { ...lost, endedAt }),
      () => {
        const ended = {
          ...turn,
          outcome: lost.outcome,
          reason: lost.reason,
          reason_code: lost.reasonCode,
          said: lost.said,
        }
        return turn.id === begun?.id ? [endOf(ended)] : wholeTurn(ended)
      },
    )
  }
  if (interrupted) {
    runner.status.set('interrupted', why.reason.message)
    await runner.status.change(runner.status.ended('interrupted'))
  } else if (runner.record.state === 'paused') {
    // A pause ended with the process that it held.
    await runner.status.change({ state: 'idle' })
  }
  await runner.publishQueue()
  await events.flushed()
}

/** The turn that the log says began and does not say ended, with the messages that it names as the turn's. */
async function readBegunTurn({ events }: Coordination, sessionId: string) {
  const begun = await findBegunTurn(events, sessionId)
  if (!begun) return undefined
  const id = begun.turn_id
  const messages = new Set<string>()
  for await (const event of eventsAfter(events, sessionId, positionOf(begun)))
    if (event.type === 'user_message' && event.turn_id === id) messages.add(event.message_id)
  return { id, messages }
}

/** Turns whose end was stored, and the crash came before it was published. */
async function publishStoredEnds(
  runner: SessionRunner,
  { events, turns }: Coordination,
  begunId: string | undefined,
): Promise<void> {
  const lastEnd = await events.latest(runner.id, 'turn_end')
  const unpublished = (await turns.list(runner.id, { state: 'ended', limit: unpublishedLimit })).filter(
    ({ id, outcome, started_at, ended_at = '' }) =>
      id !== begunId &&
      started_at !== undefined &&
      outcome !== 'joined' &&
      outcome !== 'withdrawn' &&
      ended_at > (lastEnd?.time ?? ''),
  )
  const begun = begunId === undefined ? undefined : await turns.get(runner.id, begunId)
  if (begun?.state === 'ended') runner.events.emit(endOf(begun))
  for (const turn of unpublished.toReversed()) for (const event of wholeTurn(turn)) runner.events.emit(event)
}

type EndedTurn = Pick<
  Turn,
  'id' | 'cause' | 'content' | 'outcome' | 'reason' | 'reason_code' | 'said' | 'replaces'
>

/** A turn that the log knows nothing of: its message was sent, and the crash came before the CLI began on it. */
function wholeTurn(turn: EndedTurn): NewEvent[] {
  const { id, content } = turn
  return [
    startEvent(turn),
    ...(content === undefined
      ? []
      : [{ type: 'user_message' as const, message_id: id, turn_id: id, content }]),
    endOf(turn),
  ]
}

function endOf({ id, outcome = 'interrupted', reason, reason_code, said }: EndedTurn): NewEvent {
  return {
    type: 'turn_end',
    turn_id: id,
    outcome,
    ...(reason !== undefined && { reason }),
    ...(reason_code !== undefined && { reason_code }),
    ...(said && { said }),
  }
}
