import { expect, it } from 'vitest'
import { hiddenTop, movedUp } from './scroll-intent.ts'

const mark = { top: 1000, height: 2000, measured: 2000, room: 500 }

it.each([
  ['a reader scrolls up', mark, { ...mark, top: 900 }, true, true],
  ['a reader scrolls up while it grows', mark, { ...mark, top: 960, height: 2100 }, true, true],
  ['something else moves it', mark, { ...mark, top: 900 }, false, true],
  ['the content got shorter', mark, { ...mark, top: 900, height: 1900 }, false, false],
  ['the content will be shorter once it is drawn', mark, { ...mark, top: 970, measured: 1970 }, false, false],
  ['the box got larger', mark, { ...mark, top: 900, room: 600 }, false, false],
  ['it went down', mark, { ...mark, top: 1100 }, true, false],
  ['a rounding', mark, { ...mark, top: 999.5 }, true, false],
])('%s', (_name, before, after, isActive, expected) =>
  expect(movedUp(before, after, isActive)).toBe(expected),
)

it.each([
  ['one that fits', { top: 1600, end: 2000, room: 500 }, undefined],
  ['one that is higher than the box', { top: 1200, end: 2000, room: 500 }, 1188],
  ['one at the very beginning', { top: 5, end: 2000, room: 500 }, 0],
])('the top of %s', (_name, part, expected) => expect(hiddenTop(part)).toBe(expected))
