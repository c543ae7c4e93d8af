import type { McpServer, McpServerHealth } from '@dorkos/shared'
import { expect, it } from 'vitest'
import { sessionServers, sessionTotals } from './session-servers.ts'

function entry(name: string, change: Partial<McpServer> = {}): McpServer {
  return {
    name,
    source: { scope: 'user', file: '/home/ada/.claude.json', line: 3 },
    entry: { type: 'stdio', command: 'npx', args: [] },
    use: 'active',
    held_tools: 0,
    ...change,
  }
}

const health = (name: string, status: McpServerHealth['status'], more: Partial<McpServerHealth> = {}) => ({
  name,
  status,
  ...more,
})
const brief = (all: ReturnType<typeof sessionServers>) =>
  all.map(({ name, state, tools, isOwn }) => [name, state, tools, isOwn])

it('has each server once, DorkOS’s own first, and counts what it lists', () => {
  const servers = sessionServers(
    [
      health('files', 'connected', { tool_count: 2 }),
      health('elsewhere', 'needs_auth'),
      health('dorkos', 'connected', { tool_count: 9 }),
    ],
    [entry('bad', { entry: { type: 'stdio', command: 'x', args: [], passthrough: true } }), entry('files')],
  )
  expect(brief(servers)).toEqual([
    ['dorkos', 'connected', 9, true],
    ['bad', 'left_to_cli', undefined, false],
    ['files', 'connected', 2, false],
    ['elsewhere', 'needs_auth', undefined, false],
  ])
  expect(servers.map((one) => one.entry?.name)).toEqual([undefined, 'bad', 'files', undefined])
  expect(sessionTotals(servers)).toEqual({ active: 3, connected: 1, tools: 11 })
})

it('says what the process says, but leaves it to the list whether a server is off', () => {
  const off = entry('off', { use: 'filtered', reason: 'switched_off' })
  const servers = sessionServers(
    [
      health('off', 'connected', { tool_count: 3 }),
      health('on again', 'disabled'),
      health('broken', 'failed', { error: 'no such file' }),
    ],
    [off, entry('on again'), entry('broken')],
  )
  expect(brief(servers)).toEqual([
    ['off', 'disabled', undefined, false],
    ['on again', 'not_started', undefined, false],
    ['broken', 'failed', undefined, false],
  ])
  expect(servers[2]?.error).toBe('no such file')
  expect(sessionTotals(servers)).toEqual({ active: 2, connected: 0, tools: 0 })
})
