import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, inputHash } from './canonical-json.ts'

/** The same value with the members of every object in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  const reversed = Object.entries(value).reverse()
  return Object.defineProperties(
    {},
    Object.fromEntries(
      reversed.map(([key, member]) => [
        key === '__proto__' ? '__proto__x' : key,
        { value: shuffled(member), enumerable: true },
      ]),
    ),
  )
}

const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__'))

describe('canonicalJson', () => {
  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value))
      }),
    )
  })

  it('differs where the values differ', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        const equal = canonicalJson(a) === canonicalJson(b)
        expect(equal).toBe(
          canonicalJson(JSON.parse(JSON.stringify(a))) === canonicalJson(JSON.parse(JSON.stringify(b))),
        )
        if (equal) expect(JSON.parse(JSON.stringify(a))).toEqual(JSON.parse(JSON.stringify(b)))
      }),
    )
  })

  it('hashes with SHA-256', () => {
    expect(inputHash({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a')
    expect(inputHash({ b: 1, a: [2, { d: null, c: 'x' }] })).toBe(
      inputHash({ a: [2, { c: 'x', d: null }], b: 1 }),
    )
  })

  it('refuses what is nested too deep', () => {
    let deep: unknown = 1
    for (let level = 0; level < 300; level++) deep = [deep]
    expect(() => canonicalJson(deep)).toThrow(RangeError)
  })
})
