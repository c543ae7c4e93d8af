import type { Hook } from '@dorkos/shared'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { signIn } from '../auth/auth-store.ts'
import { text } from '../text/page-text.ts'
import { HookItem } from './hook-item.tsx'

const words = text.workspaceHooks
const at = '2026-11-15T10:00:00.000Z'
const json = (value: unknown) =>
  new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } })

let root: Root
let sent: string[]

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  sent = []
  vi.stubGlobal('fetch', async (url: string | URL | Request, options?: RequestInit) => {
    if (String(url).endsWith('/api/tokens/current') || String(url).includes('/auth/'))
      return json(currentToken)
    sent.push(`${options?.method} ${new URL(String(url), 'http://x').pathname} ${options?.body ?? ''}`)
    return json({ hooks: [], plugins: [], faults: [] })
  })
  await signIn('dork_test')
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root') ?? document.body)
})

afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
})

const scopes = ['read', 'admin']
const currentToken = {
  token: { id: 'tok_12345678', name: 'x', principal: 'owner', scopes, created_at: at, kind: 'browser' },
  scopes,
}

/** Asked about tool calls, and not allowed yet. */
const deciding: Hook = {
  ...{ event: 'PreToolUse', kind: 'command', runs: 'guard', source: 'user', digest: 'd'.repeat(64) },
  ...{ decides: true, can_allow: true, state: 'waits' },
}

function show(hook: Hook): string {
  const queries = new QueryClient()
  act(() =>
    root.render(
      <QueryClientProvider client={queries}>
        <HookItem hook={hook} workspaceId="ws_12345678" />
      </QueryClientProvider>,
    ),
  )
  return document.body.textContent ?? ''
}

const buttons = (label: string) =>
  [...document.querySelectorAll('button')].filter((one) => one.textContent === label)
const click = (button: HTMLButtonElement | undefined) => act(async () => button?.click())
const consent = (grant: 'run' | 'allow') => ({ grant, principal: 'owner', at })

it('lets a hook refuse calls by one click, with the digest that was shown', async () => {
  show(deciding)
  await click(buttons(words.refuse)[0])
  expect(sent).toEqual([
    `POST /api/workspaces/ws_12345678/hooks/consents {"digest":"${deciding.digest}","grant":"run"}`,
  ])
})

it('lets it allow calls only after a question that says what this means', async () => {
  show(deciding)
  await click(buttons(words.allowCalls)[0])
  expect(document.body.textContent).toContain(words.allowCallsTitle)
  expect(document.body.textContent).toContain(words.allowCallsMessage)
  await click(buttons(text.ui.cancel)[0])
  expect(document.body.textContent).not.toContain(words.allowCallsTitle)
  expect(sent).toEqual([])
  await click(buttons(words.allowCalls)[0])
  await click(buttons(words.allowCalls)[1])
  expect(sent).toEqual([
    `POST /api/workspaces/ws_12345678/hooks/consents {"digest":"${deciding.digest}","grant":"allow"}`,
  ])
})

it('offers that for no hook whose word would not count, and says why', () => {
  const { can_allow: _, ...conditional } = { ...deciding, condition: 'Bash(git *)' }
  expect(show(conditional)).toContain(words.onlyRefuses)
  expect(buttons(words.refuse)).toHaveLength(1)
  expect(buttons(words.allowCalls)).toEqual([])
  show({ ...conditional, background: true })
  expect(buttons(words.allow)).toHaveLength(1)
  expect([...buttons(words.refuse), ...buttons(words.allowCalls)]).toEqual([])
})

it('says what it was allowed, and no more than is true', () => {
  const runs: Hook = { ...deciding, state: 'runs' }
  expect(show({ ...runs, consent: consent('run') })).toContain(words.mayRefuse)
  expect(buttons(words.allowCalls)).toHaveLength(1)
  expect(show({ ...runs, consent: consent('allow') })).toContain(words.mayAllow)
  expect(buttons(words.allowCalls)).toEqual([])
  const { can_allow: _, ...conditional } = { ...runs, consent: consent('allow') }
  expect(show(conditional)).toContain(words.mayRefuse)
  expect(document.body.textContent).not.toContain(words.mayAllow)
})
