import type { Token } from 'marked'
import { describe, expect, it } from 'vitest'
import { lexMarkdown } from './lex-markdown.ts'

function maths(text: string): string[] {
  const found: string[] = []
  const walk = (tokens: readonly Token[]) => {
    for (const token of tokens) {
      if (token.type === 'math')
        found.push(`${'display' in token && token.display ? 'D' : 'I'}:${'text' in token ? token.text : ''}`)
      if ('tokens' in token && token.tokens) walk(token.tokens)
      if (token.type === 'list') for (const item of token.items) walk(item.tokens)
    }
  }
  walk(lexMarkdown(text).tokens)
  return found
}

describe('math', () => {
  it.each([
    ['Let $x^2$ be', ['I:x^2']],
    ['$E = mc^2$', ['I:E = mc^2']],
    ['so $2x$ and $3^n$', ['I:2x', 'I:3^n']],
    ['\\(a+b\\) inline', ['I:a+b']],
    ['before\n\n$$\n\\int_0^1 x\n$$\n\nafter', ['D:\\int_0^1 x']],
    ['\\[\na = b\n\\]', ['D:a = b']],
    ['text $$x$$ text', ['D:x']],
    ['- item $a_i$', ['I:a_i']],
    ['line\n$$\nx\n$$', ['D:x']],
  ])('finds it in %j', (text, expected) => expect(maths(text)).toEqual(expected))

  it.each([
    'It costs $5 and $10.',
    'From $5 to $10, or $20/month and $30',
    'Between $1,000 and $2,000',
    'Set $HOME and $PATH',
    'echo $(pwd) and $(ls)',
    '`$x$` in code',
    'a $ b $ c',
    '\\$x\\$',
    '```\n$$\nx\n$$\n```',
    '$$ never closed',
    'US$5 or CA$6',
    `Use $${'{name}'} and $${'{other}'}`,
  ])('leaves %j alone', (text) => expect(maths(text)).toEqual([]))
})

describe('hostile texts', () => {
  it.each([
    ['quotes in quotes', `${'> '.repeat(5000)}a`],
    ['lists in lists', `${'- '.repeat(5000)}a`],
    ['numbered lists', `${'1. '.repeat(5000)}a`],
    ['emphasis', '*a **b '.repeat(20_000)],
    ['underscores', '__a'.repeat(60_000)],
    ['brackets', '['.repeat(100_000)],
    ['images', '![['.repeat(50_000)],
    ['backticks', Array.from({ length: 600 }, (_, index) => '`'.repeat(index)).join(' ')],
    ['one line', 'word '.repeat(40_000)],
    ['html', '<a "'.repeat(50_000)],
    ['dollars', '$a '.repeat(50_000)],
    ['open math', '$$\nx\n'.repeat(10_000)],
    ['table pipes', `${'|'.repeat(5000)}\n${'|-'.repeat(5000)}\n`],
  ])('are read whole: %s', (_, text) => {
    const { tokens } = lexMarkdown(text)
    expect(tokens.map((token) => token.raw).join('').length).toBeGreaterThanOrEqual(text.trimEnd().length)
  })
})
