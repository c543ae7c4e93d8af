import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FieldScanner } from './field-scanner.ts'

function scan(text: string | Buffer, chunkBytes = 7, wanted: (path: string) => number = () => 1e6) {
  const scanner = new FieldScanner(wanted)
  const bytes = Buffer.from(text)
  // The same buffer each time, as a reader of files uses it.
  const buffer = Buffer.alloc(chunkBytes)
  for (let at = 0; at < bytes.length; at += chunkBytes)
    scanner.feed(buffer.subarray(0, bytes.copy(buffer, 0, at, at + chunkBytes)))
  return scanner
}

/** Every plain value by its path, down to the depth that is looked at. */
function plainValues(value: unknown, path: (string | number)[] = [], found = new Map<string, unknown>()) {
  if (typeof value !== 'object' || value === null) {
    if (path.length <= 4) found.set(path.join('.'), value)
  } else if (Array.isArray(value))
    value.forEach((item, index) => void plainValues(item, [...path, index], found))
  else for (const [key, item] of Object.entries(value)) plainValues(item, [...path, key], found)
  return found
}

describe('FieldScanner', () => {
  it('finds what is in an object, however it is cut into pieces', () => {
    const key = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 5 })
      .filter((name) => name !== '__proto__')
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.string({ unit: 'binary' }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }))
    const object = fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true })
    fc.assert(
      fc.property(object, fc.integer({ min: 1, max: 9 }), fc.boolean(), (entry, chunkBytes, isSpaced) => {
        const text = JSON.stringify(entry, null, isSpaced ? 2 : undefined)
        expect(scan(text, chunkBytes).values).toEqual(plainValues(JSON.parse(text)))
      }),
    )
  })

  it('keeps only what is wanted, and no more of it than that', () => {
    const wanted = (path: string) => (path === 'a.*.text' ? 10 : 0)
    const text = JSON.stringify({ a: [{ text: 'short', other: 'x' }, { text: 'x'.repeat(100) }], text: 'no' })
    const { values } = scan(text, 3, wanted)
    expect([...values]).toEqual([
      ['a.0.text', 'short'],
      ['a.1.text', 'x'.repeat(10)],
    ])
  })

  it.each(['ééééééééé', '\n\n\n\n\n\n\n', '"\\"\\"\\"\\', '\u0001\u0002\u0003', '😀😀😀😀'])(
    'cuts %j between characters',
    (text) => {
      for (let bytes = 1; bytes < 12; bytes++) {
        const found = scan(JSON.stringify({ text }), 4, () => bytes).text('text')
        expect(text.startsWith(found ?? 'nothing')).toBe(true)
      }
    },
  )

  it('is not impressed by depth, numbers of fields or nonsense', () => {
    expect(scan('['.repeat(1e6), 1e5).values.size).toBe(0)
    expect(scan('}]:,"'.repeat(100)).values.size).toBe(0)
    const many = JSON.stringify({ a: Array.from({ length: 50_000 }, (_, at) => at) })
    expect(scan(many, 1e5).values.size).toBe(10_000)
    expect(scan('{"a":nonsense,"b":"\u0001","c":1}').values).toEqual(new Map([['c', 1]]))
  })
})
