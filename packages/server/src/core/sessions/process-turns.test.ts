import type { Turn } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { time } from '../ports/fixtures.conformance.ts'
import { TurnTracker } from './process-turns.ts'

const turn = (id: string, cause: Turn['cause'] = 'message'): Turn => ({
  id,
  session_id: 's',
  cause,
  state: 'claimed',
  content: id,
  principal: 'owner',
  created_at: time,
})

function trackerOf(...sent: string[]): TurnTracker {
  const tracker = new TurnTracker()
  for (const id of sent) tracker.sent(turn(id))
  return tracker
}

describe('the turn tracker', () => {
  it('is busy from the sending of a message to the end of its turn', () => {
    const tracker = trackerOf()
    expect(tracker.busy).toBe(false)
    tracker.sent(turn('a'))
    expect([tracker.busy, tracker.running]).toEqual([true, undefined])
    expect(tracker.begin(['a'], 'background')).toMatchObject({
      turn: { id: 'a', cause: 'message', joined: [] },
      messages: [{ id: 'a' }],
    })
    expect(tracker.busy).toBe(true)
    expect(tracker.end()).toMatchObject({ id: 'a' })
    expect([tracker.busy, tracker.running, tracker.end()]).toEqual([false, undefined, undefined])
  })

  it('names a turn of several messages after the first; the others joined it', () => {
    const tracker = trackerOf('a', 'b', 'c')
    const begun = tracker.begin(['a', 'b'], 'background')
    expect(begun?.turn).toEqual({ id: 'a', cause: 'message', principal: 'owner', joined: ['b'] })
    expect(tracker.join('c')).toMatchObject({ id: 'c' })
    expect(tracker.end()?.joined).toEqual(['b', 'c'])
    expect(tracker.busy).toBe(false)
  })

  it('a turn without a message of ours is background work', () => {
    const tracker = trackerOf('waiting')
    expect(tracker.begin([], 'own-id')).toEqual({
      turn: { id: 'own-id', cause: 'background', joined: [] },
      messages: [],
    })
    expect(trackerOf().begin(['somebody-else’s'], 'own-id')?.turn.cause).toBe('background')
  })

  it('begins nothing while a turn runs, and forgets no message over it', () => {
    const tracker = trackerOf('a', 'b')
    tracker.begin(['a'], 'x')
    expect(tracker.begin(['b'], 'y')).toBeUndefined()
    expect(tracker.running?.id).toBe('a')
    expect(tracker.join('b')).toMatchObject({ id: 'b' })
  })

  it('joins only messages that wait, into a turn that runs, once', () => {
    const tracker = trackerOf('a', 'b')
    expect(tracker.join('a')).toBeUndefined()
    tracker.begin(['a'], 'x')
    expect(tracker.join('a')).toBeUndefined()
    expect(tracker.join('unknown')).toBeUndefined()
    expect(tracker.join('b')).toMatchObject({ id: 'b' })
    expect(tracker.join('b')).toBeUndefined()
    expect(tracker.running?.joined).toEqual(['b'])
  })

  it('forgets a message that did not go out, or that the CLI gave up', () => {
    const tracker = trackerOf('a', 'b')
    tracker.notSent('a')
    expect(tracker.unbegun('b')).toMatchObject({ id: 'b' })
    expect(tracker.unbegun('b')).toBeUndefined()
    expect(tracker.busy).toBe(false)
  })

  it('loses what ran and what was sent with the process, once', () => {
    const tracker = trackerOf('a', 'b', 'c')
    tracker.begin(['a'], 'x')
    tracker.join('b')
    expect(tracker.lose()).toMatchObject({ running: { id: 'a', joined: ['b'] }, sent: [{ id: 'c' }] })
    expect(tracker.lose()).toEqual({ running: undefined, sent: [] })
    expect(tracker.busy).toBe(false)
  })
})
