import { describe, expect, it } from 'vitest'
import { cardAction, type PressedKey } from './card-keys.ts'

const press = (key: string, change: Partial<PressedKey> = {}) =>
  cardAction({ key, ctrlKey: false, metaKey: false, altKey: false, repeat: false, on: 'card', ...change })

describe('the keys of a card', () => {
  it.each([
    ['a', 'allow'],
    ['A', 'allow'],
    ['Enter', 'allow'],
    ['s', 'session'],
    ['d', 'deny'],
    ['e', 'edit'],
    ['x', undefined],
    ['Escape', undefined],
  ])('%s: %s', (key, action) => expect(press(key)).toBe(action))

  it('are nothing in a field, held down, or with a modifier', () => {
    for (const key of ['a', 'Enter', 'd', 'e', 's']) {
      expect(press(key, { on: 'field' })).toBeUndefined()
      expect(press(key, { repeat: true })).toBeUndefined()
      expect(press(key, { ctrlKey: true })).toBeUndefined()
      expect(press(key, { metaKey: true })).toBeUndefined()
      expect(press(key, { altKey: true })).toBeUndefined()
    }
  })

  it('leave Enter to the button that has the focus', () => {
    expect(press('Enter', { on: 'control' })).toBeUndefined()
    expect(press('d', { on: 'control' })).toBe('deny')
  })
})
