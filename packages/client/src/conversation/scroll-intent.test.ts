import { expect, it } from 'vitest'
import { hiddenTop, movedUp } from './scroll-intent.ts'

const scrolls = { scrolls: true, presses: false }
const presses = { scrolls: false, presses: true }
const nothing = { scrolls: false, presses: false }
const mark = { top: 1000, height: 2000, measured: 2000, room: 500 }

it.each([
  ['a reader scrolls up', mark, { ...mark, top: 900 }, scrolls, true],
  ['a reader scrolls up while it grows', mark, { ...mark, top: 960, height: 2100 }, scrolls, true],
  ['something else moves it', mark, { ...mark, top: 900 }, nothing, true],
  ['it got shorter and longer again under a press', mark, { ...mark, top: 900 }, presses, false],
  ['the content got shorter', mark, { ...mark, top: 900, height: 1900 }, nothing, false],
  [
    'the content will be shorter once it is drawn',
    mark,
    { ...mark, top: 970, measured: 1970 },
    nothing,
    false,
  ],
  ['the box got larger', mark, { ...mark, top: 900, room: 600 }, nothing, false],
  ['it went down', mark, { ...mark, top: 1100 }, scrolls, false],
  ['a rounding', mark, { ...mark, top: 999.5 }, scrolls, false],
])('%s', (_name, before, after, reader, expected) => expect(movedUp(before, after, reader)).toBe(expected))

it.each([
  ['one that fits', { top: 1600, end: 2000, room: 500 }, undefined],
  ['one that is higher than the box', { top: 1200, end: 2000, room: 500 }, 1188],
  ['one at the very beginning', { top: 5, end: 2000, room: 500 }, 0],
])('the top of %s', (_name, part, expected) => expect(hiddenTop(part)).toBe(expected))
