import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonLineReader, type LineFault } from './json-lines.ts'

function read(chunks: Array<Buffer | string>, maxLineBytes?: number) {
  const messages: Array<Record<string, unknown>> = []
  const faults: LineFault[] = []
  const reader = new JsonLineReader({
    maxLineBytes,
    onMessage: (message) => messages.push(message),
    onFault: (fault) => faults.push(fault),
  })
  for (const chunk of chunks) reader.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  reader.end()
  return { messages, faults, kinds: faults.map((fault) => fault.kind) }
}

/** Cuts `bytes` at the given places; they wrap round, so any numbers will do. */
function cut(bytes: Buffer, offsets: number[]): Buffer[] {
  const ends = [...new Set(offsets.map((offset) => offset % (bytes.length + 1)))].sort((a, b) => a - b)
  const starts = [0, ...ends]
  return starts.map((start, index) => bytes.subarray(start, ends[index] ?? bytes.length))
}

describe('lines and chunks', () => {
  it('reads several lines of one chunk, and a line over several chunks', () => {
    const { messages, faults } = read(['{"a":1}\n{"b":2}\n{"c"', ':', '3}\n'])
    expect(messages).toEqual([{ a: 1 }, { b: 2 }, { c: 3 }])
    expect(faults).toEqual([])
  })

  it('ignores carriage returns, blank lines and a byte order mark at the start', () => {
    const { messages, faults } = read(['\ufeff{"a":1}\r\n\r\n\n  \t\n{"b":"é"}\r', '\n \n'])
    expect(messages).toEqual([{ a: 1 }, { b: 'é' }])
    expect(faults).toEqual([])
  })

  it('ignores a byte order mark that is cut, but not one in a later line', () => {
    const mark = Buffer.from('\ufeff')
    const { messages, kinds } = read([mark.subarray(0, 1), mark.subarray(1), '{"a":1}\n', '\ufeff{"b":2}\n'])
    expect(messages).toEqual([{ a: 1 }])
    expect(kinds).toEqual(['malformed'])
  })

  it('joins characters that were cut', () => {
    const bytes = Buffer.from('{"text":"naïve 日本 🎉"}\n')
    const bytewise = Array.from(bytes, (byte) => Buffer.from([byte]))
    expect(read(bytewise)).toMatchObject({ messages: [{ text: 'naïve 日本 🎉' }], faults: [] })
  })

  it('stops in the middle of a chunk when it is told to', () => {
    const seen: unknown[] = []
    const reader = new JsonLineReader({
      onMessage: (message) => {
        seen.push(message)
        reader.stop()
      },
      onFault: () => {},
    })
    reader.push(Buffer.from('{"a":1}\n{"b":2}\n{"c'))
    reader.push(Buffer.from('":3}\n'))
    reader.end()
    expect(seen).toEqual([{ a: 1 }])
  })

  it('lets an error of the receiver through, and does not call the line malformed', () => {
    const faults: unknown[] = []
    const reader = new JsonLineReader({
      onMessage: () => {
        throw new SyntaxError('from the receiver')
      },
      onFault: (fault) => faults.push(fault),
    })
    expect(() => reader.push(Buffer.from('{"a":1}\n'))).toThrow('from the receiver')
    expect(faults).toEqual([])
  })
})

describe('faults', () => {
  it('reports a malformed line with its beginning and length, and reads on', () => {
    const { messages, faults } = read([`oops ${'x'.repeat(500)}\n{"a":1}\n`])
    expect(messages).toEqual([{ a: 1 }])
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatchObject({ kind: 'malformed', bytes: 505 })
    expect(faults[0]!.preview).toBe(`oops ${'x'.repeat(195)}`)
  })

  it.each(['1', '"text"', 'null', 'true', '[{"a":1}]'])('reports %s, which is no object', (line) => {
    expect(read([`${line}\n{"a":1}\n`])).toMatchObject({ messages: [{ a: 1 }], kinds: ['not_an_object'] })
  })

  it('reports invalid UTF-8 and delivers the line with replacement characters', () => {
    const line = Buffer.concat([Buffer.from('{"a":"x'), Buffer.from([0xff, 0xc3]), Buffer.from('y"}\n')])
    const { messages, kinds } = read([line, '{"b":2}\n'])
    expect(messages).toEqual([{ a: 'x\ufffd\ufffdy' }, { b: 2 }])
    expect(kinds).toEqual(['invalid_utf8'])
  })

  it('reports invalid UTF-8 that is not JSON once', () => {
    expect(read([Buffer.from([0xff, 0xfe, 0x0a])])).toMatchObject({ messages: [], kinds: ['invalid_utf8'] })
  })

  it('takes a genuine replacement character for what it is', () => {
    expect(read(['{"a":"\ufffd"}\n'])).toMatchObject({ messages: [{ a: '\ufffd' }], kinds: [] })
  })

  it('delivers a last line without a newline if it is whole', () => {
    expect(read(['{"a":1}\n{"b":', '2}'])).toMatchObject({ messages: [{ a: 1 }, { b: 2 }], kinds: [] })
  })

  it('reports a last line that is cut, also within a character', () => {
    expect(read(['{"a":1}\n{"b":'])).toMatchObject({ messages: [{ a: 1 }], kinds: ['truncated'] })
    const cutCharacter = Buffer.from('{"b":"é').subarray(0, -1)
    expect(read([cutCharacter])).toMatchObject({ messages: [], kinds: ['truncated'] })
  })
})

