import { expect, it } from 'vitest'
import { matchesHook } from './hooks.ts'

it.each([
  ['', 'Bash', true],
  ['*', 'Bash', true],
  ['Bash', 'Bash', true],
  ['Bash', 'BashOutput', false],
  ['Write|Edit', 'Edit', true],
  ['Write, Edit', 'Edit', true],
  ['mcp__.*__write', 'mcp__notes__write', true],
  ['(', 'Bash', false],
  [undefined, 'Bash', true],
])('the matcher %j and %s: %s', (matcher, tool, expected) => {
  expect(matchesHook(matcher, tool)).toBe(expected)
})
