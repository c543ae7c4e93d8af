import { describe, expect, it, vi } from 'vitest'
import { text } from '../text/card-text.ts'
import { armingMs } from './arming.ts'
import {
  answers,
  asked,
  button,
  card,
  cards,
  click,
  composer,
  draw,
  fresh,
  json,
  mayDo,
  press,
  reload,
  replyWith,
  settle,
  tap,
  type,
  withCardPage,
} from './test-support/card-page.tsx'

withCardPage()

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

  it('keeps the focus of who pressed one of its buttons, and of nobody else', async () => {
    await draw(fresh(), fresh())
    const [first, second] = cards() as [HTMLElement, HTMLElement]
    button('Allow once', first).focus()
    await click(button('Allow once', first))
    expect(document.activeElement).toBe(first)
    composer().focus()
    await click(button('Allow once', second))
    expect(document.activeElement).toBe(composer())
  })

  it('leads one who answers by keys to the next open card, then to where one writes', async () => {
    await draw(fresh(), fresh())
    composer().dataset.messageEditor = ''
    const [first, second] = cards() as [HTMLElement, HTMLElement]
    second.scrollIntoView = () => {}
    first.focus()
    await press(first, 'a')
    expect(document.activeElement).toBe(second)
    // The second press of two was meant for the first card.
    await press(second, 'a')
    expect(answers()).toHaveLength(1)
    const later = performance.now() + armingMs
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later)
    await press(second, 'a')
    clock.mockRestore()
    expect(answers()).toHaveLength(2)
    expect(document.activeElement).toBe(composer())
  })

  it('leads on also when the card goes with its answer, and not when it goes without one', async () => {
    const [one, other] = [fresh(), fresh()]
    await draw(one)
    composer().dataset.messageEditor = ''
    replyWith(() => new Promise(() => {}))
    card().focus()
    await press(card(), 'a')
    await draw()
    expect(document.activeElement).toBe(composer())
    composer().blur()
    await draw(other)
    card().focus()
    await press(card(), 'x')
    await draw()
    expect(document.activeElement).toBe(document.body)
  })

  it('allows nothing but the edited call while it is edited', async () => {
    await draw(fresh({ input: { command: 'ls' } }))
    card().focus()
    await press(card(), 'e')
    expect(button('Allow once').disabled).toBe(true)
    await press(button('Cancel'), 'a')
    await press(button('Cancel'), 's')
    expect(answers()).toEqual([])
    await type(card().querySelector('textarea') ?? card(), 'ls -l')
    await click(button(text.approvals.edit.allow))
    expect(answers()).toEqual([{ decision: 'allow', scope: 'once', updated_input: { command: 'ls -l' } }])
  })

  it('offers no editing where the input is empty', async () => {
    await draw(fresh({ tool: 'mcp__dorkos__ping', input: {} }))
    expect(card().textContent).not.toContain(text.approvals.actions.edit)
    card().focus()
    await press(card(), 'e')
    expect(card().textContent).not.toContain(text.approvals.edit.title)
    expect(button('Allow once').disabled).toBe(false)
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
    await reload()
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
    await click(button('Always…'))
    expect(answers()).toEqual([])
    expect(card().textContent).toContain('the very command')
    expect(card().textContent).toContain('Exactly this command will run without asking in every session in')
    await click(button(text.approvals.always.confirm))
    expect(answers()).toEqual([{ decision: 'allow', scope: 'always', covers: { kind: 'call' } }])
  })

  it('stays open when the answer got lost, and sends the same again', async () => {
    const approval = fresh()
    await draw(approval)
    replyWith(() => Promise.reject(new TypeError('cut')))
    await click(button('Allow once'))
    expect(card().textContent).toContain('wasn’t sent')
    const details = {
      id: approval.id,
      state: 'denied',
      decided_at: '2026-01-01T10:00:00.000Z',
      decided_by: { kind: 'person', token_name: 'Phone' },
    }
    replyWith(() => json({ error: { code: 'already_answered', message: 'late', details } }, 409))
    await click(button(text.approvals.card.retry))
    expect(answers()).toEqual([
      { decision: 'allow', scope: 'once' },
      { decision: 'allow', scope: 'once' },
    ])
    // The words for an answer of the server come with the first that is an error.
    await vi.waitFor(() => expect(card().textContent).toContain('Denied'))
    expect(card().textContent).toContain('by Phone')
    expect(card().querySelector('button')).toBeNull()
  })

  it('says why this device cannot answer', async () => {
    mayDo('read')
    await draw(fresh())
    expect(card().textContent).toContain(text.approvals.card.noScope)
    // What it may not do is not offered.
    expect(card().querySelectorAll('fieldset button')).toHaveLength(0)
    const description = document.getElementById(card().getAttribute('aria-describedby') ?? '')
    expect(description?.textContent).toContain(text.approvals.card.noScope)
    card().focus()
    await press(card(), 'a')
    expect(answers()).toEqual([])
  })

  it('shows how it ended elsewhere', async () => {
    await draw(
      fresh({ state: 'void', message: 'The session was closed.', decided_at: '2026-01-01T10:00:00.000Z' }),
    )
    expect(card().textContent).toContain('Not answered')
    expect(card().textContent).toContain('The session was closed.')
    expect(card().querySelector('button')).toBeNull()
  })
})

