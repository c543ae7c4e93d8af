/**
 * Puts a session right that an earlier run of the server left in the middle of something. A message that was only claimed was
 * never sent and runs; one that is in the transcript was interrupted; one that was sent and is not there asks a person; one
 * that the running turn had taken in ends with it. The log then says how every turn ended that it says began.
 */
import type { Turn } from '@dorkos/shared'
import type { Agent } from '../ports/agent.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { Coordination, LoggedEvent } from '../ports/coordination.ts'
import { outcomeOfLost } from './lost-turn.ts'
import type { SessionRunner } from './session-runner.ts'

const pageSize = 1000
const reason = 'The server stopped before the turn was over.'

export async function recoverSession(parts: {
  runner: SessionRunner
  open: Turn[]
  agent: Agent
  coordination: Coordination
  clock: Clock
}): Promise<void> {
  const { runner, open, agent, coordination, clock } = parts
  const { turns } = coordination
  const { id, grant, events } = runner
  const begun = await readLastTurn(coordination, id)
  let interrupted = false
  const untold: Turn[] = []
  for (const turn of open) {
    if (turn.state === 'claimed') {
      await turns.unclaim(id, grant.epoch, turn.id)
      continue
    }
    interrupted = true
    if (begun && turn.id !== begun.id && begun.messages.has(turn.id)) {
      const joined = { outcome: 'joined' as const, joinedTurn: begun.id, endedAt: isoTime(clock.now()) }
      await turns.end(id, grant.epoch, turn.id, joined)
      continue
    }
    const lost =
      turn.cause === 'background'
        ? { outcome: 'interrupted' as const, reason }
        : await outcomeOfLost(agent, runner.record, turn.id, reason)
    await turns.end(id, grant.epoch, turn.id, { ...lost, endedAt: isoTime(clock.now()) })
    if (turn.id !== begun?.id) untold.push({ ...turn, ...lost })
  }
  await tellUntoldEnd(runner, coordination)
  for (const turn of untold) tellWhole(runner, turn)
  if (interrupted) runner.setState('interrupted', reason)
  await runner.tellQueue()
  await events.flushed()
}

/** The turn that the log began last, and the messages that it told as the turn's. */
async function readLastTurn({ events }: Coordination, sessionId: string) {
  const start = await events.latest(sessionId, 'turn_start')
  const id = turnIdOf(start)
  if (!start || id === undefined) return undefined
  const messages = new Set<string>()
  let position: number | undefined = start.position
  while (position !== undefined) {
    const page: LoggedEvent[] = await events.readMany([sessionId], position, pageSize)
    for (const { event } of page)
      if (event.type === 'user_message' && event.turn_id === id) messages.add(event.message_id)
    position = page.length === pageSize ? page.at(-1)?.position : undefined
  }
  return { id, messages }
}

function turnIdOf(logged: LoggedEvent | undefined): string | undefined {
  return logged?.event.type === 'turn_start' ? logged.event.turn_id : undefined
}

/** A turn that the log knows nothing of: its message was sent, and the crash came before the CLI began on it. */
function tellWhole(
  { events }: SessionRunner,
  turn: Pick<Turn, 'id' | 'cause' | 'content' | 'outcome' | 'reason'>,
): void {
  events.emit({ type: 'turn_start', turn_id: turn.id, cause: turn.cause })
  if (turn.content !== undefined)
    events.emit({ type: 'user_message', message_id: turn.id, turn_id: turn.id, content: turn.content })
  const { outcome = 'interrupted', reason } = turn
  events.emit({ type: 'turn_end', turn_id: turn.id, outcome, ...(reason && { reason }) })
}

/** A turn whose begin is in the log and whose end is not: the crash came between storing its end and telling it, or before both. */
async function tellUntoldEnd(runner: SessionRunner, { events, turns }: Coordination): Promise<void> {
  const [start, end] = await Promise.all([
    events.latest(runner.id, 'turn_start'),
    events.latest(runner.id, 'turn_end'),
  ])
  const turnId = turnIdOf(start)
  if (!turnId || !start || (end && end.position > start.position)) return
  const turn = await turns.get(runner.id, turnId)
  const outcome = turn?.outcome ?? 'interrupted'
  runner.events.emit({ type: 'turn_end', turn_id: turnId, outcome, reason: turn?.reason ?? reason })
}
