import { expect, it } from 'vitest'
import { createFakeClock } from '../../../test/support/fake-clock.ts'
import { type BegunHere, OpenSignIns } from './open-sign-ins.ts'

const begun = (more: Partial<BegunHere> = {}): BegunHere => ({
  principal: 'ada',
  name: 'notes',
  workspaceId: undefined,
  key: 'notes-1',
  open: { client: { id: 'client' } } as BegunHere['open'],
  ...more,
})

function make() {
  const clock = createFakeClock()
  const open = new OpenSignIns(clock)
  const add = (more?: Partial<BegunHere>) => {
    const state = open.newState()
    open.add(state, begun(more))
    return state
  }
  return { clock, open, add }
}

const gone = expect.objectContaining({ code: 'gone' })

it('are finished once, by who began them', () => {
  const { open, add } = make()
  const state = add()
  expect(state).toMatch(/^[\w-]{43}$/)
  expect(() => open.take('another', 'ada')).toThrow(gone)
  expect(() => open.take(state, 'bob')).toThrow(gone)
  expect(open.take(state, 'ada')).toMatchObject(begun())
  expect(() => open.take(state, 'ada')).toThrow(gone)
})

it('end after ten minutes', () => {
  const { clock, open, add } = make()
  const [early, late] = [add(), add()]
  clock.advance(10 * 60_000 - 1)
  expect(open.take(early, 'ada')).toBeDefined()
  clock.advance(1)
  expect(() => open.take(late, 'ada')).toThrow(gone)
})

it('are twenty at most: the oldest goes', () => {
  const { open, add } = make()
  const states = Array.from({ length: 21 }, () => add())
  expect(() => open.take(states[0] ?? '', 'ada')).toThrow(gone)
  for (const state of states.slice(1)) expect(open.take(state, 'ada')).toBeDefined()
})

it('are known to hang while they are neither finished nor over', () => {
  const { clock, open, add } = make()
  expect(open.isStuck('notes-1', 'client')).toBe(false)
  const state = add()
  expect(open.isStuck('notes-1', 'client')).toBe(true)
  expect(open.isStuck('notes-1', 'another')).toBe(false)
  expect(open.isStuck('other-1', 'client')).toBe(false)
  open.take(state, 'ada')
  expect(open.isStuck('notes-1', 'client')).toBe(false)
  add()
  clock.advance(10 * 60_000)
  expect(open.isStuck('notes-1', 'client')).toBe(false)
})
