/** Runs the reducer over lists, with everything frozen: what changes its input fails. */
import type { HistoryPage, StreamEvent } from '@dorkos/shared'
import type { LiveSession } from '../../src/live/live-session.ts'
import { emptySession, reduceSession, type SessionInput } from '../../src/live/reduce-session.ts'

export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const field of Object.values(value)) frozen(field)
  return value
}

export function reduceAll(state: LiveSession, inputs: Iterable<SessionInput>): LiveSession {
  let next = frozen(state)
  for (const input of inputs) next = frozen(reduceSession(next, frozen(input)))
  return next
}

export const eventInputs = (events: readonly StreamEvent[]): SessionInput[] =>
  events.map((event) => ({ type: 'event', event }))

export const replay = (events: readonly StreamEvent[], id = events[0]?.session ?? ''): LiveSession =>
  reduceAll(emptySession(id), eventInputs(events))

export const loaded = (state: LiveSession, page: HistoryPage): LiveSession =>
  reduceAll(state, [{ type: 'history_asked' }, { type: 'history', page, before: state.history.before }])
