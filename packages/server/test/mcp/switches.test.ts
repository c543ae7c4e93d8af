/** A server or a single tool that is switched off or on, for a session or a workspace, while sessions run. */

import { toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Conversation } from '../support/conversation.ts'
import { connect, lastOffer, mainWorkspace, server, untilStatus } from '../support/mcp-servers.ts'
import { Prompts } from '../support/prompts.ts'
import { type Host, startHost } from '../support/start-host.ts'

const prompts = new Prompts()
const both = ['mcp__tools__one', 'mcp__tools__two']
let host: Host
let first: Conversation
let second: Conversation
let workspaceId: string
let runs = 0
beforeAll(async () => {
  const mcpServers = { tools: server({ tools: ['one', 'two'] }) }
  host = await startHost(prompts.script, { config: { mcpServers } })
  workspaceId = (await mainWorkspace(host)).id
  await connect(host, ['tools'])
  const open = () => Conversation.open(host, { permission_mode: 'bypassPermissions' })
  first = await open()
  second = await open()
})
afterAll(async () => {
  await first?.close()
  await second?.close()
  await host?.close()
})

async function offers(session: Conversation): Promise<string[]> {
  await session.say(prompts.on(`look ${++runs}`, 'ok'))
  return lastOffer(host, session)
}

type Switch = { session_id: string } | { workspace_id: string }
const set = (where: Switch, off: boolean, tool?: string) =>
  host.client.switchMcp({ body: { ...where, server: 'tools', off, ...(tool !== undefined && { tool }) } })

it('one tool', async () => {
  expect(await offers(first)).toEqual(both)
  expect(await offers(second)).toEqual(both)
  await set({ session_id: first.id }, true, 'one')
  expect(await offers(first)).toEqual(['mcp__tools__two'])
  expect(await offers(second)).toEqual(both)
  // The model may remember it from before.
  await first.say(prompts.on('call it', toolUse('mcp__tools__one'), 'I see'))
  expect(first.watch.of('tool_result').at(-1)).toMatchObject({ is_error: true })
  await set({ workspace_id: workspaceId }, true, 'two')
  expect(await offers(first)).toEqual([])
  expect(await offers(second)).toEqual(['mcp__tools__one'])
  const { tools } = await host.client.getMcpServer({ params: { name: 'tools' } })
  expect(tools.map(({ name, switched_off }) => [name, switched_off])).toEqual([
    ['one', false],
    ['two', true],
  ])
  await set({ session_id: first.id }, false, 'one')
  await set({ workspace_id: workspaceId }, false, 'two')
  expect(await offers(first)).toEqual(both)
  expect(await offers(second)).toEqual(both)
})

it('a server', async () => {
  await set({ session_id: first.id }, true)
  await untilStatus(first, 'tools', undefined)
  expect(await offers(first)).toEqual([])
  expect(await offers(second)).toEqual(both)
  const { servers } = await host.client.getSessionMcp({ params: first.params })
  expect(servers).toMatchObject([{ name: 'tools', use: 'filtered', reason: 'switched_off' }])
  expect((await host.client.listMcpServers()).servers).toMatchObject([{ name: 'tools', use: 'active' }])

  await set({ workspace_id: workspaceId }, true)
  await untilStatus(second, 'tools', undefined)
  expect(await offers(second)).toEqual([])
  expect((await host.client.listMcpServers()).servers).toMatchObject([
    { use: 'filtered', reason: 'switched_off' },
  ])

  await set({ session_id: first.id }, false)
  await set({ workspace_id: workspaceId }, false)
  await untilStatus(first, 'tools', 'connected')
  await untilStatus(second, 'tools', 'connected')
  expect(await offers(first)).toEqual(both)
  expect(await offers(second)).toEqual(both)
})

it('is remembered over a restart', async () => {
  await set({ session_id: first.id }, true, 'one')
  await set({ workspace_id: workspaceId }, true, 'two')
  await first.close()
  await second.close()
  await host.restart()
  await connect(host, ['tools'])
  first = new Conversation(host, first.id)
  second = new Conversation(host, second.id)
  expect(await offers(first)).toEqual([])
  expect(await offers(second)).toEqual(['mcp__tools__one'])
})
