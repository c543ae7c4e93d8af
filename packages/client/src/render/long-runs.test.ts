/**
 * Long runs of one character, as a hostile text has them. Each takes milliseconds where the time grows with the length, and a minute or
 * more where it grows with its square: the time limit of a test tells them apart on any machine.
 */
import { describe, expect, it } from 'vitest'
import { parseCommands } from '../composer/commands.ts'
import { relativePath } from '../conversation/tools/relative-path.ts'
import { mcpName } from '../conversation/tools/tool-title.ts'
import { parseAnsi, stripAnsi } from './ansi.ts'
import { completeTail } from './complete-tail.ts'
import { contentParts } from './content-blocks.ts'
import { lexMarkdown } from './lex-markdown.ts'
import { splitBlocks } from './split-blocks.ts'

const length = 200_000
const run = (text: string) => text.repeat(length / text.length)

describe('long runs', { timeout: 30_000 }, () => {
  it.each(['~', '`', ' ', '\t', '\n', ' \n'])('of %j are split', (text) => {
    const split = splitBlocks(run(text))
    expect(split.finished.join('') + split.tail).toBe(run(text))
  })

  it.each([' ', '\t', '~', '- ', '1', '\n ', '*', '[', '](', 'x*', '= ', '|', '| '])(
    'of %j are completed',
    (text) => {
      expect(completeTail(`${run(text)}x`)).toContain(run(text).slice(0, 100))
    },
  )

  it('of marks after open brackets are completed', () => {
    expect(completeTail(`| ${run('a').slice(1)}\u2028x`)).toContain('aaa')
    expect(completeTail(run('[') + run('a*'))).toContain('a*a*')
  })

  it('of lines in a list are read', () => {
    const { tokens } = lexMarkdown(`- ${'\n\ta'.repeat(20_000)}`)
    expect(tokens.map(({ type }) => type)).toEqual(['list'])
  })

  it('in the output of programs are read', () => {
    expect(stripAnsi(`${run('\r')}x`)).toBe('x')
    expect(stripAnsi(`a${run('\r')}`)).toBe('a')
    expect(stripAnsi(`a${run('\r')}\n`)).toBe('a\n')
    expect(parseAnsi(`\u001b[${run('38;5;1;').slice(0, -1)}mx`)).toEqual([{ text: 'x', color: 1 }])
  })

  it('in pictures are read', () => {
    const picture = { type: 'image', data: `${run(' ')}\u0001`, mimeType: 'image/png' }
    expect(contentParts([picture]).parts).toMatchObject([{ kind: 'refused_image' }])
  })

  it('in names and descriptions are read', () => {
    for (const text of [run(' '), `(project:${run(',')}`, run('(project:')])
      expect(parseCommands([{ name: 'a', description: `${text}x` }])).toMatchObject([{ source: 'user' }])
    expect(mcpName(`mcp__${run('_')}\n`)).toBeDefined()
    expect(relativePath('/a', `${run('/')}x`)).toBe('/a')
  })
})
