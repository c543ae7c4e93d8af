import { type Scope, type Session, scopes, type Turn } from '@dorkos/shared'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signIn } from '../auth/auth-store.ts'
import type { PageSession } from '../live/page-session.ts'
import { emptySession } from '../live/reduce-session.ts'
import { sampleSession } from '../sessions/sample-session.ts'
import { Toasts } from '../ui/toast.tsx'
import { Composer } from './composer.tsx'
import { clearDraft, messageDraftOf } from './drafts.ts'
import { pageOutbox } from './outbox-store.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const id = '4f0b1c1e-8a51-4c43-9e0e-0d3a3f0f6a11'
const time = '2026-01-01T00:00:00.000Z'
const session = sampleSession({ id, cwd: '/work' })

type Answer = { status: number; body: unknown } | 'no-network'
let asked: { method: string; path: string; body: unknown; key: string | undefined }[]
let answers: Record<string, Answer>
let root: Root
/** Answers come once this is settled. */
let held: Promise<void>

function answerTo(path: string, init: RequestInit): Promise<Response> {
  const method = init.method ?? 'GET'
  const key = (init.headers as Record<string, string>)['idempotency-key']
  asked.push({ method, path, body: init.body ? JSON.parse(String(init.body)) : undefined, key })
  const answer = answers[`${method} ${path}`]
  if (answer === undefined || answer === 'no-network') return Promise.reject(new TypeError('no network'))
  return held.then(() => new Response(JSON.stringify(answer.body), { status: answer.status }))
}

async function signInWith(granted: readonly Scope[]): Promise<void> {
  const token = {
    id: 'tok_12345678',
    name: 't',
    scopes: granted,
    principal: 'owner',
    kind: 'browser',
    created_at: time,
  }
  answers['GET /api/auth/me'] = { status: 200, body: { token, scopes: granted } }
  await act(() => signIn('secret'))
}

beforeEach(async () => {
  asked = []
  answers = {}
  held = Promise.resolve()
  vi.stubGlobal('fetch', answerTo)
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root') as HTMLElement)
  await signInWith(scopes)
})

afterEach(async () => {
  await act(() => root.unmount())
  clearDraft(id)
  vi.unstubAllGlobals()
})

async function show(change: Partial<PageSession> = {}, of: Partial<Session> = {}): Promise<void> {
  const state: PageSession = {
    ...emptySession(id),
    phase: 'ready',
    session: { ...session, ...of },
    ...change,
  }
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  await act(() =>
    root.render(
      <QueryClientProvider client={queries}>
        <Composer sessionId={id} state={state} onSent={onSent} />
        <Toasts />
      </QueryClientProvider>,
    ),
  )
}

const turn = (turnId: string, content: string): Turn => ({
  id: turnId,
  session_id: id,
  cause: 'message',
  state: 'queued',
  content,
  principal: 'owner',
  created_at: time,
})

function box(): HTMLTextAreaElement {
  const found = document.querySelector<HTMLTextAreaElement>('[data-message-editor]')
  if (!found) throw new Error('no text box')
  return found
}

async function type(value: string): Promise<void> {
  await act(() => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(box(), value)
    box().dispatchEvent(new Event('input', { bubbles: true }))
  })
}

async function press(key: string, more: KeyboardEventInit = {}): Promise<void> {
  await act(async () => {
    box().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))
  })
}

async function click(name: string): Promise<void> {
  const button = [...document.querySelectorAll('button')].find(
    (one) => one.textContent === name || one.getAttribute('aria-label') === name,
  )
  if (!button) throw new Error(`no button ${name}`)
  await act(async () => button.click())
}

const onSent = vi.fn()
const sends = () => asked.filter(({ path }) => path === `/api/sessions/${id}/messages`)
const words = () => document.body.textContent ?? ''
const messageId = 'a1b6f3f0-6b0e-4a39-a0a6-6b2f0f6f9f01'

test('a message without an answer stays in sight, and goes again with the same key', async () => {
  await show()
  answers[`POST /api/sessions/${id}/messages`] = 'no-network'
  await type('hello')
  await press('Enter')
  expect(box().value).toBe('')
  await vi.waitFor(() => expect(words()).toContain('Can’t reach the server'), 20_000)
  answers[`POST /api/sessions/${id}/messages`] = { status: 202, body: { turn: turn(messageId, 'hello') } }
  await click('Try again')
  await vi.waitFor(() => expect(words()).not.toContain('Can’t reach the server'), 20_000)
  expect(sends().map(({ body }) => body)).toEqual(Array(2).fill({ content: 'hello', delivery: 'queue' }))
  expect(new Set(sends().map(({ key }) => key)).size).toBe(1)
  // Once the conversation has shown it, it is no business of the outbox any more, even if it is taken back.
  expect(pageOutbox().get()).toHaveLength(1)
  await show({ queue: [turn(messageId, 'hello')] })
  expect(pageOutbox().get()).toEqual([])
})

