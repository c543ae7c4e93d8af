import { expect, it } from 'vitest'
import { diffableText } from './diffable-text.ts'

const sentence = 'Use this tool whenever an issue is to be made, and say what is wrong in one line. '

it('leaves short lines alone', () => {
  expect(diffableText('a. b. c.\n\n{ "x": 1 }')).toBe('a. b. c.\n\n{ "x": 1 }')
})

it('breaks long lines after sentences and loses nothing', () => {
  const text = `${sentence.repeat(20)}The end`
  const lines = diffableText(text).split('\n')
  expect(lines).toHaveLength(21)
  expect(lines.join('')).toBe(text)
})

it('cuts what has no sentences, with a sign, and leaves no long line', () => {
  const lines = diffableText('x'.repeat(2500)).split('\n')
  expect(lines.map(({ length }) => length)).toEqual([1001, 1001, 500])
  expect(lines.join('').replaceAll('↩', '')).toBe('x'.repeat(2500))
})

it('keeps texts apart that differ', () => {
  const long = sentence.repeat(5)
  expect(diffableText(`${long}b`)).not.toBe(diffableText(`${long.trimEnd()}\nb`))
  expect(diffableText('x'.repeat(1500))).not.toBe(diffableText(`${'x'.repeat(1000)}\n${'x'.repeat(500)}`))
})
