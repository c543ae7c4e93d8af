import { ApiError, NetworkError } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { typedCode } from './code-form.tsx'
import { deviceName } from './device-name.ts'
import { readLinkCode } from './link-code.ts'
import { signInErrorText } from './sign-in-error.ts'
import { retryDelayMs } from './unreachable-page.tsx'

describe('readLinkCode', () => {
  it.each([
    ['#code=abc', 'abc', ''],
    ['#code=a%2Bb', 'a+b', ''],
    ['#x=1&code=abc', 'abc', '#x=1'],
    ['#code=', undefined, ''],
  ])('takes the code out of %s', (hash, code, rest) => {
    expect(readLinkCode(hash)).toEqual({ code, rest })
  })

  it.each(['', '#', '#text:msg_1:0', '#encode=1', '#user:code=1'])('leaves %s as it is', (hash) => {
    expect(readLinkCode(hash)).toEqual({ code: undefined, rest: hash })
  })
})

describe('typedCode', () => {
  it('takes a code, or a whole link that was pasted', () => {
    expect(typedCode('  ABCDE-12345 ')).toBe('ABCDE-12345')
    expect(typedCode('http://127.0.0.1:4242/#code=long-code')).toBe('long-code')
    expect(typedCode('#nothing')).toBe('#nothing')
    expect(typedCode('   ')).toBe('')
  })
})

describe('deviceName', () => {
  it.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0 Safari/537.36',
      'Chrome on Linux',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64) AppleWebKit/537.36 Chrome/143.0 Safari/537.36 Edg/143.0',
      'Edge on Windows',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605 Version/18 Safari/605', 'Safari on Mac'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18 Mobile Safari/604',
      'Safari on iPhone',
    ],
    ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox on Android'],
    ['curl/8', 'Browser'],
  ])('names %s', (userAgent, name) => {
    expect(deviceName(userAgent)).toBe(name)
  })
})

describe('signInErrorText', () => {
  it('says what to do', () => {
    expect(signInErrorText(new ApiError('gone', 410, 'x'))).toMatch(/server’s terminal/)
    expect(signInErrorText(new ApiError('invalid_request', 400, 'x'))).toMatch(/Copy all of it/)
    expect(signInErrorText(new ApiError('rate_limited', 429, 'x', { retryAfterSeconds: 7 }))).toMatch(/7 s/)
    expect(signInErrorText(new ApiError('storage_full', 507, 'The disk is full.'))).toBe('The disk is full.')
    expect(signInErrorText(new NetworkError('x'))).toMatch(/Is it running/)
  })
})

it('waits longer and longer for a server, but not for ever', () => {
  expect([0, 1, 2, 3, 4, 9].map(retryDelayMs)).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000])
})
