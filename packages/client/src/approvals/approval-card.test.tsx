// @vitest-environment happy-dom
import type { Approval, ApprovalAnswer } from '@dorkos/shared'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { authState, checkAuth } from '../auth/auth-store.ts'
import { live } from '../live/live.ts'
import { text } from '../text/text.ts'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { ApprovalCard } from './approval-card.tsx'
import { sampleApproval } from './test-support/sample-approval.ts'

/** The server, as far as the cards need it: what it is asked is kept, and each answer settles its approval. */
interface Asked {
  path: string
  body: unknown
}

let asked: Asked[] = []
let reply: (id: string, answer: ApprovalAnswer) => Response | Promise<Response>
let scopes: string[]
let root: Root
let holder: HTMLElement
let known: Approval[] = []
let count = 0

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
const decided = (approval: Approval, state: Approval['state']) =>
  json({
    ...approval,
    state,
    decided_at: '2026-01-01T10:00:00.000Z',
    decided_by: { kind: 'person', token_name: 'Laptop' },
  })

beforeEach(async () => {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
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
})

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

afterEach(async () => {
  await act(async () => root.unmount())
  holder.remove()
  live.store.reset()
  vi.unstubAllGlobals()
})

/** Each test has approvals of its own: what was answered stays answered. */
function fresh(change: Partial<Approval> = {}): Approval {
  const approval = sampleApproval({
    id: `appr_${String(++count).padStart(8, '0')}`,
    deadline: '2999-01-01T00:00:00.000Z',
    ...change,
  })
  known.push(approval)
  return approval
}

async function draw(...approvals: Approval[]) {
  await checkAuth()
  expect(authState().state).toBe('signed-in')
  live.store.apply({ frame: 'server_snapshot', snapshot: { approvals: [...approvals], sessions: [] } })
  live.store.flush()
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <TooltipProvider>
          <textarea aria-label="composer" />
          {approvals.map((approval) => (
            <ApprovalCard key={approval.id} approval={approval} />
          ))}
        </TooltipProvider>
      </QueryClientProvider>,
    ),
  )
}

const cards = () => [...holder.querySelectorAll<HTMLElement>('[data-approval]')]
const card = () => cards()[0] ?? expect.fail('no card')
const composer = () => holder.querySelector('textarea') ?? expect.fail('no composer')
const button = (name: string, inside: ParentNode = holder) =>
  [...inside.querySelectorAll('button')].find((one) => one.textContent?.trim().startsWith(name)) ??
  expect.fail(`no button ${name}`)
const press = (element: Element, key: string, more: KeyboardEventInit = {}) =>
  act(async () => {
    element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))
  })
