import { describe, expect, it } from 'vitest'
import { visibleControls, withVisibleControls } from './safe-text.tsx'

describe('visibleControls', () => {
  it.each([
    ['a right-to-left override', 'cp a\u202Etxt.exe', 'cp a[U+202E]txt.exe'],
    ['an isolate', 'x\u2066y\u2069', 'x[U+2066]y[U+2069]'],
    ['zero-width characters', 'rm\u200b -rf\ufeff /\u2060', 'rm[U+200B] -rf[U+FEFF] /[U+2060]'],
    ['terminal controls', 'a\u001b[2Kb\u0007', 'a[U+001B][2Kb[U+0007]'],
    ['a lone carriage return', 'safe\rrm', 'safe[U+000D]rm'],
    ['tag characters', 'hi\u{e0041}', 'hi[U+E0041]'],
    ['a joiner between letters', 'a\u200db', 'a[U+200D]b'],
  ])('shows %s', (_, text, shown) => expect(withVisibleControls(text)).toBe(shown))

  it.each(['plain', 'two\nlines\twith tab', 'windows\r\nline', '👨‍👩‍👧 and 🏳️‍🌈', 'עברית and العربية', ''])(
    'leaves %j alone',
    (text) => expect(visibleControls(text)).toEqual([{ text, control: false }]),
  )

  it('keeps every visible character', () => {
    const pieces = visibleControls('\u202Ea\u202Cb')
    expect(pieces.filter((piece) => !piece.control).map((piece) => piece.text)).toEqual(['a', 'b'])
    expect(pieces.filter((piece) => piece.control).map((piece) => piece.text)).toEqual(['U+202E', 'U+202C'])
  })
})
