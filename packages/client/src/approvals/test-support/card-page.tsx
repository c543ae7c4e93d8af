import type { Approval, ApprovalAnswer } from '@dorkos/shared'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { authState, checkAuth } from '../../auth/auth-store.ts'
import { live } from '../../live/live.ts'
import { ApprovalCard } from '../approval-card.tsx'
import { armingMs } from '../arming.ts'
import { sampleApproval } from './sample-approval.ts'

/** The server, as far as the cards need it: what it is asked is kept, and each answer settles its approval. */
interface Asked {
  path: string
  body: unknown
}

export let asked: Asked[] = []
type Reply = (id: string, answer: ApprovalAnswer) => Response | Promise<Response>
let reply: Reply
let scopes: string[]
let root: Root
let holder: HTMLElement
let known: Approval[] = []
let count = 0
const queries = new QueryClient()

/** The server answers the next answers like this. */
export function replyWith(next: Reply): void {
  reply = next
}

/** What the device that looks may do. */
export function mayDo(...next: string[]): void {
  scopes = next
}

/** As after a reload: nothing of what was drawn is left. */
export async function reload(): Promise<void> {
  await act(async () => root.unmount())
  root = createRoot(holder)
}

export const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
const decided = (approval: Approval, state: Approval['state']) =>
  json({
    ...approval,
    state,
    decided_at: '2026-01-01T10:00:00.000Z',
    decided_by: { kind: 'person', token_name: 'Laptop' },
  })

/** To be called once in a test file: a page with cards, and a server that takes their answers. */
export function withCardPage(): void {
  beforeEach(setUp)
  afterEach(takeDown)
}

function setUp(): void {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
  // Time passes when a test says so: cards take no answer that allows in their first moments.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  asked = []
  known = []
  scopes = ['read', 'chat', 'approve']
  sessionStorage.clear()
  localStorage.setItem('dorkos.token', 'secret')
  reply = (id, { decision }) => {
    const approval = known.find((one) => one.id === id) ?? expect.fail(`no approval ${id}`)
    return decided(approval, decision === 'allow' ? 'allowed' : 'denied')
  }
  vi.stubGlobal('fetch', async (address: string, { body }: RequestInit = {}) => {
    const { pathname } = new URL(address, 'http://localhost')
    const id = /^\/api\/approvals\/(.+)\/answer$/.exec(pathname)?.[1]
    if (id !== undefined) {
      const answer = JSON.parse(String(body)) as ApprovalAnswer
      asked.push({ path: id, body: answer })
      return reply(id, answer)
    }
    if (pathname === '/api/auth/me') return json({ token: token(), scopes })
    return json({ workspaces: [], approvals: [] })
  })
  holder = document.body.appendChild(document.createElement('div'))
  root = createRoot(holder)
}

function token() {
  return {
    id: 'tok_00000001',
    name: 'Laptop',
    principal: 'owner',
    kind: 'browser',
    scopes,
    created_at: '2026-01-01T00:00:00.000Z',
  }
}

async function takeDown(): Promise<void> {
  await act(async () => root.unmount())
  holder.remove()
  live.store.reset()
  vi.unstubAllGlobals()
  vi.useRealTimers()
}

/** Each test has approvals of its own: what was answered stays answered. */
export function fresh(change: Partial<Approval> = {}): Approval {
  const approval = sampleApproval({
    id: `appr_${String(++count).padStart(8, '0')}`,
    deadline: '2999-01-01T00:00:00.000Z',
    ...change,
  })
  known.push(approval)
  return approval
}

/** Until what is shown by now may be allowed. */
export const settle = () => act(async () => vi.advanceTimersByTime(armingMs))

export async function draw(...approvals: Approval[]) {
  await drawNew(...approvals)
  await settle()
}

/** As they just came up. */
export async function drawNew(...approvals: Approval[]) {
  await show(
    <>
      <textarea aria-label="composer" />
      {approvals.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} />
      ))}
    </>,
    approvals,
  )
}

/** Another screen, with what waits. */
export async function show(screen: ReactNode, approvals: Approval[]) {
  await act(checkAuth)
  expect(authState().state).toBe('signed-in')
  await act(async () => {
    live.store.apply({ frame: 'server_snapshot', snapshot: { approvals: [...approvals], sessions: [] } })
    live.store.flush()
    root.render(<QueryClientProvider client={queries}>{screen}</QueryClientProvider>)
  })
}

export const cards = () => [...holder.querySelectorAll<HTMLElement>('[data-approval]')]
export const card = () => cards()[0] ?? expect.fail('no card')
export const composer = () => holder.querySelector('textarea') ?? expect.fail('no composer')
export const button = (name: string, inside: ParentNode = holder) =>
  [...inside.querySelectorAll('button')].find((one) => one.textContent?.trim().startsWith(name)) ??
  expect.fail(`no button ${name}`)
export const press = (element: Element, key: string, more: KeyboardEventInit = {}) =>
  act(async () => {
    element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))
  })
/** As by the keyboard, which has no place. */
export const click = (element: HTMLElement) => act(async () => element.click())
export const focus = (element: HTMLElement) => act(async () => element.focus())
/** By a finger; `times`: as its browser counts taps at one place. */
export const tap = (element: HTMLElement, times = 1) =>
  act(async () => {
    element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: times }))
  })
export const type = (field: Element, value: string) =>
  act(async () => {
    const prototype =
      field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
export const answers = () => asked.map(({ body }) => body)
