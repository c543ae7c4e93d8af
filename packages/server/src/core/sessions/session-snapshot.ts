/** All that a client needs to show a session it knows nothing of. */
import type {
  EventPosition,
  RateLimit,
  Session,
  SessionCost,
  SessionSnapshot,
  StreamEvent,
  Task,
  Turn,
} from '@dorkos/shared'
import { formatEventId, positionOf } from '@dorkos/shared'
import { defined } from '../event-map/untrusted.ts'
import type { Coordination } from '../ports/coordination.ts'
import { eventsAfter, findBegunTurn } from './begun-turn.ts'

/** A running turn longer than this is cut at its beginning; what is cut is in the history once the CLI has written it. */
const maxTurnEvents = 5000

/** What a session has cost by now; undefined until its first turn ended. */
export interface SessionCosts {
  current(sessionId: string): Promise<SessionCost | undefined>
}

/**
 * Taken from the log first and from the stores after, so it is never behind `at`; what the stores know beyond it comes again
 * as events, which say the same.
 */
export async function sessionSnapshot(
  { events, approvals, turns }: Coordination,
  getSession: () => Promise<Session>,
  costs: SessionCosts,
  sessionId: string,
): Promise<SessionSnapshot> {
  const end = await events.end(sessionId)
  const [status, todos, limit, tasks, turn] = await Promise.all([
    events.latest(sessionId, 'mcp_status'),
    events.latest(sessionId, 'todo_update'),
    events.latest(sessionId, 'rate_limit'),
    latestTasks(events, sessionId, end),
    runningTurn(events, sessionId),
  ])
  const [session, pending, queue, handed, cost] = await Promise.all([
    getSession(),
    approvals.list({ principal: null, state: 'pending', sessionId, limit: 500 }),
    turns.queued(sessionId),
    turn.length > 0 ? [] : handedTurns(turns, sessionId),
    costs.current(sessionId),
  ])
  const begun = turn.find((event) => event.type === 'turn_start')
  const last = turn.at(-1)?.id ?? (end && formatEventId(end))
  return {
    session,
    ...(last !== undefined && { at: last }),
    mcp_servers: status?.type === 'mcp_status' ? status.servers : [],
    todos: todos?.type === 'todo_update' ? todos.todos : [],
    ...(tasks.length > 0 && { tasks }),
    approvals: pending,
    queue,
    ...(handed.length > 0 && { handed }),
    ...(cost && { cost }),
    ...(limit?.type === 'rate_limit' && { rate_limit: rateLimitOf(limit) }),
    turn,
    ...(begun?.type === 'turn_start' && { history_before: `turn:${begun.turn_id}` }),
  }
}

/** What ran under an earlier epoch ended with the process that ran it, whether or not that could say so. */
export async function latestTasks(
  events: Coordination['events'],
  sessionId: string,
  end: EventPosition | undefined,
): Promise<Task[]> {
  const newest = await events.latest(sessionId, 'tasks_update')
  const isCurrent = newest !== undefined && positionOf(newest).epoch === end?.epoch
  return isCurrent && newest.type === 'tasks_update' ? newest.tasks : []
}

function rateLimitOf({ status, kind, resets_at, utilization }: RateLimit): RateLimit {
  return defined({ status, kind, resets_at, utilization })
}

/** Asked for when no turn runs: what is on its way then begins the next. */
async function handedTurns(turns: Coordination['turns'], sessionId: string): Promise<Turn[]> {
  const [claimed, running] = await Promise.all([
    turns.list(sessionId, { state: 'claimed', limit: 1 }),
    turns.list(sessionId, { state: 'running', limit: 1 }),
  ])
  return [...running, ...claimed].filter(({ cause }) => cause !== 'background')
}

async function runningTurn(log: Coordination['events'], sessionId: string): Promise<StreamEvent[]> {
  const begun = await findBegunTurn(log, sessionId)
  if (!begun) return []
  const newest: StreamEvent[] = []
  for await (const event of eventsAfter(log, sessionId, positionOf(begun))) {
    newest.push(event)
    if (newest.length >= 2 * maxTurnEvents) newest.splice(0, maxTurnEvents)
  }
  return [begun, ...newest.slice(1 - maxTurnEvents)]
}