describe('Escape', () => {
  const outside = vi.fn()
  const listen = () => {
    outside.mockClear()
    addEventListener('keydown', outside)
    return () => removeEventListener('keydown', outside)
  }

  it.each([
    ['tool', {}],
    ['question', { questions: [{ question: 'Which?', options: ['x'] }] }],
    ['plan', { plan: 'Do it.' }],
    ['elicitation', { server: 'crm', message: 'Who?', schema: { type: 'object', properties: {} } }],
  ] as const)('on a %s leads back to where the focus was, and is nobody else’s', async (kind, input) => {
    await draw(fresh({ kind, input }), fresh())
    const stop = listen()
    const [first, second] = cards() as [HTMLElement, HTMLElement]
    composer().focus()
    first.focus()
    second.focus()
    await press(second, 'Escape')
    expect(document.activeElement).toBe(composer())
    first.focus()
    first.querySelector('button')?.focus()
    await press(document.activeElement ?? first, 'Escape')
    expect(document.activeElement).toBe(composer())
    expect(outside).not.toHaveBeenCalled()
    expect(answers()).toEqual([])
    stop()
  })

  it('leads to where one writes when the focus came from nowhere', async () => {
    await draw(fresh())
    composer().blur()
    card().focus()
    await press(card(), 'Escape')
    expect(document.activeElement).toBe(document.body)
    composer().dataset.messageEditor = ''
    card().focus()
    await press(card(), 'Escape')
    expect(document.activeElement).toBe(composer())
  })

  it('closes what is open first', async () => {
    await draw(fresh())
    const stop = listen()
    card().focus()
    await press(card(), 'e')
    await press(document.activeElement ?? card(), 'Escape')
    expect(card().querySelector('textarea')).toBeNull()
    expect(document.activeElement).toBe(card())
    await click(button('Always…'))
    // Also with the focus beside it.
    card().focus()
    await press(card(), 'Escape')
    expect(card().textContent).not.toContain(text.approvals.always.what)
    expect(document.activeElement).toBe(card())
    expect(outside.mock.calls.map(([event]) => event.key)).toEqual(['e'])
    expect(answers()).toEqual([])
    stop()
  })
})

describe('several calls at once', () => {
  it('are listed before they are allowed together', async () => {
    const all = [fresh({ input: { command: 'one' } }), fresh({ input: { command: 'two' } })]
    await draw(...all, fresh({ session_id: '22222222-2222-4222-8222-222222222222' }))
    await click(button(text.approvals.batch.allowAll(2)))
    expect(answers()).toEqual([])
    await tap(button(text.approvals.batch.confirmAllow(2)))
    expect(answers()).toEqual([])
    await settle()
    await tap(button(text.approvals.batch.confirmAllow(2)))
    expect(asked.map(({ path }) => path)).toEqual(all.map(({ id }) => id))
    expect(cards().map((one) => one.textContent?.includes('by Laptop'))).toEqual([true, true, false])
  })
})
