import type { HistoryPage, StreamEvent } from '@dorkos/shared'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageAfter, pendingOf, recordedLogs, snapshotAfter } from '../../test/support/recorded-logs.ts'
import { eventInputs, loaded, reduceAll, replay } from '../../test/support/reduce.ts'
import type { PageSession } from './page-session.ts'
import { emptySession } from './reduce-session.ts'

/** What a client that came late must have like one that was there. */
function known({ items, queue, approvals, todos, turn, cost, rateLimit }: PageSession) {
  const pending = Object.values(approvals).filter(({ state }) => state === 'pending')
  return { items, queue, todos, turn, pending, cost, rateLimit }
}

/** Types that a history holds. */
const said = new Set<StreamEvent['type']>([
  'turn_start',
  'user_message',
  'text_delta',
  'thinking_delta',
  'thinking_end',
  'tool_call_start',
  'tool_call_end',
  'tool_call_allowed',
  'tool_result',
  'approval_required',
  'approval_resolved',
  'question_prompt',
  'question_resolved',
  'subagent_start',
  'subagent_end',
  'turn_end',
  'session_taken_over',
  'api_retry',
  'rate_limit',
  'notice',
  'error',
])

/** The pages, the newest first, as a server gives them. */
function loadPages(state: PageSession, pages: readonly (readonly StreamEvent[])[]): PageSession {
  return pages.toReversed().reduce((next, events, index) => {
    const isLast = index === pages.length - 1
    const page: HistoryPage = { events: [...events], ...(!isLast && { before: `page ${index}` }) }
    return loaded(next, page)
  }, state)
}

const ready = (id: string) => reduceAll(emptySession(id), [{ type: 'snapshot', snapshot: snapshotAfter([]) }])

it('has logs to replay', () => {
  expect(recordedLogs.length).toBeGreaterThanOrEqual(9)
})

describe.each(recordedLogs)('$name', ({ session: id, log, history, pages }) => {
  const whole = replay(log)

  it('gives the same state each time, and leaves its input alone', () => {
    expect(replay(structuredClone(log))).toEqual(whole)
    expect(whole.orphans).toEqual([])
    expect(pendingOf(log)).toEqual([])
  })

  it('a snapshot at any moment, its history and what follows equal the whole', () => {
    for (let cut = 0; cut <= log.length; cut++) {
      const past = log.slice(0, cut)
      const snapshot = reduceAll(emptySession(id), [{ type: 'snapshot', snapshot: snapshotAfter(past) }])
      const late = loaded(snapshot, pageAfter(past))
      expect(known(late), `after ${cut} events`).toEqual(known(replay(past, id)))
      const tail = reduceAll(late, eventInputs(log.slice(cut)))
      expect(known(tail), `from ${cut} events on`).toEqual(known(whole))
    }
  })

  it('a page of the history that comes late, and is ahead of the stream, changes nothing', () => {
    fc.assert(
      fc.property(fc.nat(log.length), fc.nat(log.length), fc.nat(log.length), (a, b, c) => {
        const cut = Math.min(a, b, c)
        const past = log.slice(0, cut)
        const snapshot = snapshotAfter(past)
        // With a turn that runs, the server ends the page where it begins.
        const read = snapshot.turn.length > 0 ? pageAfter(past) : { events: log.slice(0, Math.max(a, b)) }
        const page = { events: read.events.filter(({ type }) => said.has(type)) }
        const start = reduceAll(emptySession(id), [{ type: 'snapshot', snapshot }, { type: 'history_asked' }])
        const streamed = reduceAll(start, eventInputs(log.slice(cut, c)))
        const before = snapshot.history_before
        const merged = reduceAll(streamed, [{ type: 'history', page, before }])
        const end = reduceAll(merged, eventInputs(log.slice(Math.max(cut, c))))
        expect(end.items).toEqual(whole.items)
      }),
      { numRuns: 300 },
    )
  })

  it('what was received before is not applied again', () => {
    fc.assert(
      fc.property(fc.nat(log.length), fc.nat(log.length), (from, to) => {
        const again = log.slice(Math.min(from, to), Math.max(from, to))
        expect(reduceAll(whole, eventInputs(again))).toBe(whole)
        const twice = [...log.slice(0, to), ...again, ...log.slice(Math.min(from, to))]
        expect(replay(twice)).toEqual(whole)
      }),
      { numRuns: 50 },
    )
  })

  it('pages as the server cuts them equal one page', () => {
    expect(pages.flat()).toEqual(history)
    const paged = loadPages(ready(id), pages)
    const once = loadPages(ready(id), [history])
    expect(paged.items).toEqual(once.items)
    expect(paged.history).toEqual({ phase: 'complete', before: undefined, fault: undefined })
    expect(paged.orphans).toEqual([])
  })

  it('pages cut anywhere equal one page', () => {
    const once = loadPages(ready(id), [history])
    // A server never cuts a block of an answer in two.
    const positions = history.flatMap((event, index) =>
      index > 0 && !continues(history[index - 1], event) ? [index] : [],
    )
    fc.assert(
      fc.property(fc.subarray(positions), (cuts) => {
        const parts = [0, ...cuts].map((from, index) => history.slice(from, cuts[index]))
        expect(loadPages(ready(id), parts).items).toEqual(once.items)
      }),
      { numRuns: 100 },
    )
  })
})

function continues(before: StreamEvent | undefined, event: StreamEvent): boolean {
  const isText = (one: StreamEvent) => one.type === 'text_delta' || one.type === 'thinking_delta'
  if (!before || !isText(before) || !isText(event)) return false
  return (
    'index' in before &&
    'index' in event &&
    before.message_id === event.message_id &&
    before.index === event.index
  )
}
