import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FileLine, readHead, readLines, readLinesBackward, readTail } from './line-reader.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'line-reader-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

async function withFile<Result>(content: Buffer | string, use: (file: FileHandle) => Promise<Result>) {
  const path = join(folder, 'lines')
  await writeFile(path, content)
  const file = await open(path)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

async function all(lines: AsyncGenerator<FileLine>): Promise<FileLine[]> {
  const found: FileLine[] = []
  for await (const line of lines) found.push(line)
  return found
}
const texts = (lines: readonly FileLine[]) => lines.map((line) => line.bytes?.toString('latin1'))

/** What the lines of a file are, said in the simplest way. */
function expected(content: Buffer): { text: string; offset: number; terminated: boolean }[] {
  const parts = content.toString('latin1').split('\n')
  let offset = 0
  const lines = parts.map((text, index) => {
    const line = { text, offset, terminated: index < parts.length - 1 }
    offset += text.length + 1
    return line
  })
  return lines.filter((line) => line.terminated || line.text !== '')
}

const content = fc
  .array(fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constant(Uint8Array.of(10))), { maxLength: 20 })
  .map((parts) => Buffer.concat(parts))

describe('readLines and readLinesBackward', () => {
  it('give the same lines for any content and any chunk size', async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.integer({ min: 1, max: 64 }), async (bytes, chunkBytes) => {
        await withFile(bytes, async (file) => {
          const wanted = expected(bytes)
          const summary = (line: FileLine) => ({
            text: line.bytes?.toString('latin1'),
            offset: line.offset,
            terminated: line.terminated,
          })
          expect((await all(readLines(file, { chunkBytes }))).map(summary)).toEqual(wanted)
          expect((await all(readLinesBackward(file, { chunkBytes }))).map(summary)).toEqual(wanted.reverse())
        })
      }),
      { numRuns: 300 },
    )
  })

  it('go on from any line as if they had begun there', async () => {
    await fc.assert(
      fc.asyncProperty(
        content,
        fc.nat(),
        fc.integer({ min: 1, max: 16 }),
        async (bytes, pick, chunkBytes) => {
          await withFile(bytes, async (file) => {
            const lines = await all(readLines(file))
            const start = lines[lines.length === 0 ? 0 : pick % lines.length]?.offset ?? 0
            const later = texts(lines.filter((line) => line.offset >= start))
            const earlier = texts(lines.filter((line) => line.offset < start))
            expect(texts(await all(readLines(file, { start, chunkBytes })))).toEqual(later)
            expect(texts(await all(readLinesBackward(file, { end: start, chunkBytes })))).toEqual(
              earlier.reverse(),
            )
          })
        },
      ),
      { numRuns: 200 },
    )
  })

  it('pass over a line that is too long, and say where it is', async () => {
    await withFile(`short\n${'x'.repeat(500)}\nend`, async (file) => {
      for (const read of [readLines, readLinesBackward]) {
        const lines = await all(read(file, { chunkBytes: 32, maxLineBytes: 100 }))
        expect(new Set(texts(lines))).toEqual(new Set(['short', undefined, 'end']))
        expect(lines[1]).toMatchObject({ offset: 6, length: 500, terminated: true })
      }
    })
  })

  it('hold lines of 20 MB', async () => {
    const long = Buffer.alloc(20 * 1024 * 1024, 'a')
    await withFile(Buffer.concat([Buffer.from('first\n'), long, Buffer.from('\nlast\n')]), async (file) => {
      const lines = await all(readLines(file))
      expect(lines.map((line) => line.length)).toEqual([5, long.length, 4])
      expect(lines[1]?.bytes?.equals(long)).toBe(true)
      const backward = await all(readLinesBackward(file))
      expect(backward.map((line) => line.offset)).toEqual(lines.map((line) => line.offset).reverse())
      expect(backward[1]?.bytes?.equals(long)).toBe(true)
    })
  })

  it('stop quietly when the file has become shorter', async () => {
    await withFile('one\ntwo\n', async (file) => {
      expect(texts(await all(readLines(file, { end: 1000 })))).toEqual(['one', 'two'])
    })
  })
})

describe('readHead and readTail', () => {
  it('are a beginning and an end of the lines, whatever the window', async () => {
    const window = fc.integer({ min: 1, max: 60 })
    await fc.assert(
      fc.asyncProperty(content, window, window, async (contents, bytes, more) => {
        await withFile(contents, async (file) => {
          const lines = texts(await all(readLines(file)))
          const options = { bytes, maxBytes: bytes + more }
          const head = texts(await readHead(file, options))
          const tail = texts(await readTail(file, options))
          expect(head).toEqual(lines.slice(0, head.length))
          expect(tail).toEqual(tail.length === 0 ? [] : lines.slice(-tail.length))
          if (contents.length <= bytes) expect(tail).toEqual(lines)
        })
      }),
      { numRuns: 300 },
    )
  })

  it('grow until there is a whole line, up to a bound', async () => {
    const long = 'x'.repeat(1000)
    await withFile(`${long}\nmiddle\n${long}\n`, async (file) => {
      expect(texts(await readHead(file, { bytes: 10, maxBytes: 2000 }))).toEqual([long])
      expect(texts(await readTail(file, { bytes: 10, maxBytes: 2000 }))).toEqual([long])
      expect(await readHead(file, { bytes: 10, maxBytes: 900 })).toEqual([])
      expect(await readTail(file, { bytes: 10, maxBytes: 900 })).toEqual([])
    })
  })

  it('grow for as long as the caller has not enough', async () => {
    await withFile('a\nb\nc\nd\n', async (file) => {
      const enough = (lines: readonly FileLine[]) => texts(lines).includes('c')
      expect(texts(await readHead(file, { bytes: 1, enough }))).toEqual(['a', 'b', 'c'])
    })
  })

  it('never take a part of a line for a line', async () => {
    await withFile('aaaa\nbbbb\ncccc', async (file) => {
      expect(texts(await readTail(file, { bytes: 4, maxBytes: 6 }))).toEqual(['cccc'])
      expect(texts(await readHead(file, { bytes: 7, maxBytes: 7 }))).toEqual(['aaaa'])
      expect(texts(await readHead(file, { bytes: 100 }))).toEqual(['aaaa', 'bbbb', 'cccc'])
    })
  })
})
