/** Runs the reducer over lists, with everything frozen: what changes its input fails. */
import type { HistoryPage, StreamEvent } from '@dorkos/shared'
import type { PageSession } from '../../src/live/page-session.ts'
import { emptySession, reduceSession, type SessionInput } from '../../src/live/reduce-session.ts'

export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const field of Object.values(value)) frozen(field)
  return value
}

export function reduceAll(state: PageSession, inputs: Iterable<SessionInput>): PageSession {
  let next = frozen(state)
  for (const input of inputs) next = frozen(reduceSession(next, frozen(input)))
  return next
}

export const eventInputs = (events: readonly StreamEvent[]): SessionInput[] =>
  events.map((event) => ({ type: 'event', event }))

export const replay = (events: readonly StreamEvent[], id = events[0]?.session ?? ''): PageSession =>
  reduceAll(emptySession(id), eventInputs(events))

export const loaded = (state: PageSession, page: HistoryPage): PageSession =>
  reduceAll(state, [{ type: 'history_asked' }, { type: 'history', page, before: state.history.before }])
