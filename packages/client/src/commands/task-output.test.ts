import { expect, it } from 'vitest'
import { withEarlier, withOutputPage } from './task-output.ts'

const page = (text: string, offset: number, bytes = offset + text.length) => ({
  text,
  offset,
  next_offset: offset + text.length,
  bytes,
})

it('grows by pages that go on where the last ended', () => {
  const first = withOutputPage(undefined, page('two\n', 4))
  expect(first).toEqual({ text: 'two\n', start: 4, next: 8 })
  expect(withOutputPage(first, page('three\n', 8))).toEqual({ text: 'two\nthree\n', start: 4, next: 14 })
})

it('is read anew where the output is another by now', () => {
  const before = withOutputPage(undefined, page('a long output', 0))
  expect(withOutputPage(before, page('anew', 0))).toEqual({ text: 'anew', start: 0, next: 4 })
})

it('takes an earlier page before it, and no other', () => {
  const read = withOutputPage(undefined, page('two\n', 4))
  expect(withEarlier(read, page('one\n', 0))).toEqual({ text: 'one\ntwo\n', start: 0, next: 8 })
  expect(withEarlier(read, page('one', 0))).toBe(read)
})

it('lets the beginning of very much go, at a line, and knows where it begins', () => {
  const line = `${'€'.repeat(99)}\n`
  let read = withOutputPage(undefined, page('', 0))
  for (let at = 0; at < 5000; at++) {
    const bytes = 99 * 3 + 1
    read = withOutputPage(read, { text: line, offset: read.next, next_offset: read.next + bytes, bytes: 0 })
  }
  expect(read.text.length).toBeLessThanOrEqual(400_000)
  expect(read.text.startsWith('€')).toBe(true)
  expect(read.next - read.start).toBe(new TextEncoder().encode(read.text).length)
})
