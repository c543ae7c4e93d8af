import type { McpServer } from '@dorkos/shared'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { signIn } from '../auth/auth-store.ts'
import { text } from '../text/page-text.ts'
import { ServerSharing } from './server-sharing.tsx'

const words = text.mcp.sharing
const time = '2026-11-15T10:00:00.000Z'

let root: Root
let sent: { url: string; body: unknown }[]

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  sent = []
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function show(sharing: McpServer['sharing'], scopes = ['read', 'admin']): Promise<void> {
  const server = {
    name: 'browser',
    source: { scope: 'user', file: '/home/ada/.claude.json', line: 3 },
    entry: { type: 'stdio', command: 'npx' },
    use: 'active',
    held_tools: 0,
    ...(sharing && { sharing }),
  } as McpServer
  const token = {
    id: 'tok_12345678',
    name: 'x',
    principal: 'owner',
    scopes,
    created_at: time,
    kind: 'browser',
  }
  vi.stubGlobal('fetch', async (url: string, options?: RequestInit) => {
    const isChange = options?.method === 'POST'
    if (isChange) sent.push({ url: String(url), body: JSON.parse(String(options.body)) })
    return Response.json(isChange ? server : { token, scopes })
  })
  await signIn('dork_test')
  const drawn = <ServerSharing server={server} workspaceId="ws_12345678" />
  await act(async () =>
    root.render(<QueryClientProvider client={new QueryClient()}>{drawn}</QueryClientProvider>),
  )
}

const select = () => document.querySelector('select') ?? expect.fail('there is no choice')
const choose = (value: string) =>
  act(async () => {
    select().value = value
    select().dispatchEvent(new Event('change', { bubbles: true }))
  })

it('says what automatic has decided, and why, in words that belong to the choice', async () => {
  await show({ choice: 'auto', mode: 'session', why: 'unknown' })
  expect(select().value).toBe('auto')
  const hint = document.getElementById(select().getAttribute('aria-describedby') ?? '')
  expect(hint?.textContent).toBe(`${words.modes.session} ${words.why.unknown}`)
  expect(document.querySelector(`label[for="${select().id}"]`)?.textContent).toBe(words.title)
})

it('sends what a person chooses, for this workspace', async () => {
  await show({ choice: 'auto', mode: 'session', why: 'unknown' })
  await choose('shared')
  expect(sent).toEqual([
    {
      url: expect.stringMatching(/\/api\/mcp\/servers\/browser\/sharing$/),
      body: { workspace_id: 'ws_12345678', sharing: 'shared' },
    },
  ])
})

it('is to look at only for who may not administer', async () => {
  await show({ choice: 'shared', mode: 'shared', why: 'chosen' }, ['read'])
  expect(document.querySelector('select')).toBeNull()
  expect(document.querySelector('output')?.textContent).toBe(text.mcp.sharing.choices.shared)
})

it('is not there for a server that DorkOS does not run, or that runs its own tools', async () => {
  await show(undefined)
  expect(document.querySelector('select')).toBeNull()
})
