import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lexMarkdown } from './lex-markdown.ts'
import { emptySplit, type Split, splitBlocks } from './split-blocks.ts'

const line = fc.constantFrom(
  'Some text here',
  'with **bold** and `code`',
  '# Heading',
  '## Two',
  '- item',
  '* star',
  '  - nested',
  '1. one',
  '2) two',
  '    indented',
  '  two in',
  '```',
  '```js',
  '~~~',
  '````',
  '  ```',
  '- ```sh',
  '> quote',
  '> ```',
  '>',
  '| a | b |',
  '|---|:-:|',
  'a | b',
  '--|--',
  '---',
  '===',
  '***',
  '<div>',
  '</div>',
  '<!-- open',
  'close -->',
  '<script>',
  '</script>',
  '<b>inline</b>',
  '$$',
  'x^2',
  '\\[',
  '\\]',
  '[a]: http://x.y',
  '"title"',
  '[link][a]',
  '',
  '',
  '',
  '   ',
  '\t',
  '-',
  '+ ',
  '5',
  'é',
  '10. ten',
  '\\',
  '[ ] x',
  '- [x] done',
)
const text = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'))

function grow(whole: string, steps: readonly number[]): Split {
  let split = emptySplit
  let end = 0
  for (const step of steps) {
    end = Math.min(whole.length, end + step)
    split = splitBlocks(whole.slice(0, end), split)
  }
  return splitBlocks(whole, split)
}

/** What is drawn, without the blank space between. */
const shape = (parts: readonly string[], links = {}) =>
  parts
    .flatMap((part) => lexMarkdown(part, links).tokens)
    .filter((token) => token.type !== 'space')
    .map((token) => [token.type, token.raw.trim()])

describe('splitBlocks', () => {
  it('loses and adds nothing, however the text comes', () => {
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 40 }), (whole, steps) => {
        const split = grow(whole, steps)
        expect(split.finished.join('') + split.tail).toBe(whole)
      }),
      { numRuns: 500 },
    )
  })

  it('gives the blocks that the whole text has', () => {
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 60 }), (whole, steps) => {
        const split = grow(whole, steps)
        const { links } = lexMarkdown(whole)
        expect(shape([...split.finished, split.tail], links)).toEqual(shape([whole], links))
      }),
      { numRuns: 4000 },
    )
  })

  it('never takes back what is finished', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 400 }), (whole, at) => {
        const first = splitBlocks(whole.slice(0, at))
        const all = splitBlocks(whole, first)
        expect(all.finished.slice(0, first.finished.length)).toEqual(first.finished)
      }),
    )
  })

  it.each([
    ['a code fence', '```js\nlet a\n\nlet b\n\n'],
    ['a list', '- one\n\n- two\n\n'],
    ['a table', '| a | b |\n|---|---|\n| 1 | 2 |\n'],
    ['html', '<!-- open\n\nstill\n\n'],
    ['math', '$$\nx^2 +\n'],
  ])('keeps %s that is open in the tail', (_, open) => {
    const split = splitBlocks(`Before.\n\nAnd more.\n\n${open}`)
    expect(split.tail.trimStart()).toBe(open)
    expect(split.finished.join('')).toBe('Before.\n\nAnd more.\n\n')
  })

  it('splits anew a text that does not go on', () => {
    const first = splitBlocks('One.\n\nTwo.\n\nThree')
    expect(splitBlocks('Other', first)).toEqual({ text: 'Other', finished: [], tail: 'Other' })
  })

  it('keeps the tail short where a text has no end', () => {
    const line = `${'word '.repeat(40_000)}😀`.repeat(2)
    const split = splitBlocks(line)
    expect(split.tail.length).toBeLessThanOrEqual(64 * 1024)
    expect(split.finished.join('') + split.tail).toBe(line)
    for (const part of split.finished) expect(part).not.toMatch(/[\ud800-\udbff]$/)
  })
})
