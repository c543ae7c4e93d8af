import { expect, it } from 'vitest'
import { toHook } from './hook-entry.ts'

it('shows what a request would carry: references as they are, values masked', () => {
  const reference = `\${USER}`
  const headers = { authorization: 'Bearer abc', 'x-user': reference }
  const entry = { type: 'http', url: 'http://127.0.0.1/hook', headers }
  const hook = toHook(entry, { source: 'user', event: 'Stop', matcher: '' })
  const [address, authorization, user] = hook?.runs?.split('\n') ?? []
  expect([address, user]).toEqual(['http://127.0.0.1/hook', `x-user: ${reference}`])
  expect(authorization).toMatch(/^authorization: /)
  expect(authorization).not.toContain('abc')
})

it('can be let allow calls only where its word about one would count', () => {
  const canAllow = (more: object, event = 'PreToolUse', source: 'user' | 'policy' = 'user') =>
    toHook({ type: 'command', command: 'x', ...more }, { source, event, matcher: '' })?.can_allow ?? false
  expect(canAllow({})).toBe(true)
  expect(canAllow({}, 'PermissionRequest')).toBe(true)
  expect(canAllow({}, 'PostToolUse')).toBe(false)
  for (const more of [{ if: 'Bash(git *)' }, { if: 1 }, { async: true }, { asyncRewake: true }]) {
    expect(canAllow(more)).toBe(false)
    // Claude Code runs it itself.
    expect(canAllow(more, 'PreToolUse', 'policy')).toBe(true)
  }
})
