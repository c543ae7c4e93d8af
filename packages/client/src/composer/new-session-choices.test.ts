import { expect, test } from 'vitest'
import { parseBudget, parseChoices, toPreparedBody, toSessionBody } from './new-session-choices.ts'
import { mayChoose, nextMode } from './permission-modes.ts'

test.each([
  ['', undefined],
  [' 2.5 ', 2.5],
  ['2,5', 2.5],
  ['$3', 3],
  ['0', 0],
  ['-1', 'fault'],
  ['100001', 'fault'],
  ['ten', 'fault'],
])('a budget of "%s"', (typed, budget) => {
  expect(parseBudget(typed)).toBe(budget)
})

test('what was remembered is looked at before it is believed', () => {
  expect(parseChoices({ workspaceId: 7, model: '', mode: 'root', effort: 'huge' })).toMatchObject({
    workspaceId: undefined,
    model: undefined,
    mode: undefined,
    effort: undefined,
  })
  expect(parseChoices('junk').budget).toBe('')
  expect(parseChoices({ model: 'opus', mode: 'plan', effort: 'max' })).toMatchObject({
    model: 'opus',
    mode: 'plan',
    effort: 'max',
  })
})

test('only what was chosen is sent', () => {
  const choices = parseChoices(undefined)
  expect(toSessionBody(choices, undefined)).toEqual({})
  expect(
    toSessionBody(
      {
        ...choices,
        workspaceId: 'w',
        cwd: ' src ',
        title: ' T ',
        budget: '1',
        unattended: true,
        mode: 'plan',
      },
      'hi',
    ),
  ).toEqual({
    workspace_id: 'w',
    cwd: 'src',
    title: 'T',
    budget_usd: 1,
    unattended: true,
    permission_mode: 'plan',
    content: 'hi',
  })
})

test('a process is made ready for what decides how it starts, and for no directory that is being typed', () => {
  const choices = { ...parseChoices({ workspaceId: 'w', mode: 'plan' }), title: 'T', budget: '1' }
  expect(toPreparedBody(choices)).toEqual({ workspace_id: 'w', permission_mode: 'plan' })
  expect(toPreparedBody({ ...choices, cwd: 'sr' })).toBeUndefined()
})

test('keys go through the modes as in the CLI, past those that one may not choose', () => {
  const through = (canApprove: boolean) => {
    const first = nextMode('default', canApprove)
    const second = nextMode(first, canApprove)
    return [first, second, nextMode(second, canApprove)]
  }
  expect(through(true)).toEqual(['acceptEdits', 'plan', 'default'])
  expect(through(false)).toEqual(['plan', 'default', 'plan'])
  expect(nextMode('bypassPermissions', true)).toBe('default')
  expect(mayChoose('dontAsk', false)).toBe(false)
})
