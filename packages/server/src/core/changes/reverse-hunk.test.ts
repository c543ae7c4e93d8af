import type { Hunk } from '@dorkos/shared'
import { expect, it } from 'vitest'
import { reverseHunk } from './reverse-hunk.ts'

const before = 'a\nb\nc\nd\n'
const hunk = (before_line: number, old: string, after_line: number, now: string): Hunk => ({
  before_line,
  before: old,
  after_line,
  after: now,
})

it('brings lines back that were changed, removed or added', () => {
  expect(reverseHunk(before, 'a\nB\nc\nd\n', hunk(2, 'b\n', 2, 'B\n'))).toBe(before)
  expect(reverseHunk(before, 'a\nc\nd\n', hunk(2, 'b\n', 2, ''))).toBe(before)
  expect(reverseHunk(before, 'a\nb\nx\nc\nd\n', hunk(3, '', 3, 'x\n'))).toBe(before)
  expect(reverseHunk(before, '', hunk(1, before, 1, ''))).toBe(before)
  expect(reverseHunk('', 'x\n', hunk(1, '', 1, 'x\n'))).toBe('')
})

it('keeps the end of the text as it is: with a line break or without, of either kind', () => {
  expect(reverseHunk('a\nb', 'a\nB', hunk(2, 'b', 2, 'B'))).toBe('a\nb')
  expect(reverseHunk('a\nb', 'a\nB\n', hunk(2, 'b', 2, 'B\n'))).toBe('a\nb')
  expect(reverseHunk('a\r\nb\r\n', 'a\r\nB\r\n', hunk(2, 'b\r\n', 2, 'B\r\n'))).toBe('a\r\nb\r\n')
})

it('leaves what others changed elsewhere in the file', () => {
  expect(reverseHunk(before, 'new\na\nB\nc\nD\n', hunk(2, 'b\n', 2, 'B\n'))).toBe('new\na\nb\nc\nD\n')
})

it('is refused where it does not apply exactly', () => {
  const none: [now: string, hunk: Hunk][] = [
    // It is not there, or twice and at neither time where it was.
    ['a\nb\nc\nd\n', hunk(2, 'b\n', 2, 'B\n')],
    ['x\ny\nB\nB\n', hunk(2, 'b\n', 2, 'B\n')],
    // What it brings back was not there: nobody can have other lines written.
    ['a\nB\nc\nd\n', hunk(2, 'evil\n', 2, 'B\n')],
    ['a\nB\nc\nd\n', hunk(3, 'b\n', 2, 'B\n')],
    // Nothing is left to find where removed lines were.
    ['a\nchanged\nd\n', hunk(2, 'b\n', 2, '')],
    ['a\n', hunk(2, 'b\n', 9, '')],
    // It does nothing.
    [before, hunk(1, '', 1, '')],
  ]
  for (const [now, one] of none) expect(reverseHunk(before, now, one)).toBeUndefined()
})
