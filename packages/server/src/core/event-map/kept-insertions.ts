/** Where in a transcript those events belong that only our log has: limits, notices, errors, take-overs, what a rule allowed. */
import { type NewEvent, parseEventId, type StreamEvent } from '@dorkos/shared'
import type { Insertion } from './build-history.ts'
import { beganAt, type TurnSpans } from './history-turns.ts'
import type { TranscriptRow } from './map-transcript.ts'

interface Page {
  rows: readonly TranscriptRow[]
  turns: TurnSpans
  calls: ReadonlyMap<string, { row: number; after: number }>
  /** Nothing comes before these rows. */
  first: boolean
}

/** What was decided about a call stands at it; all else where it happened. Each keeps its id: it is the event that was published live. */
export function keptInsertions(events: readonly StreamEvent[], page: Page): Insertion[] {
  const times = rowTimes(page)
  const since = page.first ? '' : (times[0] ?? '')
  const published = noticesOf(page.rows)
  return events.flatMap((stored): Insertion[] => {
    if (isBeginning(stored)) return []
    const { id, session: _session, time, ...event } = stored
    const call = isUnasked(stored) ? page.calls.get(stored.tool_call_id) : undefined
    if (call === undefined && (time < since || isPublished(event, time, published))) return []
    const position = call ?? { row: rowBefore(stored, times, page.rows) }
    return [{ ...position, id, time, event: event as NewEvent }]
  })
}

/** The model's limit is seen before the CLI writes down that it will try again because of it, whatever two clocks say. */
function rowBefore({ type, time }: StreamEvent, times: readonly string[], rows: Page['rows']): number {
  const at = times.findLastIndex((rowTime) => rowTime < time)
  const retry = rows[at]?.events.find((event) => event.type === 'api_retry')
  if (type !== 'rate_limit' || retry?.type !== 'api_retry') return at
  const nextTryAt = Date.parse(times[at] ?? '') + (retry.delay_ms ?? 0)
  return Date.parse(time) < nextTryAt ? at - 1 : at
}

type Unasked = Extract<StreamEvent, { type: 'tool_call_allowed' | 'tool_call_denied' }>

/** What was decided about a call without anybody being asked. */
export function isUnasked(event: StreamEvent): event is Unasked {
  return event.type === 'tool_call_allowed' || event.type === 'tool_call_denied'
}

/** The first process of a session takes nothing over. */
function isBeginning({ id, type }: StreamEvent): boolean {
  return type === 'session_taken_over' && (parseEventId(id)?.epoch ?? 0) <= 1
}

/** When each row was there for those who watched. The CLI writes a message down a little after its turn began. */
function rowTimes({ rows, turns }: Pick<Page, 'rows' | 'turns'>): string[] {
  const times = rows.map(({ time }) => time)
  for (const { turn, from } of turns.spans) {
    const began = beganAt(turn)
    if (from !== undefined && began < (times[from] ?? '')) times[from] = began
  }
  return times
}

interface PublishedNotice {
  ms: number
  words: string
}

const words = (event: NewEvent): string | undefined =>
  event.type === 'notice' ? `${event.code}\n${event.message}` : undefined

function noticesOf(rows: readonly TranscriptRow[]): PublishedNotice[] {
  return rows.flatMap(({ time, events }) =>
    events.flatMap((event) => {
      const found = words(event)
      return found === undefined ? [] : [{ ms: Date.parse(time), words: found }]
    }),
  )
}

/** The server's clock and the CLI's date the same event a little apart. */
const sameMomentMs = 30_000

/** Some notices of the CLI are in its transcript too. */
function isPublished(
  event: Omit<StreamEvent, 'id' | 'session' | 'time'>,
  time: string,
  published: PublishedNotice[],
) {
  const own = words(event as NewEvent)
  const ms = Date.parse(time)
  return published.some((notice) => notice.words === own && Math.abs(notice.ms - ms) < sameMomentMs)
}

/** The log has the hooks that ran here, under the ids of then; the transcript has those that ran in a terminal. */
export function withoutKeptHooks(rows: TranscriptRow[], kept: readonly StreamEvent[]): TranscriptRow[] {
  const hooks = kept.flatMap((event) =>
    event.type === 'hook_result' ? [{ hook: event.hook, ms: Date.parse(event.time) }] : [],
  )
  if (hooks.length === 0) return rows
  const isKept = (event: NewEvent, time: string) =>
    event.type === 'hook_result' &&
    hooks.some(({ hook, ms }) => hook === event.hook && Math.abs(ms - Date.parse(time)) < sameMomentMs)
  return rows
    .map((row) => ({ ...row, events: row.events.filter((event) => !isKept(event, row.time)) }))
    .filter(({ events }) => events.length > 0)
}
