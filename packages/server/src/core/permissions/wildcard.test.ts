import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesWildcard } from './wildcard.ts'

/** The same by a regular expression. */
function byExpression(pattern: string, text: string, star: string): boolean {
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[^a-z]/g, '\\$&'))
    .join(star)
  return new RegExp(`^${source}$`, 's').test(text)
}

const pattern = fc.string({ unit: fc.constantFrom('a', 'b', ';', '*'), maxLength: 8 })
const text = fc.string({ unit: fc.constantFrom('a', 'b', ';'), maxLength: 10 })

describe('matchesWildcard', () => {
  it('agrees with a regular expression', () => {
    fc.assert(
      fc.property(pattern, text, (pattern, text) => {
        expect(matchesWildcard(pattern, text)).toBe(byExpression(pattern, text, '.*'))
      }),
      { numRuns: 5000 },
    )
  })

  it('agrees with one when the star may not stand for every character', () => {
    fc.assert(
      fc.property(pattern, text, (pattern, text) => {
        const ours = matchesWildcard(pattern, text, (character) => character !== ';')
        expect(ours).toBe(byExpression(pattern, text, '[^;]*'))
      }),
      { numRuns: 5000 },
    )
  })

  it('comes to an end on a pattern that makes a regular expression hang', () => {
    expect(matchesWildcard(`${'a*'.repeat(40)}b`, 'a'.repeat(4000))).toBe(false)
  })
})
