import { describe, expect, it } from 'vitest'
import { safeImageData, safeLink } from './safe-link.ts'

describe('safeLink', () => {
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'java\u200bscript:alert(1)',
    ' \tjavascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://x/y',
    '//evil.example/x',
    '/relative',
    'relative.md',
    '#fragment',
    '',
    'http://',
    `https://x/${'a'.repeat(9000)}`,
  ])('refuses %j', (address) => expect(safeLink(address)).toBeUndefined())

  it.each([
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d', 'example.com'],
    ['http://localhost:3000', 'http://localhost:3000/', 'localhost:3000'],
    ['https://good.example@evil.example/x', 'https://good.example@evil.example/x', 'evil.example'],
    ['https://еxample.com/', 'https://xn--xample-2of.com/', 'xn--xample-2of.com'],
    ['mailto:a@b.example?body=x', 'mailto:a@b.example', 'a@b.example'],
    ['https://exa\u202Emple.com/', 'https://example.com/', 'example.com'],
  ])('takes %j and shows where it leads', (address, href, target) =>
    expect(safeLink(address)).toEqual({ href, target }),
  )
})

describe('safeImageData', () => {
  it('takes small pictures that are in the text itself', () => {
    expect(safeImageData('data:image/png;base64,iVBORw0KGgo=')).toBeDefined()
  })
  it.each([
    'https://tracker.example/a.png',
    'data:image/svg+xml;base64,PHN2Zz4=',
    'data:text/html;base64,PHN2Zz4=',
    'data:image/png,abc',
    'data:image/png;base64,a"b',
    `data:image/png;base64,${'A'.repeat(3_000_000)}`,
  ])('refuses the rest', (address) => expect(safeImageData(address)).toBeUndefined())
})
