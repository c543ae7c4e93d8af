import { describe, expect, it } from 'vitest'
import { type CapLimits, capTail, capText } from './cap-text.ts'

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

describe('the end of a text', () => {
  const tail = (text: string, limits: Partial<CapLimits>) =>
    capTail(text, { lines: 100, characters: 100, ...limits })

  it('is all of a short one', () => {
    expect(tail('a\nb', {})).toEqual({ text: 'a\nb', cut: false, shownLines: 2, allLines: 2 })
  })

  it('is its last lines, whole where there are some', () => {
    expect(tail('a\nb\nc', { lines: 2 })).toEqual({ text: 'b\nc', cut: true, shownLines: 2, allLines: 3 })
    expect(tail('abcdef\nghi\njkl', { characters: 9 })).toMatchObject({ text: 'ghi\njkl', cut: true })
    expect(tail('x'.repeat(50), { characters: 10 })).toMatchObject({ text: 'x'.repeat(10), cut: true })
  })

  it('is never half a character', () => {
    expect(tail('😀😀😀', { characters: 3 }).text).toBe('😀')
  })
})
