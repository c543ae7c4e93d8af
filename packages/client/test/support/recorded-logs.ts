/** The recorded logs, and what a server would have sent of them at any moment. `record-logs.test.ts` makes them. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Approval, HistoryPage, Session, SessionSnapshot, StreamEvent, Turn } from '@dorkos/shared'

export interface RecordedLog {
  name: string
  session: string
  /** What was sent live. */
  log: StreamEvent[]
  /** What was sent of it afterwards. */
  history: StreamEvent[]
  /** The same in small pages, oldest first. */
  pages: StreamEvent[][]
}

const folder = new URL('../../src/live/fixtures/', import.meta.url)

interface Line {
  log?: StreamEvent
  history?: StreamEvent
}

function readLog(file: string): RecordedLog {
  const [head = '{}', ...lines] = readFileSync(new URL(file, folder), 'utf8').trim().split('\n')
  const { session, pages }: { session: string; pages: number[] } = JSON.parse(head)
  const read: Line[] = lines.map((line) => JSON.parse(line))
  const eventsOf = (name: keyof Line) =>
    read.flatMap(({ [name]: event }) => (event ? [{ ...event, session }] : []))
  const rest = eventsOf('history')
  return {
    name: file.replace('.jsonl', ''),
    session,
    log: eventsOf('log'),
    history: eventsOf('history'),
    pages: pages.map((length) => rest.splice(0, length)),
  }
}

export const recordedLogs: RecordedLog[] = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .map(readLog)

/** Where the turn begins that runs after these events; undefined when none does. */
function runningTurn(events: readonly StreamEvent[]): number | undefined {
  const at = events.findLastIndex(({ type }) => type === 'turn_start')
  const start = events[at]
  if (start?.type !== 'turn_start') return undefined
  const isOver = events
    .slice(at)
    .some((event) => event.type === 'turn_end' && event.turn_id === start.turn_id)
  return isOver ? undefined : at
}

export function pendingOf(events: readonly StreamEvent[]): Approval[] {
  const pending = new Map<string, Approval>()
  for (const event of events) {
    if (event.type === 'approval_required' || event.type === 'question_prompt')
      pending.set(event.approval.id, event.approval)
    if (event.type === 'approval_resolved' || event.type === 'question_resolved')
      pending.delete(event.approval_id)
  }
  return [...pending.values()]
}

function latest<T extends StreamEvent['type']>(events: readonly StreamEvent[], type: T) {
  return events.findLast((event): event is Extract<StreamEvent, { type: T }> => event.type === type)
}

/** What a server would send a client that comes after these events. */
export function snapshotAfter(events: readonly StreamEvent[]): SessionSnapshot {
  const from = runningTurn(events)
  const turn = from === undefined ? [] : events.slice(from)
  const [begun] = turn
  const at = events.at(-1)?.id
  return {
    session: aSession(events[0]?.session ?? ''),
    ...(at !== undefined && { at }),
    mcp_servers: latest(events, 'mcp_status')?.servers ?? [],
    todos: latest(events, 'todo_update')?.todos ?? [],
    approvals: pendingOf(events),
    queue: queueAfter(events),
    ...costAfter(events),
    turn,
    ...(begun?.type === 'turn_start' && { history_before: `turn:${begun.turn_id}` }),
  }
}

function costAfter(events: readonly StreamEvent[]): Pick<SessionSnapshot, 'cost' | 'rate_limit'> {
  const cost = latest(events, 'cost_update')
  const limit = latest(events, 'rate_limit')
  return { ...(cost && { cost: bare(cost) }), ...(limit && { rate_limit: bare(limit) }) }
}

/** Without what is an event's own. */
function bare<E extends StreamEvent>({ type: _type, id: _id, session: _session, time: _time, ...rest }: E) {
  return Object.fromEntries(Object.entries(rest).filter(([key]) => key !== 'detail')) as typeof rest
}

/** What ended since the queue was published is not in it: a turn's end is stored before it is published. */
function queueAfter(events: readonly StreamEvent[]): Turn[] {
  const lastUpdate = events.findLastIndex(({ type }) => type === 'queue_update')
  const ended = new Set(
    events.slice(lastUpdate + 1).flatMap((event) => (event.type === 'turn_end' ? event.turn_id : [])),
  )
  return (latest(events, 'queue_update')?.queue ?? []).filter(({ id }) => !ended.has(id))
}

/** What its history would hold then. */
export function pageAfter(events: readonly StreamEvent[]): HistoryPage {
  return { events: events.slice(0, runningTurn(events) ?? events.length) }
}

export function aSession(id: string): Session {
  const time = '2026-01-01T00:00:00.000Z'
  return {
    id,
    cwd: '/projects/demo',
    origin: 'dorkos',
    state: 'idle',
    live: true,
    permission_mode: 'default',
    created_at: time,
    updated_at: time,
    archived: false,
    pinned: false,
    unattended: false,
    demo: false,
    cli_session_ids: [id],
    pending_approvals: 0,
    queued_messages: 0,
  }
}
