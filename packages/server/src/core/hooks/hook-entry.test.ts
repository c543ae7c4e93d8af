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