describe('lines over the limit', () => {
  const long = JSON.stringify({ text: 'x'.repeat(100) })

  it('are reported once, within one chunk and over many', () => {
    const bytes = Buffer.from(`{"a":1}\n${long}\n{"b":2}\n`)
    for (const chunks of [[bytes], Array.from(bytes, (byte) => Buffer.from([byte]))]) {
      const { messages, faults } = read(chunks, 50)
      expect(messages).toEqual([{ a: 1 }, { b: 2 }])
      expect(faults.map((fault) => fault.kind)).toEqual(['too_long'])
      expect(faults[0]!.bytes).toBeGreaterThan(50)
      expect(faults[0]!.preview.startsWith('{"text":"xxx')).toBe(true)
    }
  })

  it('are reported before they end, and their rest is not kept', () => {
    const faults: LineFault[] = []
    const reader = new JsonLineReader({
      maxLineBytes: 1000,
      onMessage: () => {},
      onFault: (fault) => faults.push(fault),
    })
    const chunk = Buffer.alloc(600, 0x78)
    reader.push(chunk)
    expect(faults).toHaveLength(0)
    reader.push(chunk)
    expect(faults).toHaveLength(1)
    for (let index = 0; index < 1000; index++) reader.push(chunk)
    reader.end()
    expect(faults).toHaveLength(1)
  })

  it('may be exactly as long as the limit', () => {
    const limit = Buffer.byteLength(long)
    expect(read([`${long}\n`], limit).kinds).toEqual([])
    expect(read([`${long}\n`], limit - 1).kinds).toEqual(['too_long'])
    expect(read([`é${long}\n`], limit).kinds).toEqual(['too_long'])
  })

  it('leave a line of many megabytes below the limit whole', () => {
    const text = 'ü'.repeat(4 * 1024 * 1024)
    const bytes = Buffer.from(`${JSON.stringify({ text })}\n{"b":2}\n`)
    const chunks: Buffer[] = []
    for (let at = 0; at < bytes.length; at += 1001) chunks.push(bytes.subarray(at, at + 1001))
    const { messages, faults } = read(chunks)
    expect(faults).toEqual([])
    expect(messages).toHaveLength(2)
    expect(messages[0]!.text === text).toBe(true)
  })
})

describe('for any chunking', () => {
  const object = fc
    .dictionary(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.jsonValue(), { maxKeys: 4 })
    .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)
  const ending = fc.constantFrom('\n', '\r\n', '\n\n', '\n \r\n')
  const cuts = fc.array(fc.nat(), { maxLength: 40 })

  it('the same objects come out in the same order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(object, ending)), cuts, fc.boolean(), (lines, offsets, lastNewline) => {
        const text = lines.map(([value, end]) => JSON.stringify(value) + end).join('')
        const { messages, faults } = read(cut(Buffer.from(lastNewline ? text : text.trimEnd()), offsets))
        expect(messages).toEqual(lines.map(([value]) => value))
        expect(faults).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  const maxLineBytes = 4000
  const junk = fc.oneof(
    fc
      .constantFrom('oops', '{"a":', '}{', 'undefined', '{a:1}')
      .map((text) => ({ kind: 'malformed', bytes: text })),
    fc.constantFrom('1', '[]', 'null', '"text"').map((text) => ({ kind: 'not_an_object', bytes: text })),
    fc
      .constantFrom('ff', '{ÿ}')
      .map(() => ({ kind: 'invalid_utf8', bytes: Buffer.from([0x7b, 0xff, 0xc3]) })),
    fc
      .constantFrom('x', 'é')
      .map((character) => ({ kind: 'too_long', bytes: character.repeat(maxLineBytes + 1) })),
  )

  it('each junk line gives exactly one fault, and no message is lost', () => {
    const line = fc.oneof(
      object.map((value) => ({ value, bytes: JSON.stringify(value) })),
      junk.map(({ kind, bytes }) => ({ kind, bytes })),
    )
    fc.assert(
      fc.property(fc.array(line), cuts, (lines, offsets) => {
        const parts = lines.flatMap((each) => [Buffer.from(each.bytes as string), Buffer.from('\n')])
        const { messages, kinds } = read(cut(Buffer.concat(parts), offsets), maxLineBytes)
        expect(messages).toEqual(lines.flatMap((each) => ('value' in each ? [each.value] : [])))
        expect(kinds).toEqual(lines.flatMap((each) => ('kind' in each ? [each.kind] : [])))
      }),
      { numRuns: 500 },
    )
  })
})
