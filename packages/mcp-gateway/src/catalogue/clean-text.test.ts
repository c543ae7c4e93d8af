import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanLine, cleanText, cutText, hasHiddenCharacters } from './clean-text.ts'

describe('cleaning text', () => {
  it.each([
    ['zero-width', 'a\u200bb\u200dc\ufeffd\u2060e'],
    ['direction', 'a\u202eb\u2066c\u061cde'],
    ['tags', `ab\u{e0001}\u{e0041}\u{e007f}cde`],
    ['variation selectors', 'a\ufe0fb\u{e0100}cde'],
    ['fillers', 'a\u3164b\u115fc\u2800de'],
    ['controls', 'a\u0000b\u001b[\u007f\u009bcde'.replace('[', '')],
    ['lone surrogates', 'a\ud800bcd\udfffe'],
    ['private use and noncharacters', 'a\ue000bc\uffffde'],
    ['soft hyphens', 'a\u00adbcde'],
  ])('removes %s', (_, text) => {
    expect(cleanText(text)).toBe('abcde')
    expect(hasHiddenCharacters(text)).toBe(true)
  })

  it('keeps lines, tabs and the scripts of the world', () => {
    const text = 'Grüße\n\tдом 家 👩 שלום\u00a0ok'
    expect(cleanText(text)).toBe(text)
    expect(cleanText('a\r\nb\rc\u2028d\u0085e')).toBe('a\nb\nc\nd\ne')
    expect(cleanLine('a\n\t b\r\nc')).toBe('a  b c')
    expect(hasHiddenCharacters('a b')).toBe(false)
    expect(hasHiddenCharacters('a\nb')).toBe(true)
  })

  it('leaves nothing hidden and does nothing a second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 20 }), (text, max) => {
        const clean = cleanText(text)
        expect(hasHiddenCharacters(clean.replace(/[\n\t]/g, ''))).toBe(false)
        expect(cleanText(clean)).toBe(clean)
        const cut = cutText(clean, max)
        expect(cut.length).toBeLessThanOrEqual(max)
        expect(cleanText(cut)).toBe(cut)
        expect(cutText(cut, max)).toBe(cut)
      }),
      { numRuns: 500 },
    )
  })

  it('never cuts a character in half', () => {
    expect(cutText('ab😀cd', 4)).toBe('ab…')
    expect(cutText('ab😀cd', 5)).toBe('ab😀…')
    expect(cutText('abcd', 4)).toBe('abcd')
  })
})
