import { describe, expect, it } from 'vitest'
import { readLinkCode } from '../auth/link-code.ts'
import { qrPath } from './qr-code.tsx'
import { isLoopback, signInLink, typedPairingCode } from './sign-in-link.ts'

describe('signing in another device', () => {
  it('makes a link that the sign-in page understands', () => {
    const link = signInLink('https://agents.example.org', 'AB1CD-2EF3G')
    expect(link).toBe('https://agents.example.org/#code=AB1CD-2EF3G')
    expect(readLinkCode(new URL(link).hash).code).toBe('AB1CD-2EF3G')
  })

  it('knows addresses that only this machine has', () => {
    for (const host of [
      'localhost',
      'LOCALHOST.',
      'a.localhost',
      '127.0.0.1',
      '127.1.2.3',
      '[::1]',
      '::1',
      '::ffff:127.0.0.1',
    ]) {
      expect(isLoopback(host), host).toBe(true)
    }
    for (const host of [
      '192.168.1.5',
      'example.org',
      '127.0.0.1.example.org',
      'localhost.example.org',
      '[fe80::1]',
    ]) {
      expect(isLoopback(host), host).toBe(false)
    }
  })

  it('reads a code as people type it', () => {
    expect(typedPairingCode(' ab1cd 2ef3g ')).toBe('AB1CD-2EF3G')
    expect(typedPairingCode('AB1CD-2EF3G')).toBe('AB1CD-2EF3G')
    for (const typed of ['', 'AB1CD', 'AB1CD-2EF3', 'AB1CD-2EF3GH', '../../evil', 'AB1CD/2EF3']) {
      expect(typedPairingCode(typed), typed).toBeUndefined()
    }
  })

  it('draws each run of dark modules once', () => {
    expect(
      qrPath([
        [true, true, false, true],
        [false, false, false, false],
        [false, true],
      ]),
    ).toBe('M0 0h2v1H0zM3 0h1v1H3zM1 2h1v1H1z')
  })
})
