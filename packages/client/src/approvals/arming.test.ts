import { describe, expect, it } from 'vitest'
import { type ArmingWatch, armingMs, checkMs, createArmingWatch, type Position } from './arming.ts'

const at = (y: number, scrolled = 0, height = 1000): Position => ({ points: [[10, y]], scrolled, height })

/** A watch on a card that has been at 100 for long enough. */
function armed(): ArmingWatch {
  const watch = createArmingWatch()
  let state = watch.update(true, at(100))
  for (let time = 0; time < armingMs; time += checkMs) {
    expect([state, watch.allows(at(100))]).toEqual(['new', false])
    state = watch.update(true, at(100))
  }
  expect([state, watch.allows(at(100))]).toEqual(['armed', true])
  return watch
}

describe('a card', () => {
  it('takes an answer that allows once it has been there for a while', () => {
    armed()
  })

  it('takes keys, but no pointer, while it moves', () => {
    const watch = armed()
    // Between two checks, too.
    expect(watch.allows(at(160))).toBe(false)
    expect(watch.update(true, at(160))).toBe('ready')
    for (let time = checkMs; time < armingMs; time += checkMs)
      expect(watch.update(true, at(160))).toBe('ready')
    expect(watch.update(true, at(160))).toBe('armed')
  })

  it('may be moved by a press in it, not by what comes after', () => {
    const watch = armed()
    watch.pressed()
    expect(watch.update(true, { ...at(160), points: [...at(160).points, [10, 300]] })).toBe('armed')
    expect(watch.update(true, { ...at(180), points: [...at(180).points, [10, 320]] })).toBe('armed')
    const still = { ...at(180), points: [...at(180).points, [10, 320] as const] }
    expect(watch.allows(still)).toBe(true)
    expect(watch.update(true, still)).toBe('armed')
    expect(watch.update(true, at(240))).toBe('ready')
    // One that is new is not made old by a press.
    const young = createArmingWatch()
    young.update(true, at(100))
    young.pressed()
    expect(young.update(true, at(160))).toBe('new')
  })

  it('is not allowed to creep', () => {
    const watch = armed()
    const states = Array.from({ length: 4 }, (_, step) => watch.update(true, at(100 + step * 3)))
    expect(states).toEqual(['armed', 'armed', 'ready', 'ready'])
  })

  it('may be scrolled by who looks, but not by what grows', () => {
    const watch = armed()
    expect(watch.update(true, at(40, 60))).toBe('armed')
    expect(watch.update(true, at(100, 0))).toBe('armed')
    expect(watch.update(true, at(40, 60, 1060))).toBe('ready')
  })

  it('may have what grows below it', () => {
    const watch = armed()
    expect(watch.update(true, at(100, 0, 2000))).toBe('armed')
    expect(watch.update(true, at(40, 60, 2000))).toBe('armed')
  })

  it('counts from when it is drawn, and anew when it has other buttons', () => {
    const watch = armed()
    expect(watch.update(false, at(100))).toBe('new')
    const other = armed()
    expect(other.update(true, { ...at(100), points: [...at(100).points, [10, 200]] })).toBe('ready')
  })
})
