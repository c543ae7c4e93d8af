import { describe, expect, it } from 'vitest'
import { capText } from './cap-text.ts'

const limits = { lines: 3, characters: 20 }

describe('capText', () => {
  it.each([
    ['short', 'a\nb', 'a\nb', false, 2, 2],
    ['as long as allowed', 'a\nb\nc', 'a\nb\nc', false, 3, 3],
    ['too many lines', 'a\nb\nc\nd\ne', 'a\nb\nc', true, 3, 5],
    ['a long line', 'x'.repeat(30), 'x'.repeat(20), true, 1, 1],
    ['long lines', `${'x'.repeat(15)}\n${'y'.repeat(15)}`, 'x'.repeat(15), true, 1, 2],
    ['empty', '', '', false, 1, 1],
  ])('cuts what is %s', (_, text, shown, cut, shownLines, allLines) =>
    expect(capText(text, limits)).toEqual({ text: shown, cut, shownLines, allLines }),
  )

  it('does not cut a character in two', () => {
    expect(capText('😀'.repeat(30), { lines: 9, characters: 5 }).text).toBe('😀😀')
  })
})
