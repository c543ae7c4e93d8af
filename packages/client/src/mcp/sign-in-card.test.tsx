import type { McpServer, McpSignInStep } from '@dorkos/shared'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { signIn } from '../auth/auth-store.ts'
import { text } from '../text/page-text.ts'
import { SignInCard } from './sign-in-card.tsx'
import { sendSignInFailed } from './sign-in-news.ts'

const words = text.mcp.signIn
const time = '2026-11-15T10:00:00.000Z'
const server = { name: 'notes', use: 'active', can_sign_in: true } as McpServer
const url = 'https://accounts.example.com/?state=s1'
const inTenMinutes = () => new Date(Date.now() + 600_000).toISOString()

const opens = (expires_at: string): McpSignInStep => ({
  step: 'open',
  url,
  host: 'accounts.example.com',
  token_host: 'accounts.example.com',
  expires_at,
})

let root: Root
let sent: unknown[]
let answer: McpSignInStep

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  sent = []
  answer = opens(inTenMinutes())
})

afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
})

async function show(scopes = ['read', 'admin']): Promise<void> {
  const token = {
    id: 'tok_12345678',
    name: 'x',
    principal: 'owner',
    scopes,
    created_at: time,
    kind: 'browser',
  }
  vi.stubGlobal('fetch', async (_: unknown, options?: RequestInit) => {
    const begins = options?.method === 'POST'
    if (begins) sent.push(JSON.parse(String(options.body)))
    return new Response(JSON.stringify(begins ? answer : { token, scopes }), {
      headers: { 'content-type': 'application/json' },
    })
  })
  await signIn('dork_test')
  document.body.innerHTML = '<input id="elsewhere"><div id="root"></div>'
  root = createRoot(document.getElementById('root') ?? document.body)
  await act(async () => root.render(<SignInCard server={server} workspaceId="ws_12345678" />))
}

const shown = () => document.body.textContent ?? ''
const buttons = () => [...document.querySelectorAll('button')]
const press = (label: string) =>
  act(async () =>
    buttons()
      .find((one) => one.textContent === label)
      ?.click(),
  )

it('begins when it is asked to, and shows where it leads before anything is opened', async () => {
  const open = vi.fn()
  vi.stubGlobal('open', open)
  await show()
  expect(sent).toEqual([])
  await press(words.begin)
  expect(sent).toEqual([{ workspace_id: 'ws_12345678', redirect_uri: `${location.origin}/mcp-sign-in` }])
  expect(shown()).toContain(words.opens('accounts.example.com'))
  const link = document.querySelector('a')
  expect([link?.href, link?.target, link?.rel]).toEqual([url, '_blank', 'noopener noreferrer'])
  expect(open).not.toHaveBeenCalled()
  await press(text.ui.cancel)
  expect(shown()).toContain(words.wanted('notes'))
})

it('has no way to where what is granted goes to somebody else, before a person has agreed to that', async () => {
  answer = { ...opens(inTenMinutes()), token_host: 'evil.example' } as McpSignInStep
  await show()
  await press(words.begin)
  expect(shown()).toContain(words.granted.warning('accounts.example.com', 'evil.example'))
  expect(document.querySelector('a')).toBeNull()
  const box = document.querySelector<HTMLInputElement>('input[type=checkbox]')
  await act(async () => box?.click())
  expect(document.querySelector('a')?.href).toBe(url)
  await act(async () => box?.click())
  expect(document.querySelector('a')).toBeNull()
})

it('sends the issuer that it showed together with a program that was registered there', async () => {
  answer = { step: 'needs_client', host: 'accounts.example.com', issuer: 'https://accounts.example.com' }
  await show()
  await press(words.begin)
  const id = document.querySelector<HTMLInputElement>('form input')
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(id, 'the-id')
    id?.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await press(words.client.submit)
  expect(sent.at(-1)).toMatchObject({ client_id: 'the-id', issuer: 'https://accounts.example.com' })
})

it('does not lead where it is not safe', async () => {
  answer = { ...opens(inTenMinutes()), url: 'javascript:alert(1)' } as McpSignInStep
  await show()
  await press(words.begin)
  expect(shown()).toContain(words.notSafe)
  expect(document.querySelector('a')).toBeNull()
})

it('begins anew when the time is over, or when another tab says that it failed', async () => {
  answer = opens(time)
  vi.setSystemTime('2026-11-15T10:00:01.000Z')
  await show()
  await press(words.begin)
  vi.useRealTimers()
  expect(shown()).toContain(words.expired)
  expect(document.querySelector('a')).toBeNull()

  answer = opens(inTenMinutes())
  await press(words.begin)
  expect(document.querySelector('a')).not.toBeNull()
  sendSignInFailed({ state: 'another', fault: 'Not this one.' })
  sendSignInFailed({ state: 's1', fault: 'You said no.' })
  await vi.waitFor(async () => {
    await act(async () => undefined)
    expect(shown()).toContain('You said no.')
  }, 20_000)
  expect(shown()).not.toContain('Not this one.')
  expect(buttons().map((one) => one.textContent)).toEqual([words.begin])
})

it('leaves the focus with whoever went on meanwhile', async () => {
  await show()
  const elsewhere = document.getElementById('elsewhere')
  const begin = buttons().find((one) => one.textContent === words.begin)
  begin?.focus()
  await act(async () => {
    begin?.click()
    elsewhere?.focus()
  })
  expect(document.querySelector('a')).not.toBeNull()
  expect(document.activeElement).toBe(elsewhere)
})

it('says to who may not that somebody else must', async () => {
  await show(['read', 'chat'])
  expect(shown()).toContain(words.notAdmin)
  expect(buttons()).toEqual([])
})
