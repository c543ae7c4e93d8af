/** All that a client needs to show a session it knows nothing of. */
import type { SessionSnapshot, StreamEvent } from '@dorkos/shared'
import { formatEventId } from '@dorkos/shared'
import type { Coordination, LoggedEvent } from '../ports/coordination.ts'
import type { SessionDirectory } from './session-directory.ts'

/** A running turn longer than this is cut at its beginning; what is cut is in the history once the CLI has written it. */
const maxTurnEvents = 5000

/**
 * Taken from the log first and from the stores after, so it is never behind `at`; what the stores know beyond it comes again
 * as events, which say the same.
 */
export async function sessionSnapshot(
  { events, approvals, turns }: Coordination,
  directory: SessionDirectory,
  sessionId: string,
): Promise<SessionSnapshot> {
  const bounds = await events.bounds(sessionId)
  const [status, todos, turn] = await Promise.all([
    events.latest(sessionId, 'mcp_status'),
    events.latest(sessionId, 'todo_update'),
    runningTurn(events, sessionId),
  ])
  const [session, pending, queue] = await Promise.all([
    directory.get(sessionId),
    approvals.list({ state: 'pending', sessionId, limit: 500 }),
    turns.queued(sessionId),
  ])
  const begun = turn.find((event) => event.type === 'turn_start')
  const last = turn.at(-1)?.id ?? (bounds && formatEventId(bounds.last))
  return {
    session,
    ...(last !== undefined && { at: last }),
    mcp_servers: status?.event.type === 'mcp_status' ? status.event.servers : [],
    todos: todos?.event.type === 'todo_update' ? todos.event.todos : [],
    approvals: pending,
    queue,
    turn,
    ...(begun?.type === 'turn_start' && { history_before: `turn:${begun.turn_id}` }),
  }
}

async function runningTurn(log: Coordination['events'], sessionId: string): Promise<StreamEvent[]> {
  const [start, end] = await Promise.all([
    log.latest(sessionId, 'turn_start'),
    log.latest(sessionId, 'turn_end'),
  ])
  if (!start || (end && end.position > start.position)) return []
  const events: LoggedEvent[] = [start]
  while (events.length < maxTurnEvents) {
    const from = events.at(-1) ?? start
    const page = await log.readSession(sessionId, positionIn(from), 1000)
    events.push(...page)
    if (page.length < 1000) break
  }
  return events.map(({ event }) => event)
}

function positionIn({ event }: LoggedEvent): { epoch: number; seq: number } {
  const [epoch = 0, seq = 0] = event.id.split('-').map(Number)
  return { epoch, seq }
}
