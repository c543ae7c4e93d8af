import { scopes } from '@dorkos/shared'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signIn } from '../auth/auth-store.ts'
import { clearDraft } from './drafts.ts'
import { NewSessionPage } from './new-session-page.tsx'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const time = '2026-01-01T00:00:00.000Z'
const workspace = {
  id: 'wsp_12345678',
  name: 'projects',
  path: '/projects',
  trusted: true,
  trust: 'trusted',
  mode: 'host',
  main: true,
  created_at: time,
}
const token = { id: 'tok_12345678', name: 't', scopes, principal: 'owner', kind: 'browser', created_at: time }
const answers: Record<string, unknown> = {
  '/api/auth/me': { token, scopes },
  '/api/workspaces': { workspaces: [workspace] },
}
/** The bodies of the requests for a process that is ready. */
let prepared: unknown[]
let root: Root

beforeEach(async () => {
  prepared = []
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    if (path === '/api/sessions/prepare') prepared.push(JSON.parse(String(body)))
    const answer = answers[path]
    return new Response(JSON.stringify(answer ?? {}), { status: answer ? 200 : 404 })
  })
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root') as HTMLElement)
  await act(() => signIn('secret'))
})
afterEach(async () => {
  await act(() => root.unmount())
  clearDraft('new')
  vi.unstubAllGlobals()
})

test('a process is asked for once the page is open, and notified when somebody begins to write', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  await act(() =>
    root.render(
      <QueryClientProvider client={queries}>
        <NewSessionPage />
      </QueryClientProvider>,
    ),
  )
  await act(() => vi.waitFor(() => expect(prepared).toEqual([{ workspace_id: workspace.id }]), 20_000))
  const box = document.querySelector<HTMLTextAreaElement>('[data-message-editor]') as HTMLTextAreaElement
  for (const written of ['H', 'He'])
    await act(() => {
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(box, written)
      box.dispatchEvent(new Event('input', { bubbles: true }))
    })
  await act(() => vi.waitFor(() => expect(prepared).toHaveLength(2), 20_000))
  expect(prepared[1]).toEqual({ workspace_id: workspace.id, writing: true })
})
