import type { Supervisor } from '@dorkos/mcp-gateway'
import { expect, it } from 'vitest'
import type { LiveAgent } from '../ports/agent.ts'
import { SessionServers } from './session-servers.ts'
import type { WorkspaceServers } from './workspace-servers.ts'

/** A workspace with servers that are left to the CLI, by name and command. */
function serversWith(commands: Record<string, string>): WorkspaceServers {
  const active = Object.entries(commands).map(([name, command]) => ({
    server: {
      name,
      scope: 'dorkos' as const,
      file: '/config.jsonc',
      line: 1,
      entry: { type: 'stdio' as const, command, args: [], env: {} },
    },
    plan: { kind: 'passthrough' as const, config: { command } },
  }))
  return { active, overridden: [], filtered: [], faults: [] }
}

/** Each list of servers that the CLI was given, as `name=command`. */
function openServers(first: Record<string, string>) {
  const sent: string[][] = []
  let current = serversWith(first)
  let changed = () => {}
  const quiet = { debug() {}, info() {}, warn() {}, error() {} }
  const servers = new SessionServers({
    sessionId: 's',
    supervisor: { onChange: () => () => {} } as unknown as Supervisor,
    pins: { offers: () => true, offersInstructions: () => true },
    pinKey: ({ name }) => name,
    servers: async () => current,
    isToolOff: () => false,
    onOfferChange: () => () => {},
    onServersChange: (listener) => {
      changed = listener
      return () => {}
    },
    elicit: async () => ({ action: 'cancel' }),
    renew() {},
    emit() {},
    logger: quiet,
    clock: { now: () => 0, monotonic: () => 0, after: () => () => {} },
  })
  const agent = {
    mcpStatus: async () => [],
    async setMcpServers(given: Record<string, { command: string }>) {
      sent.push(Object.entries(given).map(([name, { command }]) => `${name}=${command}`))
    },
  } as unknown as LiveAgent
  const change = (next: Record<string, string>) => {
    current = serversWith(next)
    changed()
  }
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  return { servers, agent, sent, change, settled }
}

it('notifies the process of what changed while it started, and of nothing when nothing did', async () => {
  const { servers, agent, sent, change, settled } = openServers({ a: 'one' })
  expect(await servers.open({})).toEqual({ a: { command: 'one' } })
  change({ a: 'one', b: 'two' })
  await settled()
  expect(sent).toEqual([])
  servers.started(agent)
  await settled()
  expect(sent).toEqual([['a=one', 'b=two']])
  change({ a: 'one', b: 'two' })
  await settled()
  expect(sent).toHaveLength(1)
  servers.close()
})

it('takes a server out before another of its name comes in', async () => {
  const { servers, agent, sent, change, settled } = openServers({ a: 'one', b: 'two' })
  await servers.open({})
  servers.started(agent)
  change({ a: 'other', b: 'two', constructor: 'three' })
  await settled()
  expect(sent).toEqual([
    ['b=two', 'constructor=three'],
    ['a=other', 'b=two', 'constructor=three'],
  ])
  change({ b: 'two' })
  await settled()
  expect(sent.slice(2)).toEqual([['b=two']])
  servers.close()
})
