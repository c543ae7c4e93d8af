import { describe, expect, it } from 'vitest'
import { StderrTail } from './stderr-tail.ts'

function lines(chunks: Array<string | Buffer>): { lines: string[]; tail: string } {
  const seen: string[] = []
  const tail = new StderrTail((line) => seen.push(line))
  for (const chunk of chunks) tail.push(Buffer.from(chunk as string))
  tail.end()
  return { lines: seen, tail: tail.tail }
}

describe('StderrTail', () => {
  it('passes on whole lines, however they were cut', () => {
    const bytes = Buffer.from('one\r\ntwö\n\nthree')
    const expected = ['one', 'twö', '', 'three']
    expect(lines([bytes]).lines).toEqual(expected)
    expect(lines(Array.from(bytes, (byte) => Buffer.from([byte]))).lines).toEqual(expected)
  })

  it('keeps the last 8 Ki characters', () => {
    const { tail } = lines(['a'.repeat(9000), 'b'.repeat(8000)])
    expect(tail).toBe('a'.repeat(192) + 'b'.repeat(8000))
  })

  it('keeps them where nobody wants the lines', () => {
    const tail = new StderrTail()
    for (const byte of Buffer.from('fatal: ö')) tail.push(Buffer.from([byte]))
    tail.end()
    expect(tail.tail).toBe('fatal: ö')
  })

  it('passes an endless line on in parts', () => {
    const { lines: parts } = lines(Array.from({ length: 200 }, () => 'x'.repeat(1024)))
    expect(parts.length).toBeGreaterThan(2)
    expect(parts.join('')).toBe('x'.repeat(200 * 1024))
  })
})