test('a refused message can be edited: it comes back before what is being typed', async () => {
  await show()
  const error = { code: 'budget_reached', message: 'The budget is used up.' }
  answers[`POST /api/sessions/${id}/messages`] = { status: 402, body: { error } }
  await type('first')
  await press('Enter')
  await vi.waitFor(() => expect(words()).toContain('Not sent: The budget is used up.'), 20_000)
  await type('second')
  await click('Edit')
  expect(box().value).toBe('first\n\nsecond')
  expect(words()).not.toContain('Not sent')
})

test('while a turn runs Enter queues, and Ctrl+Enter puts the message into it', async () => {
  await show({ turn: { id: messageId, startedAt: time } }, { state: 'working' })
  answers[`POST /api/sessions/${id}/messages`] = { status: 202, body: { turn: turn(messageId, 'x') } }
  await type('later')
  expect(words()).toContain('Queue')
  await press('Enter')
  await type('now')
  await press('Enter', { ctrlKey: true })
  await vi.waitFor(() => expect(sends()).toHaveLength(2), 20_000)
  expect(sends().map(({ body }) => body)).toEqual([
    { content: 'later', delivery: 'queue' },
    { content: 'now', delivery: 'steer' },
  ])
})

test('a waiting message is edited in place; one that has begun meanwhile is reported kindly', async () => {
  await show({ queue: [turn(messageId, 'old words')], turn: { id: 'other', startedAt: time } })
  const error = { code: 'conflict', message: 'This message is no longer queued.' }
  answers[`PATCH /api/sessions/${id}/messages/${messageId}`] = { status: 409, body: { error } }
  // The list is loaded when it is needed.
  await act(async () => void (await import('./queue-list.tsx')))
  await vi.waitFor(() => expect(words()).toContain('old words'), 20_000)
  await click('Edit')
  await click('Save')
  await vi.waitFor(() => expect(asked.some(({ method }) => method === 'PATCH')).toBe(true), 20_000)
  await vi.waitFor(() => expect(words()).toContain('already started on this message'), 20_000)
  // What was typed is still there.
  expect(document.querySelector<HTMLTextAreaElement>('section textarea')?.value).toBe('old words')
})

test('a mode is shown at once and taken back when the server refuses', async () => {
  await show()
  const error = { code: 'agent_failed', message: 'No.' }
  answers[`PATCH /api/sessions/${id}`] = { status: 502, body: { error } }
  const mode = () => document.querySelector('[aria-label^="Permission mode"]')?.getAttribute('aria-label')
  let release = () => {}
  held = new Promise((resolve) => {
    release = resolve
  })
  await act(() => {
    box().dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Tab', shiftKey: true, bubbles: true, cancelable: true }),
    )
  })
  expect(mode()).toBe('Permission mode: Accept edits')
  expect(asked.at(-1)?.body).toEqual({ permission_mode: 'acceptEdits' })
  release()
  await act(() => vi.waitFor(() => expect(mode()).toBe('Permission mode: Ask first'), 20_000))
})

test('in use in a terminal: nothing can be typed, and a fork takes the draft along', async () => {
  await show()
  await type('unfinished')
  await show({}, { in_use_elsewhere: true })
  expect(box().disabled).toBe(true)
  const fork = { ...session, id: '7d0b1c1e-8a51-4c43-9e0e-0d3a3f0f6a12' }
  answers[`POST /api/sessions/${id}/fork`] = { status: 201, body: fork }
  await click('Fork')
  await vi.waitFor(() => expect(location.pathname).toBe(`/sessions/${fork.id}`), 20_000)
  expect(messageDraftOf(fork.id).text).toBe('unfinished')
  expect(messageDraftOf(id).text).toBe('')
})

test('bypass is loud', async () => {
  await show({}, { permission_mode: 'bypassPermissions' })
  expect(words()).toContain('Bypass: runs almost everything without asking')
})

test('without the right to chat there is nothing to type into', async () => {
  await signInWith(['read'])
  await show()
  expect(document.querySelector('textarea')).toBeNull()
  expect(words()).toContain('You can view')
})

test('a message takes its session out of the archive, and is reported to who shows the end', async () => {
  answers[`POST /api/sessions/${id}/messages`] = { status: 202, body: { turn: turn('t', 'Hello') } }
  onSent.mockClear()
  await show({}, { archived: true })
  await type('Hello')
  await press('Enter')
  expect(onSent).toHaveBeenCalledOnce()
  expect(asked).toContainEqual(
    expect.objectContaining({ method: 'PATCH', path: `/api/sessions/${id}`, body: { archived: false } }),
  )
})

test('a process is made ready for a session that is open here, and for none of a terminal or of the archive', async () => {
  const prepared = () => asked.filter(({ path }) => path === `/api/sessions/${id}/prepare`)
  vi.useFakeTimers()
  try {
    await show({}, { archived: true })
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    await show({}, { origin: 'terminal' })
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    expect(prepared()).toEqual([])
    await show()
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    expect(prepared()).toHaveLength(1)
  } finally {
    vi.useRealTimers()
  }
})
