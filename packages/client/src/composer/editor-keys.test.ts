import { expect, test } from 'vitest'
import { type EditorKeyPress, editorAction, listAction } from './editor-keys.ts'

const press = (keys: string, composing = false): EditorKeyPress => {
  const parts = keys.split('+')
  return {
    key: parts.at(-1) ?? '',
    shiftKey: parts.includes('Shift'),
    altKey: parts.includes('Alt'),
    commandKey: parts.includes('Ctrl'),
    composing,
  }
}
const plain = { sendWithCommand: false, touch: false }
const command = { sendWithCommand: true, touch: false }
const touch = { sendWithCommand: false, touch: true }

test.each([
  ['Enter', plain, 'send'],
  ['Shift+Enter', plain, undefined],
  ['Ctrl+Enter', plain, 'steer'],
  ['Enter', command, undefined],
  ['Ctrl+Enter', command, 'send'],
  ['Ctrl+Shift+Enter', command, 'steer'],
  ['Enter', touch, undefined],
  ['Ctrl+Enter', touch, 'steer'],
  ['Shift+Tab', plain, 'cycle-mode'],
  ['Tab', plain, undefined],
  ['ArrowUp', plain, 'older'],
  ['Shift+ArrowUp', plain, undefined],
  ['Alt+Enter', plain, undefined],
  ['a', plain, undefined],
])('%s with %o', (keys, settings, action) => {
  expect(editorAction(press(keys), settings)).toBe(action)
})

test('a key that puts a character together does nothing else', () => {
  expect(editorAction(press('Enter', true), plain)).toBeUndefined()
  expect(listAction(press('Enter', true))).toBeUndefined()
})

test.each([
  ['Enter', 'choose'],
  ['Tab', 'choose'],
  ['Shift+Tab', undefined],
  ['Ctrl+Enter', undefined],
  ['Escape', 'close'],
  ['ArrowDown', 'next'],
  ['a', undefined],
])('in a list %s', (keys, action) => {
  expect(listAction(press(keys))).toBe(action)
})
