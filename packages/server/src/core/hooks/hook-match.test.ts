import { expect, it } from 'vitest'
import { mayMeet } from './hook-match.ts'

it.each([
  [undefined, true],
  ['Bash', true],
  ['Write', false],
  ['Bash(git push:*)', true],
  ['Bash(git push *)', true],
  ['Bash(npm *)', false],
  ['Bash(', true],
])('a call of `cd x && git push` may meet %j: %s', (condition, expected) => {
  expect(mayMeet(condition, 'Bash', { command: 'cd x && git push' })).toBe(expected)
})

it('a condition on all tools of a server', () => {
  expect(mayMeet('mcp__notes__*', 'mcp__notes__add', {})).toBe(true)
  expect(mayMeet('mcp__notes__*', 'mcp__other__add', {})).toBe(false)
})
