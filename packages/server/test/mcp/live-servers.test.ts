/** Servers that are added, changed and taken out while a session runs: its next request to the model shows it. */
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cliPid } from '../support/cli-process.ts'
import { Conversation } from '../support/conversation.ts'
import {
  lastOffer,
  mainWorkspace,
  mcpTools,
  offering,
  put,
  server,
  trust,
  untilStatus,
} from '../support/mcp-servers.ts'
import { type Answer, Prompts } from '../support/prompts.ts'
import { type Host, startHost } from '../support/start-host.ts'

const prompts = new Prompts()
let host: Host
let session: Conversation
let pid: number
beforeAll(async () => {
  host = await startHost(prompts.script)
  session = await Conversation.open(host, {
    content: prompts.on('hello', 'ok'),
    permission_mode: 'bypassPermissions',
    // Each look is a turn.
    budget_usd: 1000,
  })
  await session.endOf(1)
  pid = cliPid(host.root, session.id)
})
afterAll(async () => {
  await session?.close()
  await host?.close()
})

async function offer(): Promise<string[]> {
  expect(await session.say(prompts.on('and now?', 'ok'))).toMatchObject({ outcome: 'completed' })
  return lastOffer(host, session)
}

/** What the next request offers, once the session has this server in this state; from the same process. */
async function offerOnce(name: string, status: string | undefined): Promise<string[]> {
  await untilStatus(session, name, status)
  const offered = await offer()
  expect(cliPid(host.root, session.id)).toBe(pid)
  return offered
}

/**
 * A server that is another now: the CLI may show the old tools as long as its process lives, so there is a new one. The old one may offer
 * what is expected just before it is replaced.
 */
async function untilOffered(tools: string[]): Promise<void> {
  const offeredByAnother = async () => [await offer(), cliPid(host.root, session.id) !== pid]
  await expect.poll(offeredByAnother, { timeout: 50_000 }).toEqual([tools, true])
  pid = cliPid(host.root, session.id)
}

it('by the API', async () => {
  const { client } = host
  const params = { name: 'live' }
  await client.addMcpServers({ body: { name: 'live', entry: offering('one') } })
  expect(await offerOnce('live', 'connected')).toEqual(['mcp__live__one'])
  const message = 'The MCP server live is now connected, with 1 tool.'
  await session.watch.next('notice', (event) => event.message === message)
  const changed = await client.changeMcpServer({ params, body: { entry: offering('two') } })
  expect(changed).toMatchObject({ name: 'live', use: 'active', source: { scope: 'dorkos' } })
  await untilOffered(['mcp__live__two'])
  await client.removeMcpServer({ params })
  expect(await offerOnce('live', undefined)).toEqual([])
})

it('by a snippet from a README, in the configuration file', async () => {
  const snippet = `"mcpServers": { "pasted": ${JSON.stringify(offering('hello'))} }`
  expect(await host.client.addMcpServers({ body: { snippet } })).toMatchObject({
    added: ['pasted'],
    faults: [],
  })
  expect(await offerOnce('pasted', 'connected')).toEqual(['mcp__pasted__hello'])
  put(join(host.home, 'config.jsonc'), '{ /* nothing any more */ }')
  expect(await offerOnce('pasted', undefined)).toEqual([])
})

it('by files of the owner', async () => {
  const file = join(host.root, '.claude', 'settings.json')
  put(file, { mcpServers: { mine: offering('one') } })
  expect(await offerOnce('mine', 'connected')).toEqual(['mcp__mine__one'])
  put(file, { mcpServers: { mine: offering('two') } })
  await untilOffered(['mcp__mine__two'])
  put(file, { mcpServers: { mine: offering('two') }, deniedMcpServers: [{ serverName: 'mine' }] })
  expect(await offerOnce('mine', undefined)).toEqual([])
  put(file, {})
})

it('by a file of the workspace, as far as it is trusted', async () => {
  const { id } = await mainWorkspace(host)
  const file = join(host.cwd, '.mcp.json')
  put(file, { mcpServers: { theirs: offering('one') } })
  await trust(host, id)
  await untilOffered(['mcp__theirs__one'])
  put(file, { mcpServers: { theirs: offering('two') } })
  await untilOffered([])
  await trust(host, id)
  await untilOffered(['mcp__theirs__two'])
  await host.client.takeWorkspaceTrust({ params: { id } })
  await untilOffered([])
})

it('in the middle of a turn', async () => {
  const { client } = host
  const add: Answer = async () => {
    await client.addMcpServers({ body: { name: 'sudden', entry: offering('hello') } })
    await untilStatus(session, 'sudden', 'connected')
    return toolUse('mcp__dorkos__ping')
  }
  const remove: Answer = async (request) => {
    expect(mcpTools(request)).toEqual(['mcp__sudden__hello'])
    await client.removeMcpServer({ params: { name: 'sudden' } })
    await untilStatus(session, 'sudden', undefined)
    return toolUse('mcp__dorkos__ping')
  }
  const end = await session.say(prompts.on('go on', add, remove, 'done'))
  expect(end).toMatchObject({ outcome: 'completed' })
  expect(lastOffer(host, session)).toEqual([])
  expect(cliPid(host.root, session.id)).toBe(pid)
})

it('while the process is being started', async () => {
  const early = await Conversation.open(host)
  await host.client.addMcpServers({ body: { name: 'early', entry: offering('hello') } })
  await untilStatus(early, 'early', 'connected')
  await early.say(prompts.on('what is there?', 'ok'))
  expect(lastOffer(host, early)).toEqual(['mcp__early__hello'])
  await early.close()
  await host.client.removeMcpServer({ params: { name: 'early' } })
  await untilStatus(session, 'early', undefined)
})

it('by the server itself: what it has anew is there after a reconnect, once it is accepted', async () => {
  const file = join(host.root, 'descriptions.json')
  put(file, { one: 'the first' })
  await host.client.addMcpServers({ body: { name: 'growing', entry: server({ toolsFile: file }) } })
  expect(await offerOnce('growing', 'connected')).toEqual(['mcp__growing__one'])
  put(file, { one: 'the first', two: 'the second' })
  const { tools, history } = await host.client.reconnectMcpServer({ params: { name: 'growing' }, body: {} })
  expect(tools.map(({ name, pin }) => [name, pin.status, pin.held])).toEqual([
    ['one', 'pinned', false],
    ['two', 'new', true],
  ])
  expect(history.map(({ state }) => state)).toEqual(['pending', 'connected', 'pending', 'connected'])
  expect(await offer()).toEqual(['mcp__growing__one'])
  const hash = tools[1]?.pin.hash ?? ''
  await host.client.acceptMcpTools({ params: { name: 'growing' }, body: { tools: [{ name: 'two', hash }] } })
  expect(await offer()).toEqual(['mcp__growing__one', 'mcp__growing__two'])
  expect(cliPid(host.root, session.id)).toBe(pid)
})
