import type { Approval, ApprovalAnswer } from '@dorkos/shared'
import { approvalAnswerSchema } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { AppError } from '../app-error.ts'
import { checkAnswer } from './check-answer.ts'

type Question = Pick<Approval, 'kind' | 'tool' | 'input'>
const tool: Question = { kind: 'tool', tool: 'Bash', input: { command: 'ls' } }
const question: Question = {
  kind: 'question',
  tool: 'AskUserQuestion',
  input: { questions: [{ question: 'Which?' }, { question: 'Many?', multiSelect: true }] },
}
const plan: Question = { kind: 'plan', tool: 'ExitPlanMode', input: { plan: 'A', planFilePath: '/p.md' } }
const form: Question = {
  kind: 'elicitation',
  tool: 'elicitation',
  input: {
    schema: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        age: { type: 'integer' },
        size: { type: 'string', enum: ['S', 'L'] },
        days: { type: 'array', items: { type: 'string', enum: ['Mon', 'Tue'] }, maxItems: 2 },
        colour: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }] },
        mail: { type: 'string', format: 'email' },
        nick: { type: 'string', maxLength: 3 },
      },
      required: ['name'],
    },
  },
}

const check = (asked: Question, answer: object) =>
  checkAnswer(asked, approvalAnswerSchema.parse(answer) as ApprovalAnswer)
const allow = (fields: object = {}) => ({ decision: 'allow', ...fields })

function refused(asked: Question, answer: object): string {
  try {
    check(asked, answer)
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_request') return error.message
  }
  return 'not refused'
}

describe('checkAnswer', () => {
  it('allows a tool call, as it is or edited', () => {
    expect(check(tool, allow())).toEqual({ reply: { kind: 'allow' }, edited: false, answer: undefined })
    expect(check(tool, allow({ updated_input: { command: 'ls -l' } }))).toMatchObject({
      reply: { kind: 'allow', input: { command: 'ls -l' } },
      edited: true,
    })
  })

  it.each([tool, question, plan, form])('always has words for a denial of a $kind', (asked) => {
    for (const message of [undefined, '', '   '])
      expect(check(asked, { decision: 'deny', message }).reply).toMatchObject({
        kind: 'deny',
        message: expect.stringMatching(/\w/),
      })
    expect(check(asked, { decision: 'deny', message: 'Not now' }).reply).toMatchObject({ message: 'Not now' })
  })

  it('gives answers to a question as the CLI takes them', () => {
    const { reply, answer } = check(question, allow({ answers: { 'Which?': 'B', 'Many?': ['X', 'Y'] } }))
    expect(reply).toEqual({
      kind: 'allow',
      input: { ...question.input, answers: { 'Which?': 'B', 'Many?': 'X, Y' } },
    })
    expect(answer).toEqual({ 'Which?': 'B', 'Many?': ['X', 'Y'] })
  })

  it('takes a mode and an edited text with a plan', () => {
    const { reply, edited } = check(
      plan,
      allow({ permission_mode: 'acceptEdits', updated_input: { plan: 'B' } }),
    )
    expect(reply).toEqual({
      kind: 'allow',
      input: { plan: 'B', planFilePath: '/p.md' },
      permissionMode: 'acceptEdits',
    })
    expect(edited).toBe(true)
  })

  it('fills in a form', () => {
    const content = { name: 'Ada', age: 36, size: 'L', days: ['Tue'], colour: 'r', mail: 'a@b.example' }
    expect(check(form, allow({ answers: content })).reply).toEqual({ kind: 'allow', input: content })
  })

  it('does not take a name that every object has for a field of the form', () => {
    const answers = JSON.parse('{"name": "Ada", "__proto__": "x"}') as Record<string, unknown>
    const answer = { decision: 'allow', scope: 'once', answers } as const
    expect(() => checkAnswer(form, answer)).toThrow('`__proto__` is not asked for')
  })

  it.each<[string, Question, object]>([
    ['answers to a tool call', tool, allow({ answers: { a: 'b' } })],
    ['a mode for a tool call', tool, allow({ permission_mode: 'default' })],
    [
      'a lasting answer about what always asks',
      { ...tool, tool: 'mcp__dorkos__set_config' },
      allow({ scope: 'always' }),
    ],
    ['the same for the session', { ...tool, tool: 'mcp__dorkos__set_config' }, allow({ scope: 'session' })],
    ['no answers to a question', question, allow()],
    ['empty answers', question, allow({ answers: {} })],
    ['an answer to what was not asked', question, allow({ answers: { 'Other?': 'x' } })],
    ['an answer that is no text', question, allow({ answers: { 'Which?': 3 } })],
    ['an empty list', question, allow({ answers: { 'Many?': [] } })],
    ['a rule from a question', question, allow({ answers: { 'Which?': 'B' }, scope: 'always' })],
    ['an edited question', question, allow({ answers: { 'Which?': 'B' }, updated_input: {} })],
    ['a rule from a plan', plan, allow({ scope: 'session' })],
    ['answers to a plan', plan, allow({ answers: { a: 'b' } })],
    [
      'more than the text of a plan',
      plan,
      allow({ updated_input: { plan: 'B', planFilePath: '/etc/passwd' } }),
    ],
    ['a form without what is required', form, allow({ answers: { age: 3 } })],
    ['a form with another type', form, allow({ answers: { name: 'Ada', age: '36' } })],
    ['a form with no such choice', form, allow({ answers: { name: 'Ada', size: 'M' } })],
    ['a form with text for several choices', form, allow({ answers: { name: 'Ada', days: 'Mon, Tue' } })],
    ['a form with one of several choices unknown', form, allow({ answers: { name: 'Ada', days: ['Sun'] } })],
    ['a form with too many choices', form, allow({ answers: { name: 'Ada', days: ['Mon', 'Tue', 'Mon'] } })],
    ['a form with no such titled choice', form, allow({ answers: { name: 'Ada', colour: 'Red' } })],
    ['a form with an address that is none', form, allow({ answers: { name: 'Ada', mail: 'Ada' } })],
    ['a form with too long a text', form, allow({ answers: { name: 'Ada', nick: 'Ada L.' } })],
    ['a form with nothing where something is needed', form, allow({ answers: { name: null } })],
    ['values where there is no form', { ...form, input: {} }, allow({ answers: { name: 'Ada' } })],
    ['a form with no such field', form, allow({ answers: { name: 'Ada', toString: 'x' } })],
    ['a form that stops the turn', form, { decision: 'deny', interrupt: true }],
  ])('refuses %s', (_, asked, answer) => {
    expect(refused(asked, answer)).toMatch(/^The answer wasn’t accepted: .+\.$/)
  })
})

it('closes a form without an answer, and nothing else', () => {
  expect(check(form, { decision: 'deny', dismiss: true }).reply).toMatchObject({ declined: false })
  expect(check(form, { decision: 'deny' }).reply).toMatchObject({ declined: true })
  for (const asked of [tool, question])
    expect(refused(asked, { decision: 'deny', dismiss: true })).toContain('only a form')
})
