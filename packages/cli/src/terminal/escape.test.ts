import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { displayWidth, exactText, fit, hasHidden, oneLine, safeJson, safeText } from './escape.ts'

const text = fc.string({ unit: 'binary', maxLength: 200 })

describe('safeText', () => {
  it('leaves nothing that a terminal acts on', () => {
    expect(safeText('\x1b[2J\x1b]0;title\x07')).toBe('\\u{1b}[2J\\u{1b}]0;title\\u{7}')
    expect(safeText('\x9b31m')).toBe('\\u{9b}31m')
    expect(safeText('safe\u202egnp.exe')).toBe('safe\\u{202e}gnp.exe')
    expect(safeText('hidden\rshown')).toBe('hidden\\u{d}shown')
    fc.assert(
      fc.property(text, (value) => {
        expect(safeText(value)).not.toMatch(/[^\P{Cc}\n\t]|\p{Bidi_Control}/u)
      }),
    )
  })

  it('keeps lines, tabs and what people write', () => {
    const prose = 'a\n\tb äöü 漢字 👩‍👩‍👧 ❤️'
    expect(safeText(prose)).toBe(prose)
    expect(safeText('a\r\nb')).toBe('a\nb')
  })
})

describe('exactText', () => {
  it('shows what takes no room or only looks like a space', () => {
    expect(exactText('rm\u200b -rf\u00a0/')).toBe('rm\\u{200b} -rf\\u{a0}/')
    expect(exactText('a\u{e0041}b\ufeff\u3164')).toBe('a\\u{e0041}b\\u{feff}\\u{3164}')
    expect(exactText('plain ls -la\n\tdone')).toBe('plain ls -la\n\tdone')
    expect(hasHidden('ls\u2060')).toBe(true)
    expect(hasHidden('ls -la\n')).toBe(false)
    expect(hasHidden({ a: [{ b: 'ls\x1b' }] })).toBe(true)
    expect(hasHidden({ 'a\u200b': 1 })).toBe(true)
    expect(hasHidden({ a: [{ b: 'ls' }, null, 1] })).toBe(false)
  })

  it('leaves nothing hidden, whatever comes', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(hasHidden(exactText(value))).toBe(false)
      }),
    )
  })
})

describe('safeJson', () => {
  it('is the same value on one line, with nothing hidden', () => {
    fc.assert(
      fc.property(fc.dictionary(text, text), (value) => {
        const json = safeJson(value)
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(json).not.toContain('\n')
        expect(hasHidden(json)).toBe(false)
      }),
    )
  })
})

describe('fit and oneLine', () => {
  it('never takes more columns than there are', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 40 }), (value, width) => {
        expect(displayWidth(oneLine(value, width))).toBeLessThanOrEqual(width)
      }),
    )
    expect(fit('漢字漢字', 5)).toBe('漢字…')
    expect(fit('short', 5)).toBe('short')
    expect(oneLine(' a\n\n b\t c ')).toBe('a b c')
  })
})
