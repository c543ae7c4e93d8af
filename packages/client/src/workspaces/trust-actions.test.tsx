import type { Workspace, WorkspaceTrust } from '@dorkos/shared'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { checkAuth, signIn } from '../auth/auth-store.ts'
import { text } from '../text/page-text.ts'
// Loaded with the first error, which is later than the tests look.
import '../text/server-text.ts'
import { TrustActions } from './trust-actions.tsx'

const workspace: Workspace = {
  id: 'ws_12345678',
  name: 'work',
  path: '/work',
  trusted: false,
  trust: 'untrusted',
  mode: 'host',
  main: true,
  created_at: '2026-11-15T10:00:00.000Z',
}

const before = 'a'.repeat(64)
const after = 'b'.repeat(64)

function trust(change: Partial<WorkspaceTrust>): WorkspaceTrust {
  const items = [{ kind: 'server' as const, path: '.mcp.json', name: 'x', runs: ['make'], text: '{}' }]
  return { state: 'untrusted', digest: before, items, faults: [], ...change }
}

let root: Root
let sent: string[]
let answer: () => Response
let scopes: string[]

const json = (value: unknown, status = 200) =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } })

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  sent = []
  scopes = ['read', 'admin']
  answer = () => json(trust({ state: 'trusted' }))
  vi.stubGlobal('fetch', async (url: string | URL | Request, options?: RequestInit) => {
    if (String(url).endsWith('/api/tokens/current') || String(url).includes('/auth/'))
      return json(currentToken())
    sent.push(`${options?.method} ${String(options?.body ?? '')}`)
    return answer()
  })
  await signIn('dork_test')
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root') ?? document.body)
})

afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
})

function currentToken() {
  const token = {
    id: 'tok_12345678',
    name: 'x',
    principal: 'owner',
    scopes,
    created_at: workspace.created_at,
    kind: 'browser',
  }
  return { token, scopes }
}

const queries = new QueryClient()

function show(shown: WorkspaceTrust) {
  act(() =>
    root.render(
      <QueryClientProvider client={queries}>
        <TrustActions workspace={workspace} trust={shown} />
      </QueryClientProvider>,
    ),
  )
}

function button(label: string): HTMLButtonElement | undefined {
  return [...document.querySelectorAll('button')].find((one) => one.textContent === label)
}

const words = text.workspaces.actions

it('gives trust to the digest that was shown', async () => {
  show(trust({}))
  await act(async () => button(words.trust)?.click())
  expect(sent).toEqual([`POST {"digest":"${before}"}`])
})

it('waits for another look when the files change under somebody’s eyes', async () => {
  show(trust({}))
  show(trust({ digest: after }))
  expect(document.body.textContent).toContain(words.changedMeanwhile)
  expect(button(words.trust)?.getAttribute('aria-disabled')).toBe('true')
  await act(async () => button(words.trust)?.click())
  expect(sent).toEqual([])
  await act(async () => button(words.reviewed)?.click())
  await act(async () => button(words.trust)?.click())
  expect(sent).toEqual([`POST {"digest":"${after}"}`])
})

it('says what the server refuses, unless it is that the files changed', async () => {
  const refuse = (message: string, details: unknown) => () =>
    json({ error: { code: 'conflict', message, details } }, 409)
  answer = refuse('It leads elsewhere now.', undefined)
  show(trust({}))
  await act(async () => button(words.trust)?.click())
  expect(document.body.textContent).toContain('It leads elsewhere now.')
  answer = refuse('Not what was shown.', { digest: after })
  await act(async () => button(words.trust)?.click())
  expect(document.body.textContent).not.toContain('Not what was shown.')
  show(trust({ digest: after }))
  expect(document.body.textContent).toContain(words.changedMeanwhile)
})

it('cannot be given while there are faults, nor without the scope', async () => {
  show(trust({ faults: [{ path: '.mcp.json', reason: 'is a link' }] }))
  expect(button(words.trust)?.getAttribute('aria-disabled')).toBe('true')
  expect(document.body.textContent).toContain(words.blocked)
  await act(async () => button(words.trust)?.click())
  expect(sent).toEqual([])
  show(trust({}))
  expect(button(words.trust)?.getAttribute('aria-disabled')).toBe(null)
  scopes = ['read']
  await act(() => checkAuth())
  expect(button(words.trust)).toBeUndefined()
  expect(document.body.textContent).toContain(text.workspaces.notAdmin)
})

it('can be withdrawn, also after a change', () => {
  show(trust({ state: 'trusted' }))
  expect(button(words.trust)).toBeUndefined()
  expect(button(words.withdraw)?.disabled).toBe(false)
  show(trust({ state: 'changed' }))
  expect(button(words.withdraw)?.disabled).toBe(false)
})
