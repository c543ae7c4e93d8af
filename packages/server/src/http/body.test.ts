import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nestingOf } from './body.ts'

/** The plain definition, on the parsed value. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

it('counts the nesting of any JSON as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8, stringUnit: 'binary' }), (value) => {
      expect(nestingOf(Buffer.from(JSON.stringify(value)))).toBe(depthOf(value))
    }),
  )
})

it.each([
  ['"\\"[["', 0],
  ['"\\\\"', 0],
  ['["\\\\\\"]", []]', 2],
  ['"unended [[[', 0],
  [`"${'['.repeat(1000)}"`, 0],
  ['['.repeat(5000), 5000],
])('%s', (text, depth) => {
  expect(nestingOf(Buffer.from(text))).toBe(depth)
})
