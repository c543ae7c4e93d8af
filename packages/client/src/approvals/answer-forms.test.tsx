import { describe, expect, it } from 'vitest'
import { text } from '../text/card-text.ts'
import {
  answers,
  button,
  card,
  cards,
  click,
  draw,
  focus,
  fresh,
  press,
  reload,
  type,
  withCardPage,
} from './test-support/card-page.tsx'

withCardPage()

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
    await reload()
    await draw(approval)
    card().focus()
    expect(tabs()).toEqual(['Question 1answered', 'Question 2answered'])
    expect([...card().querySelectorAll('input:checked')]).toHaveLength(1)
    await press(card(), 'Enter', { ctrlKey: true })
    expect(answers()).toEqual([
      { decision: 'allow', scope: 'once', answers: { 'Which colour?': 'Blue', 'Which sizes?': ['S'] } },
    ])
  })

  const shown = () => card().querySelector('legend')?.textContent
  const tabs = () => [...card().querySelectorAll('[role=tab]')].map((tab) => tab.textContent)
  const option = (label: string) =>
    [...card().querySelectorAll('label')]
      .find((one) => one.textContent?.includes(label))
      ?.querySelector('input') ?? expect.fail(`no option ${label}`)

  it('of several parts shows one at a time; a choice leads on to what is open, arrows to any', async () => {
    const more = [...questions, { question: 'Which shape?', header: 'Shape', options: ['Round', 'Square'] }]
    await draw(fresh({ kind: 'question', tool: 'AskUserQuestion', input: { questions: more } }))
    card().focus()
    expect(tabs()).toEqual(['Question 1', 'Question 2', 'Shape'])
    await press(card(), 'ArrowLeft')
    expect(shown()).toBe('Which colour?')
    await press(card(), 'ArrowRight')
    await press(card(), 'ArrowRight')
    await press(card(), 'ArrowRight')
    expect(shown()).toBe('Which shape?')
    await press(card(), '1')
    // The first that is open, behind the last one.
    expect(shown()).toBe('Which colour?')
    await focus(option('Red'))
    await click(option('Red'))
    expect(shown()).toBe('Which sizes?')
    expect(document.activeElement?.getAttribute('role')).toBe('tab')
    // More can be chosen here.
    await press(card(), '1')
    await press(card(), '2')
    expect(shown()).toBe('Which sizes?')
    expect(tabs().every((tab) => tab?.endsWith(text.approvals.question.answered))).toBe(true)
    await click(button(text.approvals.question.sendAll))
    expect(answers()).toEqual([
      {
        decision: 'allow',
        scope: 'once',
        answers: { 'Which colour?': 'Red', 'Which sizes?': ['S', 'L'], 'Which shape?': 'Round' },
      },
    ])
  })

  it('does not go on while arrows go through its options, and leaves them their arrows', async () => {
    await draw(fresh({ kind: 'question', tool: 'AskUserQuestion', input: { questions } }))
    await focus(option('Red'))
    await press(option('Red'), 'ArrowRight')
    await click(option('Blue'))
    expect(shown()).toBe('Which colour?')
    await press(option('Red'), ' ')
    await click(option('Red'))
    expect(shown()).toBe('Which sizes?')
  })

  it('with previews stays where it is, and shows that of what is chosen', async () => {
    const looks = {
      question: 'Which look?',
      options: [{ label: 'Wide', preview: '[    ]' }, { label: 'Narrow', preview: '[]' }, { label: 'None' }],
    }
    await draw(
      fresh({ kind: 'question', tool: 'AskUserQuestion', input: { questions: [looks, ...questions] } }),
    )
    const preview = () => card().querySelector('pre')?.textContent
    card().focus()
    expect(preview()).toBe('[    ]')
    await press(card(), '2')
    expect(shown()).toBe('Which look?')
    expect(preview()).toBe('[]')
    await press(card(), '3')
    expect(preview()).toBeUndefined()
    expect(card().textContent).toContain(text.approvals.question.noPreview)
  })

  it('gives the key for one’s own words the field for them', async () => {
    await draw(fresh({ kind: 'question', tool: 'AskUserQuestion', input: { questions } }))
    card().focus()
    await press(card(), '3')
    expect(document.activeElement?.getAttribute('aria-label')).toBe(
      text.approvals.question.otherLabel('Which colour?'),
    )
    await press(document.activeElement ?? card(), '1')
    expect(option('Red').checked).toBe(false)
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
    const approveEdits = button(text.approvals.plan.approveEdits, first)
    const meaning = document.getElementById(approveEdits.getAttribute('aria-describedby') ?? '')
    expect(meaning?.textContent).toMatch(
      /moves and deletes files .* without asking\. That includes commands such as .*\brm\b/,
    )
    await click(approveEdits)
    await click(button(text.approvals.plan.keepPlanning, second))
    await type(second.querySelector('textarea') ?? expect.fail('no field'), 'Smaller.')
    await click(button(text.approvals.plan.sendFeedback, second))
    expect(answers()).toEqual([
      { decision: 'allow', scope: 'once', permission_mode: 'acceptEdits' },
      { decision: 'deny', message: 'Smaller.' },
    ])
  })
})

