import { describe, expect, it } from 'vitest'
import { hitLine } from './hit-line.ts'

const line = (snippet: string, query: string) =>
  hitLine(snippet, query)
    .map(({ text, hit }) => (hit ? `[${text}]` : text))
    .join('')

describe('hitLine', () => {
  it('has plain words', () => {
    expect(line('## The **heron**\n- waits by `the weir`', 'heron')).toBe('The [heron] waits by the weir')
    expect(line('> see [the *heron*](https://example.org/a)!', 'heron')).toBe('see the [heron]!')
    expect(line('| a | b |\n| --- | :-: |\n| heron | 2 |', 'heron')).toBe('a b [heron] 2')
    expect(line('```ts\nheron()\n```', 'heron')).toBe('[heron]()')
  })

  it('leaves alone what may be code', () => {
    expect(line('a * b, src/**/*.ts, mcp__dorkos__ping, ls | wc', 'wc')).toMatch(/\| \[wc\]$/)
    expect(line('a * b', 'a')).toBe('[a] * b')
    expect(line('wc src/**/*.ts mcp__x__y', 'wc')).toBe('[wc] src/**/*.ts mcp__x__y')
  })

  it('begins shortly before the hit, with a whole word', () => {
    expect(line(`${'many words '.repeat(20)}and the heron waits`, 'heron')).toBe(
      '…many words and the [heron] waits',
    )
    expect(line(`${'x'.repeat(300)}heron`, 'heron')).toBe(`…${'x'.repeat(20)}[heron]`)
    expect(line('no such word', 'heron')).toBe('no such word')
  })

  it('shows a hit that Markdown hides', () => {
    expect(line('[here](https://heron.example)', 'heron')).toBe('[here](https://[heron].example)')
  })
})
