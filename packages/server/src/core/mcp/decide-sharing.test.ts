import { expect, it } from 'vitest'
import { decideSharing } from './decide-sharing.ts'
import type { McpEntry } from './found-server.ts'

const stdio = (command: string, args: string[], more: Partial<McpEntry> = {}) =>
  ({ type: 'stdio', command, args, env: {}, ...more }) as McpEntry
const known = stdio('uvx', ['mcp-server-time'])
const unknown = stdio('npx', ['@playwright/mcp'])
const remote: McpEntry = { type: 'http', url: 'https://mcp.example/', headers: {} }

it.each([
  ['known to keep nothing', known, undefined, 'auto', 'until_asked', 'stateless'],
  ['anything else', unknown, undefined, 'auto', 'session', 'unknown'],
  ['behind HTTP', remote, undefined, 'auto', 'until_asked', 'remote'],
  ['the entry says shared', stdio('x', [], { sharing: 'shared' }), undefined, 'shared', 'shared', 'chosen'],
  ['the entry says session', { ...known, sharing: 'session' }, undefined, 'session', 'session', 'chosen'],
  ['a person says shared', unknown, 'shared', 'shared', 'shared', 'chosen'],
  ['a person says session', remote, 'session', 'session', 'session', 'chosen'],
  ['a person goes before the entry', { ...unknown, sharing: 'shared' }, 'auto', 'auto', 'session', 'unknown'],
] as const)('%s', (_, entry, chosen, choice, sharing, why) => {
  expect(decideSharing(entry, chosen)).toEqual({ choice, sharing, why })
})
