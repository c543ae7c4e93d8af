// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { changeDraft, draftOf, saveDrafts } from '../composer/drafts.ts'
import { pageOutbox } from '../composer/outbox-store.ts'
import { remember, remembered } from '../shell/remembered.ts'
import { authState, checkAuth, currentPrincipal, signedOut, signIn } from './auth-store.ts'

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

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
afterEach(() => {
  signedOut('left')
  vi.unstubAllGlobals()
})

/** What a person leaves in a browser, in storage and in memory. */
function leaveTraces(): void {
  changeDraft('s', { text: 'a private thought' })
  saveDrafts()
  changeDraft('t', { text: 'another one, not written down yet' })
  pageOutbox().add('s', 'a private message', 'queue')
  remember('dorkos.last-session', 's')
  remember('dorkos.theme', 'dark')
  localStorage.setItem('dorkos.future-thing', 'private')
  localStorage.setItem('other.app', 'not ours')
  sessionStorage.setItem('dorkos.answer.appr_1.text', 'private')
}

const keysOf = (storage: Storage) => Object.keys(storage).toSorted()

describe('what a person leaves in the browser', () => {
  const serveUnsent = () =>
    vi.stubGlobal('fetch', async (url: string) =>
      url.endsWith('/me') ? Response.json(token('1')) : Promise.reject(new TypeError('no network')),
    )

  it('goes with a person who signs out, but for how the page looks', async () => {
    serveUnsent()
    await signIn('good')
    leaveTraces()
    signedOut('left')
    window.dispatchEvent(new Event('pagehide'))
    expect(keysOf(localStorage)).toEqual(['dorkos.theme', 'other.app'])
    expect(keysOf(sessionStorage)).toEqual([])
    expect([
      draftOf('s').text,
      draftOf('t').text,
      pageOutbox().get(),
      remembered('dorkos.last-session'),
    ]).toEqual(['', '', [], undefined])
  })

  it('goes in other tabs too', async () => {
    serveUnsent()
    await signIn('good')
    leaveTraces()
    window.dispatchEvent(new StorageEvent('storage', { key: 'dorkos.left', newValue: '' }))
    expect([draftOf('t').text, pageOutbox().get()]).toEqual(['', []])
    expect(sessionStorage.length).toBe(0)
  })

  it('stays where the server refuses the token: the same person may sign in again', async () => {
    serveUnsent()
    await signIn('good')
    leaveTraces()
    signedOut('refused')
    expect(draftOf('s').text).toBe('a private thought')
    expect(pageOutbox().get()).toMatchObject([{ content: 'a private message', principal: 'owner' }])
  })
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

  it('says on whose behalf requests go out, and not while another tab’s token is new to it', async () => {
    serve((secret) => Response.json(token(secret)))
    await signIn('old')
    expect(currentPrincipal()).toBe('owner')
    localStorage.setItem('dorkos.token', 'new')
    expect(currentPrincipal()).toBeUndefined()
    await checkAuth()
    expect(currentPrincipal()).toBe('owner')
  })

  it('stays signed in when a later look finds no server', async () => {
    serve(() => Response.json(token('1')))
    await signIn('good')
    serve(() => Promise.reject(new TypeError('no network')))
    await checkAuth()
    expect(authState().state).toBe('signed-in')
  })
})
