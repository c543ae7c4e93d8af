import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, shuffled(item)])
      .reverse(),
  )
}

describe('canonical JSON', () => {
  it('is JSON of the same value, whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(shuffled(JSON.parse(JSON.stringify(value))))).toBe(text)
      }),
    )
  })

  it('differs where the values differ', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const equal = canonicalJson(a) === canonicalJson(b)
        expect(equal).toBe(
          canonicalJson(JSON.parse(JSON.stringify(a))) === canonicalJson(JSON.parse(JSON.stringify(b))),
        )
        if (equal) expect(JSON.parse(JSON.stringify(a))).toEqual(JSON.parse(JSON.stringify(b)))
      }),
    )
  })

  it('has sorted keys and leaves out what is undefined', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'é' }], a: undefined, A: true })).toBe(
      '{"A":true,"b":[1,{"c":"é","d":null}]}',
    )
    expect(canonicalJson(JSON.parse('{"__proto__":1}'))).toBe('{"__proto__":1}')
  })

  it('takes one object in two places, but none within itself', () => {
    const shared = { a: 1 }
    expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]')
    const loop: Record<string, unknown> = {}
    loop.self = { loop }
    expect(() => canonicalJson(loop)).toThrow(/contains itself/)
  })

  it.each([[Number.NaN], [1n], [() => 1], [undefined], [new Date()], [[undefined]]])(
    'refuses %s',
    (value) => {
      expect(() => canonicalJson(value)).toThrow(TypeError)
    },
  )

  it('refuses what is nested too deeply', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])
    expect(canonicalJson(nested(200))).toHaveLength(401)
    expect(() => canonicalJson(nested(201))).toThrow(/nested too deeply/)
    expect(() => canonicalJson(nested(3), 2)).toThrow(/nested too deeply/)
  })
})
