import { expect, it } from 'vitest'
import { signInKeyOf } from './sign-in-key.ts'

it('stays what it is in stores: by address, headers and audience', () => {
  const launch = { type: 'http' as const, url: 'https://a.example/mcp', headers: { a: 'b' } }
  const entry = { name: 'github', launch, audience: 'ws_1', sharing: 'shared' as const, timeoutMs: 1 }
  expect(signInKeyOf(entry)).toBe('github-fe29b4c444f11a34def5bb2fd1f21166feda89cfd376e0c3189ee77ec001a88f')
})