describe('the keys of a plan', () => {
  const plan = () => fresh({ kind: 'plan', tool: 'ExitPlanMode', input: { plan: '# The plan' } })
  const field = () => card().querySelector('textarea') ?? expect.fail('no field')

  it.each([
    ['a', 'default'],
    ['s', 'acceptEdits'],
  ])('%s approves it, to go on in the mode %s', async (key, mode) => {
    await draw(plan())
    card().focus()
    await press(card(), key)
    expect(answers()).toEqual([{ decision: 'allow', scope: 'once', permission_mode: mode }])
  })

  it('d asks what should change, and e edits it; letters there are letters', async () => {
    await draw(plan())
    card().focus()
    await press(card(), 'd')
    expect(document.activeElement).toBe(field())
    await press(field(), 'a')
    await press(field(), 'Escape')
    expect(card().querySelector('textarea')).toBeNull()
    expect(document.activeElement).toBe(card())
    await press(card(), 'e')
    expect(document.activeElement).toBe(field())
    await type(field(), '# Another')
    await press(field(), 's')
    await press(field(), 'Escape')
    expect(answers()).toEqual([])
    await press(card(), 'a')
    expect(answers()).toMatchObject([{ decision: 'allow', updated_input: { plan: '# Another' } }])
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
    expect(card().textContent).toContain(text.form.faults.required())
    const [name, age] = [...card().querySelectorAll('input')] as [HTMLInputElement, HTMLInputElement]
    await type(name, 'Ann')
    await type(age, '41')
    await click(button(text.approvals.form.send))
    expect(answers()).toEqual([{ decision: 'allow', scope: 'once', answers: { name: 'Ann', age: 41 } }])
  })

  it('gives a list for several choices, and a no for a box without a tick', async () => {
    const properties = {
      days: { type: 'array', items: { type: 'string', enum: ['Mon', 'Tue', 'Wed'] } },
      sure: { type: 'boolean' },
      size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }], default: 's' },
    }
    await draw(fresh({ kind: 'elicitation', tool: 'elicitation', input: { schema: { properties } } }))
    const [, tuesday, wednesday] = [...card().querySelectorAll('fieldset input')] as HTMLElement[]
    await click(wednesday ?? expect.fail('no box'))
    await click(tuesday ?? expect.fail('no box'))
    await click(button(text.approvals.form.send))
    expect(answers()).toMatchObject([{ answers: { days: ['Tue', 'Wed'], sure: false, size: 's' } }])
  })

  it('is declined, or closed without a yes or a no', async () => {
    const form = () => fresh({ kind: 'elicitation', tool: 'elicitation', input: { server: 'crm', schema } })
    const page = fresh({
      kind: 'elicitation',
      tool: 'elicitation',
      input: { server: 'crm', url: 'https://login.example.org/x' },
    })
    await draw(form(), form(), page)
    const [first, second, third] = cards() as [HTMLElement, HTMLElement, HTMLElement]
    await click(button(text.approvals.form.decline, first))
    await click(button(text.approvals.form.dismiss, second))
    await click(button(text.approvals.form.dismiss, third))
    expect(answers()).toEqual([
      { decision: 'deny' },
      { decision: 'deny', dismiss: true },
      { decision: 'deny', dismiss: true },
    ])
  })

  it('that wants a page opened shows where it leads, and opens no other scheme', async () => {
    const page = (url: string) =>
      fresh({ kind: 'elicitation', tool: 'elicitation', input: { server: 'crm', message: '', url } })
    await draw(page('https://login.example.org/x'), page('javascript:alert(1)'), page('mailto:a@example.org'))
    const [good, bad, mail] = cards() as [HTMLElement, HTMLElement, HTMLElement]
    expect(good.querySelector('a')?.getAttribute('href')).toBe('https://login.example.org/x')
    expect(bad.querySelector('a')).toBeNull()
    expect(mail.querySelector('a')).toBeNull()
    await click(button(text.approvals.form.decline, bad))
    expect(answers()).toEqual([{ decision: 'deny' }])
  })
})
