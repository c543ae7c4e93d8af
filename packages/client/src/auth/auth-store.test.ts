// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { authState, checkAuth, signedOut, signIn } from './auth-store.ts'

const token = (id: string) => ({
  token: {
    id: `tok_${id.padEnd(8, '0')}`,
    name: 'x',
    scopes: ['read'],
    principal: 'owner',
    kind: 'browser',
    created_at: '2025-06-01T10:00:00.000Z',
  },
  scopes: ['read'],
})

/** Answers `GET /api/auth/me` by the secret that asks. */
function serve(answer: (secret: string) => Response | Promise<Response>): void {
  vi.stubGlobal('fetch', async (_url: string, init: { headers: Record<string, string> }) =>
    answer(init.headers.authorization?.replace('Bearer ', '') ?? ''),
  )
}

const refused = () =>
  new Response(JSON.stringify({ error: { code: 'unauthenticated', message: 'no' } }), { status: 401 })

beforeEach(() => localStorage.clear())
afterEach(() => {
  signedOut('left')
  vi.unstubAllGlobals()
})

describe('the auth store', () => {
  it('signs in with a token that the server takes, and forgets one that it refuses', async () => {
    serve((secret) => (secret === 'good' ? Response.json(token('1')) : refused()))
    await signIn('good')
    expect(authState()).toMatchObject({ state: 'signed-in', scopes: ['read'] })
    await signIn('bad')
    expect(authState()).toEqual({ state: 'signed-out', why: 'refused' })
    expect(localStorage.getItem('dorkos.token')).toBeNull()
  })

  it('keeps the token while the server does not answer', async () => {
    serve(() => Promise.reject(new TypeError('no network')))
    localStorage.setItem('dorkos.token', 'good')
    signedOut('left')
    localStorage.setItem('dorkos.token', 'good')
    await checkAuth()
    expect(authState().state).toBe('unreachable')
    expect(localStorage.getItem('dorkos.token')).toBe('good')
  })

  it('does not throw away a newer token when the older one is refused', async () => {
    serve((secret) => Response.json(token(secret)))
    await signIn('old')
    // Another tab signed in anew and ended the old token; a request of this tab with the old one is refused just then.
    localStorage.setItem('dorkos.token', 'new')
    signedOut('refused')
    await vi.waitFor(() => expect(authState()).toMatchObject({ token: { id: 'tok_new00000' } }))
    expect(localStorage.getItem('dorkos.token')).toBe('new')
  })

  it('stays signed in when a later look finds no server', async () => {
    serve(() => Response.json(token('1')))
    await signIn('good')
    serve(() => Promise.reject(new TypeError('no network')))
    await checkAuth()
    expect(authState().state).toBe('signed-in')
  })
})
