import { expect, it } from 'vitest'
import { headHooks } from './head-hooks.ts'

const origin = { source: 'user', file: '/s/SKILL.md' } as const
const events = new Set(['PreToolUse', 'Stop'])
const found = (head: string) =>
  headHooks(`---\n${head}\n---\nhooks:\n  Stop: in its text\n`, origin, events).map(
    ({ event, kind, matcher, runs }) => [event, kind, matcher, runs],
  )

it('are those under the key, by event, as they are written', () => {
  const head = `name: x
hooks:
  PreToolUse:
    - matcher: "Bash|Edit"
      hooks:
        - type: command
          command: ./check.sh --token abcdefghijklmnop
  Stop:
  - hooks: [{ type: prompt, prompt: Is it done? }]
description: Stop: not this`
  expect(found(head)).toEqual([
    [
      'PreToolUse',
      'command',
      'Bash|Edit',
      expect.stringMatching(/^PreToolUse:[\s\S]*\.\/check\.sh --token (?!abc)/),
    ],
    ['Stop', 'prompt', undefined, expect.stringContaining('Is it done?')],
  ])
})

it('are found in other ways to write them, and in none that is not known are they left out', () => {
  expect(found('hooks: {"Stop": [{"hooks": [{"type": "http", "url": "x"}]}]}')).toEqual([
    ['Stop', 'http', undefined, expect.stringContaining('"url": "x"')],
  ])
  expect(found('hooks: *elsewhere')).toEqual([['?', 'command', undefined, '*elsewhere']])
  expect(found("'hooks':\r\n  Stop: x\r\nname: y")).toEqual([['Stop', 'command', undefined, 'Stop: x']])
})

it('are none where there is no such key, or no head', () => {
  expect(found('name: hooks\nmore:\n  hooks:\n    Stop: x')).toEqual([])
  expect(headHooks('hooks:\n  Stop: x', origin, events)).toEqual([])
})

it('are never more than people are shown of any hook, and decide nothing', () => {
  const [one] = headHooks(`---\nhooks:\n  PreToolUse: ${'x'.repeat(20_000)}\n`, origin, events)
  expect(one).toMatchObject({ event: 'PreToolUse', cut: true, file: '/s/SKILL.md' })
  expect(one?.runs?.length).toBe(8000)
  for (const right of ['decides', 'can_allow']) expect(one).not.toHaveProperty(right)
})
