// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { text } from '../text/text.ts'
import {
  answers,
  button,
  card,
  cards,
  click,
  draw,
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
    await draw(page('https://login.example.org/x'), page('javascript:alert(1)'), page('mailto:a@example.org'))
    const [good, bad, mail] = cards() as [HTMLElement, HTMLElement, HTMLElement]
    expect(good.querySelector('a')?.getAttribute('href')).toBe('https://login.example.org/x')
    expect(bad.querySelector('a')).toBeNull()
    expect(mail.querySelector('a')).toBeNull()
    await click(button(text.approvals.form.decline, bad))
    expect(answers()).toEqual([{ decision: 'deny' }])
  })
})
