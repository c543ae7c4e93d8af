import { describe, expect, it } from 'vitest'
import { createShortcutReader, type KeyPress, keyCaps, shortcuts } from './shortcuts.ts'
import { shownShortcuts } from './shown-shortcuts.ts'

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrl: false,
  meta: false,
  alt: false,
  typing: false,
  time: 0,
  ...more,
})

function reads(...presses: KeyPress[]) {
  const read = createShortcutReader()
  return presses.map((one) => read(one)).at(-1)
}

describe('shortcuts', () => {
  it('are each of their own', () => {
    expect(new Set(shortcuts.map(({ keys }) => keys)).size).toBe(shortcuts.length)
    expect(new Set(shownShortcuts.map(({ id }) => id)).size).toBe(shownShortcuts.length)
    // A key that begins others cannot mean something alone.
    const firsts = shortcuts.filter(({ keys }) => keys.includes(' ')).map(({ keys }) => keys.split(' ')[0])
    expect(shortcuts.filter(({ keys }) => firsts.includes(keys))).toEqual([])
  })

  it('open the palette with Ctrl or Command, also while typing', () => {
    expect(reads(press('k', { ctrl: true }))).toBe('palette')
    expect(reads(press('k', { meta: true, typing: true }))).toBe('palette')
    expect(reads(press('K', { ctrl: true }))).toBe('palette')
    expect(reads(press('k'))).toBeUndefined()
  })

  it('leave letters to those who type', () => {
    for (const key of ['?', 'n', '[', ']', '/']) expect(reads(press(key, { typing: true }))).toBeUndefined()
    expect(reads(press('?'))).toBe('sheet')
    expect(reads(press('n'))).toBe('new')
    expect(reads(press('N'))).toBeUndefined()
    expect(reads(press('n', { ctrl: true }))).toBeUndefined()
    expect(reads(press('ArrowDown', { alt: true, typing: true }))).toBe('next-typing')
  })

  it('follow one key after the other, within a moment', () => {
    expect(reads(press('g'), press('i', { time: 500 }))).toBe('go:/inbox')
    expect(reads(press('g'), press('i', { time: 5000 }))).toBeUndefined()
    expect(reads(press('g'), press('x', { time: 10 }), press('i', { time: 20 }))).toBeUndefined()
    expect(reads(press('g'), press('n', { time: 10 }))).toBeUndefined()
    expect(reads(press('g', { typing: true }), press('i', { time: 10 }))).toBeUndefined()
  })

  it('do not run what something else listens for', () => {
    expect(reads(press('Escape'))).toBeUndefined()
    expect(reads(press('a', { alt: true }))).toBeUndefined()
    expect(reads(press('d'))).toBeUndefined()
  })

  it('are written as on the keyboard', () => {
    expect(keyCaps('mod+k', false)).toEqual([['Ctrl', 'K']])
    expect(keyCaps('mod+k', true)).toEqual([['⌘', 'K']])
    expect(keyCaps('g i', false)).toEqual([['G'], ['I']])
    expect(keyCaps('shift+tab', false)).toEqual([['Shift', 'Tab']])
  })
})
