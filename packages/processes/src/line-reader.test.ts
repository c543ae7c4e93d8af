import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Line, LineReader } from './line-reader.ts'

function read(chunks: Array<Buffer | string>, maxLineBytes = 1000) {
  const lines: Line[] = []
  const reader = new LineReader({ maxLineBytes, onLine: (line) => lines.push(line) })
  for (const chunk of chunks) reader.push(Buffer.from(chunk as string))
  reader.end()
  return lines
}

const bytewise = (text: string) => Array.from(Buffer.from(text), (byte) => Buffer.from([byte]))

describe('LineReader', () => {
  it('hands on every line, empty ones too, however they were cut', () => {
    const text = '\ufeffone\r\ntwö\n\n\ufeffthree'
    const expected = ['one', 'twö', '', '\ufeffthree']
    for (const chunks of [[text], bytewise(text)])
      expect(read(chunks).map((line) => line.text)).toEqual(expected)
  })

  it('says of the last line whether its newline came', () => {
    expect(read(['a\nb']).map((line) => line.isLast)).toEqual([false, true])
    expect(read(['a\nb\n']).map((line) => line.isLast)).toEqual([false, false])
  })

  it('says of a line whether it was UTF-8', () => {
    const broken = Buffer.from([0x61, 0xff, 0x0a])
    expect(read([broken, 'é\ufffd\n']).map((line) => line.isUtf8)).toEqual([false, true])
  })

  it('shows what there is of a line before its newline comes', () => {
    const reader = new LineReader({ maxLineBytes: 10, onLine: () => {} })
    reader.push(Buffer.from('a\nwho'))
    reader.push(Buffer.from(' is'))
    expect(reader.unfinished).toBe('who is')
    reader.push(Buffer.from(' it?\n'))
    expect(reader.unfinished).toBe('')
  })

  it('reads another text after the end', () => {
    const lines: string[] = []
    const reader = new LineReader({ maxLineBytes: 10, onLine: ({ text }) => lines.push(text) })
    reader.push(Buffer.from('\ufeffone'))
    reader.end()
    reader.push(Buffer.from('\ufefftwo\n'))
    expect(lines).toEqual(['one', 'two'])
  })

  it('hands on no more once it is stopped', () => {
    const lines: string[] = []
    const reader = new LineReader({
      maxLineBytes: 2,
      onLine: ({ text }) => {
        lines.push(text)
        if (text === 'c') reader.stop()
      },
    })
    for (const chunk of ['a\n', 'b\nc\nd\n', 'eee\nf']) reader.push(Buffer.from(chunk))
    reader.end()
    expect(lines).toEqual(['a', 'b', 'c'])
  })
})

describe('lines over the limit', () => {
  it('come in parts that say so, and cut no character', () => {
    const text = `a\n${'é'.repeat(5)}\nb\n`
    for (const chunks of [[text], bytewise(text)]) {
      const lines = read(chunks, 5)
      expect(lines.map((line) => line.text)).toEqual(['a', 'éé', 'éé', 'é', 'b'])
      expect(lines.map((line) => line.isRest)).toEqual([false, false, true, true, false])
    }
  })

  it('are not followed by an empty line when they end with a part', () => {
    for (const chunks of [['abcdef\ng\n'], bytewise('abcdef\ng\n')])
      expect(read(chunks, 3).map((line) => line.text)).toEqual(['abc', 'def', 'g'])
  })

  it('are skipped where somebody is notified of them instead', () => {
    const lines: string[] = []
    const tooLong: unknown[] = []
    const reader = new LineReader({
      maxLineBytes: 5,
      onLine: ({ text }) => lines.push(text),
      onTooLong: (beginning, bytes) => tooLong.push([beginning, bytes]),
    })
    for (const chunk of ['a\nlonger\n', 'lon', 'gest', ' of all', '\nb\n']) reader.push(Buffer.from(chunk))
    expect([lines, tooLong]).toEqual([
      ['a', 'b'],
      [
        ['longer', 6],
        ['longest', 7],
      ],
    ])
  })

  it('lose nothing in parts, for any text and any chunks', () => {
    const text = fc.array(fc.constantFrom('a', 'é', '日', '🎉', '\n'), { maxLength: 60 })
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 10 }), (characters, offsets) => {
        const bytes = Buffer.from(characters.join(''))
        const ends = [...new Set(offsets.map((offset) => offset % (bytes.length + 1)))].sort((a, b) => a - b)
        const chunks = [0, ...ends].map((start, index) => bytes.subarray(start, ends[index] ?? bytes.length))
        const joined: string[] = []
        for (const line of read(chunks, 7)) {
          expect(Buffer.byteLength(line.text)).toBeLessThanOrEqual(7)
          expect(line.isUtf8).toBe(true)
          if (line.isRest) joined.push(`${joined.pop()}${line.text}`)
          else joined.push(line.text)
        }
        const expected = characters.join('').split('\n')
        if (expected.at(-1) === '') expected.pop()
        expect(joined).toEqual(expected)
      }),
      { numRuns: 500 },
    )
  })
})
