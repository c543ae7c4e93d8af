// biome-ignore-all lint/suspicious/noControlCharactersInRegex: they are what is looked for here.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAnsi, stripAnsi } from './ansi.ts'

describe('parseAnsi', () => {
  it('gives colours and styles', () => {
    expect(parseAnsi('a\u001b[31mred\u001b[1;4mboth\u001b[0m b')).toEqual([
      { text: 'a' },
      { text: 'red', color: 1 },
      { text: 'both', color: 1, bold: true, underline: true },
      { text: ' b' },
    ])
    expect(parseAnsi('\u001b[92;41mx\u001b[39;49;22my')).toEqual([
      { text: 'x', color: 10, background: 1 },
      { text: 'y' },
    ])
  })

  it('brings other colours to the nearest of the 16', () => {
    expect(parseAnsi('\u001b[38;5;196mx')).toEqual([{ text: 'x', color: 1 }])
    expect(parseAnsi('\u001b[38;2;250;250;250mx')).toEqual([{ text: 'x', color: 15 }])
    expect(parseAnsi('\u001b[38;5;9;1mx')).toEqual([{ text: 'x', color: 9, bold: true }])
  })

  it.each([
    ['cursor movement', 'a\u001b[2K\u001b[1Gb\u001b[10;5H', 'ab'],
    ['titles', '\u001b]0;evil title\u0007text', 'text'],
    ['links', '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\', 'click'],
    ['device strings', 'a\u001bPq#0\u001b\\b', 'ab'],
    ['single escapes', 'a\u001b(Bb\u001bMc\u001b=', 'abc'],
    ['a sequence without an end', 'a\u001b[31', 'a'],
    ['a title without an end', 'a\u001b]0;abc', 'a'],
    ['8-bit sequences', 'a\u009b31mb', 'ab'],
    ['bells and nulls', 'a\u0007\u0000b', 'ab'],
    ['backspaces', 'ab\u0008c', 'ac'],
  ])('takes out %s', (_, output, text) => expect(stripAnsi(output)).toBe(text))

  it('shows the last state of a line that was written over', () => {
    expect(stripAnsi('10%\r50%\r100%\ndone\r\n')).toBe('100%\ndone\n')
    expect(parseAnsi('\u001b[32m10%\r100%')).toEqual([{ text: '100%', color: 2 }])
  })

  it('leaves no escape in any text', () => {
    const part = fc.constantFrom(
      '\u001b',
      '[',
      ']',
      '31',
      ';',
      'm',
      'text',
      '\r',
      '\n',
      '\u0007',
      '\\',
      '\u009b',
      'P',
      '\u0008',
      ' ',
      '?25l',
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        expect(stripAnsi(parts.join(''))).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u009b]/)
      }),
      { numRuns: 3000 },
    )
  })

  it('reads long outputs', () => {
    expect(
      stripAnsi(`${'x'.repeat(300_000)}\r\n\r${'\u0007'.repeat(100_000)}${'\u001b]'.repeat(50_000)}`),
    ).toContain('xxx')
  })
})
