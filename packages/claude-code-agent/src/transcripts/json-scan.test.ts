import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTrueAt, scanArray, scanObject, stringAt } from './json-scan.ts'

const parsed = (bytes: Buffer, span: { start: number; end: number }) =>
  JSON.parse(bytes.toString('utf8', span.start, span.end))

const objects = fc.dictionary(fc.stringMatching(/^[a-zA-Z_]{1,8}$/), fc.jsonValue(), { maxKeys: 8 })

describe('scanObject', () => {
  it('finds what JSON.parse finds, in any spacing', () => {
    fc.assert(
      fc.property(objects, fc.nat({ max: 3 }), (object, indent) => {
        const bytes = Buffer.from(` ${JSON.stringify(object, null, indent)}`)
        const fields = scanObject(bytes)
        expect([...(fields?.keys() ?? [])]).toEqual(Object.keys(object))
        for (const [name, span] of fields ?? []) {
          expect(parsed(bytes, span)).toEqual(JSON.parse(JSON.stringify(object[name])))
        }
      }),
    )
  })

  it('finds nothing in an object that ends early', () => {
    fc.assert(
      fc.property(objects, fc.nat(), (object, cut) => {
        const bytes = Buffer.from(JSON.stringify(object))
        expect(scanObject(bytes.subarray(0, cut % bytes.length))).toBeUndefined()
      }),
    )
  })

  it('gives up on what is no object', () => {
    for (const text of ['', 'null', '[1]', '"{}"', '{a:1}', '{"a" 1}', '{,}', '{"a":1,}']) {
      expect(scanObject(Buffer.from(text)), text).toBeUndefined()
    }
  })
})

describe('scanArray', () => {
  it('finds the items that JSON.parse finds', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 6 }), (items) => {
        const bytes = Buffer.from(JSON.stringify(items, null, 1))
        expect(scanArray(bytes, 0).map((span) => parsed(bytes, span))).toEqual(
          JSON.parse(JSON.stringify(items)),
        )
      }),
    )
  })
})

describe('stringAt and isTrueAt', () => {
  it('read strings with and without escapes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const bytes = Buffer.from(JSON.stringify({ text }))
        expect(stringAt(bytes, scanObject(bytes)?.get('text'))).toBe(text)
      }),
    )
  })

  it('take other values for neither', () => {
    const bytes = Buffer.from('{"a":1,"b":null,"c":true ,"d":"true"}')
    const fields = scanObject(bytes)
    expect(stringAt(bytes, fields?.get('a'))).toBeUndefined()
    expect(stringAt(bytes, fields?.get('b'))).toBeUndefined()
    expect(isTrueAt(bytes, fields?.get('c'))).toBe(true)
    expect(isTrueAt(bytes, fields?.get('d'))).toBe(false)
    expect(isTrueAt(bytes, undefined)).toBe(false)
  })
})
