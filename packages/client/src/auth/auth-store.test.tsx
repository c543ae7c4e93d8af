import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { remember, remembered } from '../browser/remembered.ts'
import { changeDraft, messageDraftOf, saveDrafts } from '../composer/drafts.ts'
import { pageOutbox } from '../composer/outbox-store.ts'
import { authState, checkAuth, currentPrincipal, signedOut, signIn } from './auth-store.ts'

const token = (id: string, principal = 'owner') => ({
  token: {
    id: `tok_${id.padEnd(8, '0')}`,
    name: 'x',
    scopes: ['read'],
    principal,
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
      messageDraftOf('s').text,
      messageDraftOf('t').text,
      pageOutbox().get(),
      remembered('dorkos.last-session'),
    ]).toEqual(['', '', [], undefined])
  })

  it('goes in other tabs too', async () => {
    serveUnsent()
    await signIn('good')
    leaveTraces()
    window.dispatchEvent(new StorageEvent('storage', { key: 'dorkos.left', newValue: '' }))
    expect([messageDraftOf('t').text, pageOutbox().get()]).toEqual(['', []])
    expect(sessionStorage.length).toBe(0)
  })

  it('stays where the server refuses the token: the same person may sign in again', async () => {
    serveUnsent()
    await signIn('good')
    leaveTraces()
    signedOut('refused')
    expect(messageDraftOf('s').text).toBe('a private thought')
    expect(pageOutbox().get()).toMatchObject([{ content: 'a private message', principal: 'owner' }])
  })
})

describe('another person in the same browser', () => {
  const sent: string[] = []
  /** By the secret that asks: `ann` and `ann2` are one person. Messages do not arrive until `online`. */
  const servePeople = (online: () => boolean) => {
    sent.length = 0
    vi.stubGlobal('fetch', async (url: string, init: { headers: Record<string, string>; body?: string }) => {
      const secret = init.headers.authorization?.replace('Bearer ', '') ?? ''
      if (url.endsWith('/me')) return Response.json(token(secret, secret.replace('2', '')))
      if (!online()) throw new TypeError('no network')
      sent.push(`${secret}: ${init.body}`)
      return Response.json({ turn: { id: 'turn_1' } })
    })
  }
  const seen = () => ({
    drafts: [messageDraftOf('s').text, messageDraftOf('t').text],
    outbox: pageOutbox().get().length,
    last: remembered('dorkos.last-session'),
    theme: remembered('dorkos.theme'),
  })
  const nothing = { drafts: ['', ''], outbox: 0, last: undefined, theme: 'dark' }

  it('sees and sends nothing of the one whose token was refused', async () => {
    let online = false
    servePeople(() => online)
    await signIn('ann')
    leaveTraces()
    signedOut('refused')
    online = true
    await signIn('bob')
    expect(seen()).toEqual(nothing)
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('private')
    pageOutbox().retry()
    window.dispatchEvent(new Event('pagehide'))
    expect(sent).toEqual([])
    expect(JSON.stringify({ ...localStorage })).not.toContain('private')
    // What bob writes is kept for bob.
    changeDraft('s', { text: 'mine' })
    saveDrafts()
    expect(localStorage.getItem('dorkos.draft.s')).toContain('mine')
  })

  it('takes over nothing in a tab that another tab signs in for', async () => {
    servePeople(() => false)
    await signIn('ann')
    leaveTraces()
    // Another tab: bob signs in, and begins to write.
    localStorage.clear()
    localStorage.setItem('dorkos.token', 'bob')
    localStorage.setItem('dorkos.principal', 'bob')
    localStorage.setItem('dorkos.draft.s', JSON.stringify({ text: 'of bob' }))
    // Before this tab hears of it, it is left.
    changeDraft('t', { text: 'a late private thought' })
    window.dispatchEvent(new Event('pagehide'))
    expect(localStorage.getItem('dorkos.draft.t')).toBeNull()
    await checkAuth()
    expect(seen()).toMatchObject({ drafts: ['of bob', ''], outbox: 0 })
    expect(localStorage.getItem('dorkos.draft.s')).toContain('of bob')
  })

  it('is not the same person with another token: then all goes on', async () => {
    let online = false
    servePeople(() => online)
    await signIn('ann')
    leaveTraces()
    signedOut('refused')
    online = true
    await signIn('ann2')
    expect(seen()).toMatchObject({
      drafts: ['a private thought', 'another one, not written down yet'],
      last: 's',
    })
    // The try that failed before is repeated after a second.
    await vi.waitFor(() => expect(sent).toEqual([expect.stringContaining('ann2: ')]), 10_000)
    expect(sent[0]).toContain('a private message')
  })

  it('finds nothing that nobody is known to own', async () => {
    servePeople(() => false)
    localStorage.setItem('dorkos.draft.s', JSON.stringify({ text: 'whose?' }))
    await signIn('bob')
    expect(messageDraftOf('s').text).toBe('')
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
    await vi.waitFor(() => expect(authState()).toMatchObject({ token: { id: 'tok_new00000' } }), 20_000)
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
