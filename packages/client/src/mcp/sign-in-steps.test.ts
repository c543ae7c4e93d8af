import type { McpServer } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { text } from '../text/page-text.ts'
import { readHidden } from './hidden-sign-ins.ts'
import { parseSignInLink, stepAfter, wantsSignIn } from './sign-in-steps.ts'
import { readReturn } from './taken-return.ts'

describe('signInLink', () => {
  it.each([
    ['https://accounts.example.com/a?state=s1', 'accounts.example.com', 's1'],
    ['https://accounts.example.com:8443/', 'accounts.example.com:8443', ''],
    ['http://127.0.0.1:9/authorize?state=x', '127.0.0.1:9', 'x'],
    ['http://127.1:9/', '127.0.0.1:9', ''],
    ['http://localhost:9/', 'localhost:9', ''],
    ['http://[::1]:9/', '[::1]:9', ''],
    // Letters that look like others are shown as what they are.
    ['https://аccounts.example.com/', 'xn--ccounts-1fg.example.com', ''],
  ])('%s leads to %s', (address, host, state) => {
    expect(parseSignInLink(address)).toMatchObject({ host, state })
  })

  it.each([
    'http://accounts.example.com/',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'https://accounts.example.com@evil.example/',
    'https://user:word@accounts.example.com/',
    'https://:word@accounts.example.com/',
    'javascript:alert(1)',
    ' \u0000javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://example.com/',
    '/authorize',
    '',
  ])('does not follow %s', (address) => {
    expect(parseSignInLink(address)).toBeUndefined()
  })

  it('does not follow what no place would send', () => {
    expect(parseSignInLink(`https://example.com/${'a'.repeat(8192)}`)).toBeUndefined()
  })
})

describe('stepAfter', () => {
  const expires_at = '2026-01-01T00:00:00.000Z'

  it('shows the host of the address itself, whatever the answer says it is', () => {
    const url = 'https://evil.example/?state=s'
    const step = stepAfter({
      step: 'open',
      url,
      host: 'accounts.example.com',
      token_host: 'evil.example',
      expires_at,
    })
    expect(step).toEqual({
      at: 'link',
      link: { href: url, host: 'evil.example', state: 's' },
      elsewhere: ['accounts.example.com'],
      expiresAt: expires_at,
      opened: false,
    })
  })

  it('names who else gets what is granted, once each, and nobody where all is one', () => {
    const elsewhere = (host: string, token_host: string) => {
      const url = 'https://accounts.example.com/?state=s'
      const step = stepAfter({ step: 'open', url, host, token_host, expires_at })
      return step.at === 'link' && step.elsewhere
    }
    expect(elsewhere('accounts.example.com', 'accounts.example.com')).toEqual([])
    expect(elsewhere('accounts.example.com', 'evil.example')).toEqual(['evil.example'])
    expect(elsewhere('evil.example', 'evil.example')).toEqual(['evil.example'])
  })

  it('says why an address is not opened, and asks for a client where one is needed', () => {
    const unsafe = stepAfter({
      step: 'open',
      url: 'javascript:alert(1)',
      host: 'x',
      token_host: 'x',
      expires_at,
    })
    expect(unsafe).toEqual({ at: 'start', fault: text.mcp.signIn.notSafe })
    expect(stepAfter({ step: 'needs_client', host: 'x', issuer: 'https://x' })).toEqual({
      at: 'client',
      host: 'x',
      issuer: 'https://x',
    })
  })
})

describe('wantsSignIn', () => {
  const health = { state: 'needs_auth' } as NonNullable<McpServer['health']>
  const server = { use: 'active', can_sign_in: true, health } as McpServer
  it.each<[string, Partial<McpServer>, boolean]>([
    ['one that wants it', {}, true],
    ['one with credentials of its own', { can_sign_in: false }, false],
    ['one that works', { health: { ...health, state: 'connected' } }, false],
    ['one that sessions do not get', { use: 'filtered' }, false],
  ])('%s', (_, change, wants) => {
    expect(wantsSignIn({ ...server, ...change })).toBe(wants)
  })
})

describe('readReturn', () => {
  it('takes what the authorization server may say, and nothing else', () => {
    expect(readReturn('?code=c%2B1&state=s&iss=https%3A%2F%2Fa.example&session_state=x')).toEqual({
      code: 'c+1',
      state: 's',
      iss: 'https://a.example',
    })
    expect(readReturn('?state=s&error=access_denied&error_description=No+thanks&code=')).toEqual({
      state: 's',
      error: 'access_denied',
      error_description: 'No thanks',
    })
  })

  it('cuts long words of a stranger, and is nothing where it does not say which sign-in it is', () => {
    const long = readReturn(`?state=s&error=e&error_description=${'x'.repeat(5000)}`)
    expect(long?.error_description).toHaveLength(1000)
    expect(readReturn('?code=c')).toBeUndefined()
    expect(readReturn('?state=&code=c')).toBeUndefined()
  })
})

it('what is stored about hidden cards can be anything', () => {
  expect(readHidden('["s one", 3]')).toEqual(['s one'])
  for (const stored of [undefined, '{', '{}', 'null', '3']) expect(readHidden(stored)).toEqual([])
})
