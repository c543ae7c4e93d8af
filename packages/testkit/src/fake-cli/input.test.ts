import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readLines } from './input.ts'

async function linesOf(chunks: Uint8Array[]): Promise<string[]> {
  const stream = new PassThrough()
  const lines: string[] = []
  const ended = new Promise<void>((resolve) => {
    readLines(stream, (some) => lines.push(...some), resolve)
  })
  for (const chunk of chunks) {
    stream.write(chunk)
    await new Promise((resolve) => setImmediate(resolve))
  }
  stream.end()
  await ended
  return lines
}

describe('readLines', () => {
  const text = 'first\n\nsecond é 😀\nlast without newline'

  it('gives the same lines however the bytes are cut', async () => {
    const bytes = Buffer.from(text)
    const expected = text.split('\n')
    for (let size = 1; size <= bytes.length; size++) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      )
      expect(await linesOf(chunks)).toEqual(expected)
    }
  })
})
