import { describe, expect, it } from 'vitest'
import { sampleSession } from './sample-session.ts'
import { emptySeen, isUnread, readSeen, withSeen } from './unread.ts'

const at = (minute: number) => `2025-06-01T10:${String(minute).padStart(2, '0')}:00.000Z`
const seen = emptySeen(at(5))

describe('unread', () => {
  it('is what changed after the first visit and was not in sight', () => {
    expect(isUnread(sampleSession({ updated_at: at(4) }), seen)).toBe(false)
    expect(isUnread(sampleSession({ updated_at: at(6) }), seen)).toBe(true)
  })

  it('ends when the session was in sight, and begins again with the next change', () => {
    const later = withSeen(seen, 'a', at(6))
    expect(isUnread(sampleSession({ id: 'a', updated_at: at(6) }), later)).toBe(false)
    expect(isUnread(sampleSession({ id: 'a', updated_at: at(7) }), later)).toBe(true)
    expect(isUnread(sampleSession({ id: 'b', updated_at: at(6) }), later)).toBe(true)
  })

  it.each([
    { state: 'working' as const },
    { origin: 'terminal' as const },
    { archived: true },
    { message_count: 0 },
  ])('is not for %o', (more) => {
    expect(isUnread(sampleSession({ updated_at: at(9), ...more }), seen)).toBe(false)
  })

  it.each(['waiting', 'failed', 'interrupted', 'idle'] as const)('is for one that is %s', (state) => {
    expect(isUnread(sampleSession({ updated_at: at(9), state }), seen)).toBe(true)
  })

  it('stays the same object when nothing is new', () => {
    const later = withSeen(seen, 'a', at(6))
    expect(withSeen(later, 'a', at(6))).toBe(later)
    expect(withSeen(later, 'a', at(5))).toBe(later)
    expect(withSeen(later, 'b', at(4))).toBe(later)
  })

  it('does not grow without end, and what falls out does not become news', () => {
    let many = seen
    const time = (index: number) => new Date(Date.parse(at(6)) + index * 1000).toISOString()
    for (let index = 0; index < 700; index++) many = withSeen(many, `s${index}`, time(index))
    expect(Object.keys(many.sessions)).toHaveLength(500)
    for (let index = 0; index < 700; index++) {
      expect(isUnread(sampleSession({ id: `s${index}`, updated_at: time(index) }), many)).toBe(false)
    }
    expect(isUnread(sampleSession({ id: 'new', updated_at: time(900) }), many)).toBe(true)
  })

  it('takes ids that are names of objects for what they are', () => {
    expect(isUnread(sampleSession({ id: 'constructor', updated_at: at(9) }), seen)).toBe(true)
  })

  it('reads what was stored, and nothing else', () => {
    const later = withSeen(seen, 'a', at(6))
    expect(readSeen(JSON.parse(JSON.stringify(later)))).toEqual(later)
    for (const bad of [
      undefined,
      null,
      1,
      'x',
      {},
      { since: 1, sessions: {} },
      { since: 'x', sessions: null },
    ]) {
      expect(readSeen(bad)).toBeUndefined()
    }
    expect(readSeen({ since: at(1), sessions: { a: 1, b: at(2) } })).toEqual({
      since: at(1),
      sessions: { b: at(2) },
    })
  })
})
