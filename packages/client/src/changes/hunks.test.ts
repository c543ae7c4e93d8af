import type { Hunk } from '@dorkos/shared'
import { expect, it } from 'vitest'
import { hunksOf } from './hunks.ts'

const lines = (...all: (string | number)[]) => all.map((line) => `${line}\n`).join('')
const before = lines(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
const after = lines(1, 'two', 3, 4, 5, 7, 8, 'new', 9, 10, 'end')

it('each part is a hunk, with the lines next to it alone', () => {
  const hunks = hunksOf(before, after) ?? []
  expect(hunks.map(({ hunk, from, to }) => [hunk, from, to])).toEqual([
    [{ before_line: 2, before: '2\n', after_line: 2, after: 'two\n' }, 2, 2],
    [{ before_line: 6, before: '6\n', after_line: 6, after: '' }, 6, 6],
    [{ before_line: 9, before: '', after_line: 8, after: 'new\n' }, 8, 8],
    [{ before_line: 11, before: '', after_line: 11, after: 'end\n' }, 11, 11],
  ])
  const [first, second] = hunks.map(({ result }) => result.sections[0]?.rows.map(({ text }) => text))
  expect(first).toEqual(['1', '2', 'two', '3', '4', '5'])
  expect(second).toEqual(['3', '4', '5', '6', '7', '8'])
})

/** As the server does it where nothing else has changed. */
function without(text: string, { after_line, after: taken, before: brought }: Hunk): string {
  const all = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const at = all.slice(0, after_line - 1).join('').length
  expect(text.slice(at, at + taken.length)).toBe(taken)
  return text.slice(0, at) + brought + text.slice(at + taken.length)
}

it('taken back one after the other, the text is what it was', () => {
  for (const [old, now] of [
    [before, after],
    ['a\r\nb\r\nc\r\n', 'a\r\nB\r\nc\r\n'],
    ['', 'a\nb\n'],
    ['a\nb\n', ''],
    ['a\nb', 'a\nc'],
  ] as const) {
    let text = now
    for (const { hunk } of (hunksOf(old, now) ?? []).toReversed()) text = without(text, hunk)
    expect(text).toBe(old)
  }
})

it('where only the end of the last line differs, there are no parts', () => {
  expect(hunksOf('a\n', 'a')).toBeUndefined()
  expect(hunksOf('a', 'a')).toEqual([])
})
