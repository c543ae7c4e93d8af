/** The table of who gets what, by workspace, trust, mode and the lists of settings files, as the API lists it and as the model sees it. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Conversation } from '../support/conversation.ts'
import {
  connect,
  installPlugin,
  lastOffer,
  mainWorkspace,
  offering,
  put,
  trust,
} from '../support/mcp-servers.ts'
import { type Host, startHost } from '../support/start-host.ts'

let host: Host
let main: string
let other: string
beforeAll(async () => {
  const mcpServers = {
    configured: offering('hello'),
    boxed: offering('hello', { modes: ['container'] }),
    both: offering('hello', { modes: ['host', 'container'] }),
    asleep: offering('hello', { disabled: true }),
  }
  host = await startHost(() => 'ok', { config: { mcpServers } })
  const folder = join(host.root, 'other')
  mkdirSync(folder)
  const locals = { mcpServers: { local: offering('hello') } }
  put(join(host.root, '.claude.json'), {
    mcpServers: { user: offering('hello') },
    projects: { [host.cwd]: locals, [folder]: locals },
  })
  put(join(host.root, '.claude', 'settings.json'), {
    mcpServers: { settings: offering('hello') },
    enabledPlugins: { 'box@here': true },
  })
  installPlugin(join(host.root, '.claude'), 'box', { helper: offering('from_plugin') })
  for (const path of [host.cwd, folder])
    put(join(path, '.mcp.json'), { mcpServers: { project: offering('hello') } })
  main = (await mainWorkspace(host)).id
  other = (await host.client.createWorkspace({ body: { path: folder } })).id
})
afterAll(() => host?.close())

/** Names of the servers that a session gets, and the reasons for the rest; alike for the workspace, the session and the model. */
async function look(workspaceId: string) {
  const list = await host.client.listMcpServers({ query: { workspace_id: workspaceId } })
  const active = list.servers.flatMap(({ use, name }) => (use === 'active' ? [name] : []))
  await connect(host, active, workspaceId)
  const session = await Conversation.open(host, { workspace_id: workspaceId, content: 'hello' })
  await session.endOf(1)
  const ofSession = await host.client.getSessionMcp({ params: session.params })
  await session.close()
  const summary = (servers: typeof list.servers) =>
    servers.map(({ name, use, reason }) => [name, use, reason])
  expect(summary(ofSession.servers)).toEqual(summary(list.servers))
  expect(ofSession.workspace_id).toBe(workspaceId)
  const offered = lastOffer(host, session).map((tool) => tool.split('__')[1])
  expect(offered).toEqual(active.map((name) => name.replaceAll(':', '_')).toSorted())
  const filtered = list.servers.filter(({ use }) => use === 'filtered')
  for (const { message } of filtered) expect(message).toMatch(/\.$/)
  return {
    active: active.toSorted(),
    filtered: Object.fromEntries(filtered.map(({ name, reason }) => [name, reason])),
  }
}

const always = { asleep: 'disabled', boxed: 'mode' }

it('another workspace, not trusted', async () => {
  expect(await look(other)).toEqual({
    active: ['both', 'configured'],
    filtered: {
      ...always,
      project: 'trust',
      local: 'scope',
      user: 'scope',
      settings: 'scope',
      'plugin:box:helper': 'scope',
    },
  })
})

it('another workspace, trusted', async () => {
  await trust(host, other)
  expect(await look(other)).toEqual({
    active: ['both', 'configured', 'project'],
    filtered: { ...always, local: 'scope', user: 'scope', settings: 'scope', 'plugin:box:helper': 'scope' },
  })
})

it('the main workspace, not trusted', async () => {
  expect(await look(main)).toEqual({
    active: ['both', 'configured', 'settings', 'user'],
    filtered: { ...always, project: 'trust', local: 'trust', 'plugin:box:helper': 'trust' },
  })
})

it('the main workspace, trusted; and what settings files say', async () => {
  await trust(host, main)
  const active = ['both', 'configured', 'local', 'plugin:box:helper', 'project', 'settings', 'user']
  expect(await look(main)).toEqual({ active, filtered: always })

  const write = (lists: object) =>
    put(join(host.root, '.claude', 'settings.json'), {
      mcpServers: { settings: offering('hello') },
      enabledPlugins: { 'box@here': true },
      ...lists,
    })
  const expected = async (lists: object, filtered: Record<string, string>) => {
    write(lists)
    const gone = Object.keys(filtered)
    await expect
      .poll(async () => {
        const { servers } = await host.client.listMcpServers()
        return Object.fromEntries(servers.flatMap(({ name, reason }) => (reason ? [[name, reason]] : [])))
      })
      .toEqual({ ...always, ...filtered })
    expect(await look(main)).toEqual({
      active: active.filter((name) => !gone.includes(name)),
      filtered: { ...always, ...filtered },
    })
  }
  await expected({ disabledMcpjsonServers: ['project'] }, { project: 'disabled' })
  await expected({ enabledMcpjsonServers: ['another'] }, { project: 'not_enabled' })
  const denied = { deniedMcpServers: [{ serverName: 'user' }, { serverName: 'configured' }] }
  await expected(denied, { user: 'denied', configured: 'denied' })
  const names = ['configured', 'both', 'boxed', 'asleep', 'project']
  await expected(
    { allowedMcpServers: names.map((serverName) => ({ serverName })) },
    {
      local: 'not_allowed',
      user: 'not_allowed',
      settings: 'not_allowed',
      'plugin:box:helper': 'not_allowed',
    },
  )
})
