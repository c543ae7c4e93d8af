import { describe, expect, it } from 'vitest'
import { aSession, recordedLogs, snapshotAfter } from '../../test/support/recorded-logs.ts'
import { eventInputs, reduceAll, replay } from '../../test/support/reduce.ts'
import type { PageSession } from '../live/page-session.ts'
import { emptySession } from '../live/reduce-session.ts'
import { createRowCache, makeRows } from './rows.ts'
import { startingSince, withHanded, withNextHanded } from './starting.ts'

const recorded = recordedLogs.find(({ name }) => name.startsWith('plain-text'))
if (!recorded) throw new Error('the log of a plain talk is not there')
const { log, session: id } = recorded
const begun = log.findIndex(({ type }) => type === 'turn_start')
const open = reduceAll(emptySession(id), [{ type: 'snapshot', snapshot: snapshotAfter([]) }])
const after = (count: number): PageSession => ({
  ...reduceAll(open, eventInputs(log.slice(0, count))),
  session: { ...aSession(id), state: 'working' },
})
const shown = (state: PageSession) => {
  const working = state.turn !== undefined || startingSince(state) !== undefined
  return makeRows(withHanded(state.items, state.handed), createRowCache(), { working }).map(({ key }) => key)
}

describe('a message before its turn begins', () => {
  it('starts the agent while it waits, and stands in the conversation once it was handed over', () => {
    const waits = after(1)
    expect(waits.queue).toHaveLength(1)
    expect(shown(waits)).toEqual(['working'])
    const handed = after(begun)
    expect(handed.queue).toEqual([])
    const message = `user:${waits.queue[0]?.id}`
    expect(shown(handed)).toEqual([message, 'working'])
    // Its turn brings it again: it is the same row.
    const begunState = after(begun + 2)
    expect(begunState.handed).toEqual([])
    expect(shown(begunState)).toEqual([message, 'working'])
  })

  it('is known to a page that is opened then', () => {
    const { queue } = after(1)
    const snapshot = { ...snapshotAfter(log.slice(0, begun)), handed: [...queue] }
    const late = reduceAll(emptySession(id), [{ type: 'snapshot', snapshot }])
    expect(shown(late)).toEqual([`user:${queue[0]?.id}`, 'working'])
  })

  it('that was taken back is not on its way', () => {
    const { queue } = after(1)
    const turnId = queue[0]?.id ?? ''
    const frame = { session: id, time: '2026-11-15T12:00:00.000Z' }
    const state = reduceAll(after(1), [
      {
        type: 'event',
        event: { ...frame, id: '1-900', type: 'turn_end', turn_id: turnId, outcome: 'withdrawn' },
      },
      { type: 'event', event: { ...frame, id: '1-901', type: 'queue_update', queue: [] } },
    ])
    expect(state.handed).toEqual([])
    expect(shown(state)).toEqual([])
  })

  it('stands in the conversation at once where nothing keeps the agent from taking it', () => {
    const waits = after(1)
    const [message] = waits.queue
    if (message === undefined) throw new Error('nothing waits')
    const sent = withNextHanded(waits)
    expect(sent.queue).toEqual([])
    expect(shown(sent)).toEqual([`user:${message.id}`, 'working'])
    const session = aSession(id)
    const kept: Partial<PageSession>[] = [
      { queue: [{ ...message, held: true }] },
      { queue: [message, { ...message, id: 'another' }] },
      { handed: [{ ...message, id: 'before' }] },
      { turn: { id: 'running', startedAt: message.created_at } as PageSession['turn'] },
      { session: { ...session, state: 'paused' } },
      { session: { ...session, state: 'failed' } },
      { session: { ...session, in_use_elsewhere: true } },
    ]
    for (const change of kept) {
      const state = { ...waits, ...change }
      expect(withNextHanded(state)).toBe(state)
    }
  })

  it('starts nothing where it waits for a person', () => {
    const failed: PageSession = { ...after(1), session: { ...aSession(id), state: 'failed' } }
    expect(startingSince(failed)).toBeUndefined()
  })
})

it.each(recordedLogs)('nothing is on its way at the end of $name', ({ log: events }) => {
  expect(replay(events).handed).toEqual([])
})