const click = (element: HTMLElement) => act(async () => element.click())
const type = (field: Element, value: string) =>
  act(async () => {
    const prototype =
      field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
const answers = () => asked.map(({ body }) => body)

describe('the card of a tool call', () => {
  it.each<[string, unknown]>([
    ['a', { decision: 'allow', scope: 'once' }],
    ['Enter', { decision: 'allow', scope: 'once' }],
    ['s', { decision: 'allow', scope: 'session' }],
    ['d', { decision: 'deny' }],
  ])('answers to the key %s, once', async (key, answer) => {
    await draw(fresh())
    card().focus()
    await press(card(), key)
    await press(card(), key)
    expect(answers()).toEqual([answer])
    expect(card().textContent).toContain('by Laptop')
    // Who answered by keyboard keeps the place.
    expect(document.activeElement).toBe(card())
  })

  it('never takes the focus, and leaves the keys of others alone', async () => {
    await draw()
    composer().focus()
    await draw(
      fresh(),
      fresh({ kind: 'question', input: { questions: [{ question: 'Which?', options: ['x'] }] } }),
    )
    expect(cards()).toHaveLength(2)
    expect(document.activeElement).toBe(composer())
    for (const key of ['a', 'd', 's', 'e', 'Enter', '1']) await press(composer(), key)
    expect(answers()).toEqual([])
    expect(document.activeElement).toBe(composer())
  })

  it('does not take the second key of a shortcut for an answer', async () => {
    await draw(fresh())
    card().focus()
    await press(card(), 'g')
    await press(card(), 'a')
    expect(answers()).toEqual([])
  })

  it('runs an edited input, and keeps the edit over a reload', async () => {
    const approval = fresh({ input: { command: 'rm -rf build', timeout: 5 } })
    await draw(approval)
    card().focus()
    await press(card(), 'e')
    const field = () => card().querySelector('textarea') ?? expect.fail('no field')
    expect(document.activeElement).toBe(field())
    await type(field(), 'rm -rf ./build')
    // Letters in the field are letters.
    await press(field(), 'a')
    await press(field(), 'd')
    expect(answers()).toEqual([])
    await act(async () => root.unmount())
    root = createRoot(holder)
    await draw(approval)
    await click(button('Edit', card()))
    expect(field().value).toBe('rm -rf ./build')
    await click(button(text.approvals.edit.allow))
    expect(answers()).toEqual([
      { decision: 'allow', scope: 'once', updated_input: { command: 'rm -rf ./build', timeout: 5 } },
    ])
    expect(sessionStorage.length).toBe(0)
  })

  it('shows the rule before it makes one', async () => {
    await draw(fresh({ proposed_rule: { tool: 'Bash', match: 'the very command', scope: 'workspace' } }))
    await click(button('Always allow'))
    expect(answers()).toEqual([])
    expect(card().textContent).toContain('the very command')
    await click(button(text.approvals.always.confirm))
    expect(answers()).toEqual([{ decision: 'allow', scope: 'always' }])
  })

  it('stays open when the answer got lost, and sends the same again', async () => {
    const approval = fresh()
    await draw(approval)
    reply = () => Promise.reject(new TypeError('cut'))
    await click(button('Allow once'))
    expect(card().textContent).toContain('did not arrive')
    const details = {
      id: approval.id,
      state: 'denied',
      decided_at: '2026-01-01T10:00:00.000Z',
      decided_by: { kind: 'person', token_name: 'Phone' },
    }
    reply = () => json({ error: { code: 'already_answered', message: 'late', details } }, 409)
    await click(button(text.approvals.card.retry))
    expect(answers()).toEqual([
      { decision: 'allow', scope: 'once' },
      { decision: 'allow', scope: 'once' },
    ])
    expect(card().textContent).toContain('Denied')
    expect(card().textContent).toContain('by Phone')
    expect(card().querySelector('button')).toBeNull()
  })

  it('says why this device cannot answer', async () => {
    scopes = ['read']
    await draw(fresh())
    expect(card().textContent).toContain(text.approvals.card.noScope)
    expect(button('Allow once').disabled).toBe(true)
    card().focus()
    await press(card(), 'a')
    expect(answers()).toEqual([])
  })

  it('shows how it ended elsewhere', async () => {
    await draw(
      fresh({ state: 'void', message: 'The session was closed.', decided_at: '2026-01-01T10:00:00.000Z' }),
    )
    expect(card().textContent).toContain('No longer needed')
    expect(card().textContent).toContain('The session was closed.')
    expect(card().querySelector('button')).toBeNull()
  })
})

describe('several calls at once', () => {
  it('are listed before they are allowed together', async () => {
    const all = [fresh({ input: { command: 'one' } }), fresh({ input: { command: 'two' } })]
    await draw(...all, fresh({ session_id: '22222222-2222-4222-8222-222222222222' }))
    await click(button(text.approvals.batch.allowAll(2)))
    expect(answers()).toEqual([])
    await click(button(text.approvals.batch.confirmAllow(2)))
    expect(asked.map(({ path }) => path)).toEqual(all.map(({ id }) => id))
    expect(cards().map((one) => one.textContent?.includes('by Laptop'))).toEqual([true, true, false])
  })
})

describe('a question', () => {
  const questions = [
    { question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] },
    { question: 'Which sizes?', multiSelect: true, options: [{ label: 'S' }, { label: 'L' }] },
  ]

  it('is answered by number keys, and the draft outlives a reload', async () => {
    const approval = fresh({ kind: 'question', tool: 'AskUserQuestion', input: { questions } })
    await draw(approval)
    card().focus()
    await press(card(), '2')
    await press(card(), '1')
    await act(async () => root.unmount())
    root = createRoot(holder)
    await draw(approval)
    card().focus()
    expect([...card().querySelectorAll('input:checked')]).toHaveLength(2)
    await press(card(), 'Enter', { ctrlKey: true })
    expect(answers()).toEqual([
      { decision: 'allow', scope: 'once', answers: { 'Which colour?': 'Blue', 'Which sizes?': ['S'] } },
    ])
  })

  it('can be declined with words', async () => {
    await draw(fresh({ kind: 'question', tool: 'AskUserQuestion', input: { questions } }))
    await click(button(text.approvals.question.decline))
    await type(card().querySelector('textarea') ?? expect.fail('no field'), 'Decide it yourself.')
    await click(button(text.approvals.question.declineSend))
    expect(answers()).toEqual([{ decision: 'deny', message: 'Decide it yourself.' }])
  })
})

describe('a plan', () => {
  it('is approved with the mode to go on in, or sent back', async () => {
    const plan = () => fresh({ kind: 'plan', tool: 'ExitPlanMode', input: { plan: '# The plan' } })
    await draw(plan(), plan())
    const [first, second] = cards() as [HTMLElement, HTMLElement]
    await click(button(text.approvals.plan.approveEdits, first))
    await click(button(text.approvals.plan.keepPlanning, second))
    await type(second.querySelector('textarea') ?? expect.fail('no field'), 'Smaller.')
    await click(button(text.approvals.plan.sendFeedback, second))
    expect(answers()).toEqual([
      { decision: 'allow', scope: 'once', permission_mode: 'acceptEdits' },
      { decision: 'deny', message: 'Smaller.' },
    ])
  })
})

describe('a form of an MCP server', () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer' } },
    required: ['name'],
  }

  it('is sent when it is right', async () => {
    await draw(
      fresh({ kind: 'elicitation', tool: 'elicitation', input: { server: 'crm', message: 'Who?', schema } }),
    )
    await click(button(text.approvals.form.send))
    expect(answers()).toEqual([])
    expect(card().textContent).toContain(text.approvals.form.faults.required)
    const [name, age] = [...card().querySelectorAll('input')] as [HTMLInputElement, HTMLInputElement]
    await type(name, 'Ann')
    await type(age, '41')
    await click(button(text.approvals.form.send))
    expect(answers()).toEqual([{ decision: 'allow', scope: 'once', answers: { name: 'Ann', age: 41 } }])
  })

  it('that wants a page opened shows where it leads, and opens no other scheme', async () => {
    const page = (url: string) =>
      fresh({ kind: 'elicitation', tool: 'elicitation', input: { server: 'crm', message: '', url } })
    await draw(page('https://login.example.org/x'), page('javascript:alert(1)'))
    const [good, bad] = cards() as [HTMLElement, HTMLElement]
    expect(good.querySelector('a')?.getAttribute('href')).toBe('https://login.example.org/x')
    expect(bad.querySelector('a')).toBeNull()
    await click(button(text.approvals.form.decline, bad))
    expect(answers()).toEqual([{ decision: 'deny' }])
  })
})
