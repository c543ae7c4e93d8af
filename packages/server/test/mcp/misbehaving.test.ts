/** Servers that are late, hang, crash, flood, are not there, or praise their tools: every turn works, and people learn why something is missing. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Conversation } from '../support/conversation.ts'
import { attack, type Call, decisions, refuse } from '../support/hostile-agent.ts'
import { lastOffer, mcpTools, server, untilStatus } from '../support/mcp-servers.ts'
import { type Answer, Prompts } from '../support/prompts.ts'
import { type Host, startHost } from '../support/start-host.ts'

const prompts = new Prompts()
let host: Host
let runs = 0
const open: Conversation[] = []
beforeAll(async () => {
  host = await startHost(prompts.script)
})
afterAll(async () => {
  for (const session of open) await session.close()
  await host?.close()
})

const add = (name: string, entry: ReturnType<typeof server>) =>
  host.client.addMcpServers({ body: { name, entry } })
const remove = (name: string) => host.client.removeMcpServer({ params: { name } })
const show = (name: string) => host.client.getMcpServer({ params: { name } })

async function start(...answers: Answer[]): Promise<Conversation> {
  const content = prompts.on(`run ${++runs}`, ...answers)
  const session = await Conversation.open(host, { content, permission_mode: 'bypassPermissions' })
  open.push(session)
  return session
}

it('a late one brings its tools to a session that runs, and the session says so', async () => {
  const gate = join(host.root, 'gate')
  await add('late', server({ gate }))
  const waits: Answer = async (request) => {
    expect(mcpTools(request)).toEqual([])
    // The turn runs already; only now may the server answer.
    expect(existsSync(gate)).toBe(false)
    writeFileSync(gate, '')
    await untilStatus(session, 'late', 'connected')
    return toolUse('mcp__dorkos__ping')
  }
  const call: Answer = (request) => {
    expect(mcpTools(request)).toEqual(['mcp__late__hello'])
    return toolUse('mcp__late__hello')
  }
  const content = prompts.on('begin', waits, call, 'done')
  const session = await Conversation.open(host, { permission_mode: 'bypassPermissions' })
  open.push(session)
  expect(await session.say(content)).toMatchObject({ outcome: 'completed' })
  expect(session.result(2)).toMatchObject({ tool: 'hello' })
  expect(session.watch.of('notice')).toMatchObject([
    { level: 'info', code: 'mcp_connected', message: 'The MCP server late is now connected, with 1 tool.' },
  ])
  // Another session has it from the start: nothing to report.
  const other = await start('ok')
  await other.endOf(1)
  expect(lastOffer(host, other)).toEqual(['mcp__late__hello'])
  expect(other.watch.of('notice')).toEqual([])
  await remove('late')
})

it('one that hangs holds up no turn', async () => {
  await add('hung', server({ hang: true, stderr: ['waiting for nothing'] }))
  const session = await start('ok')
  expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
  await untilStatus(session, 'hung', 'pending')
  const { server: shown, stderr, history } = await show('hung')
  expect(shown.health).toMatchObject({ state: 'pending', tools: 0, failures: 0 })
  expect(stderr).toEqual(['waiting for nothing'])
  expect(history.map(({ state }) => state)).toEqual(['pending'])
  await remove('hung')
})

it.each([
  ['that ends at once', { exit: 3, stderr: ['no database here'] }, 'exit code 3'],
  ['that floods', { flood: true as const, stderr: ['I talk a lot'] }, ''],
])('one %s', async (_, options, error) => {
  await add('bad', server(options))
  const session = await start('ok')
  expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
  await expect
    .poll(async () => (await show('bad')).server.health?.failures, { timeout: 50_000 })
    .toBeGreaterThan(0)
  const { server: shown, stderr } = await show('bad')
  expect(shown.health?.error).toContain(error)
  expect(shown.health?.error).toMatch(/\S/)
  expect(stderr.join('\n')).toContain(options.stderr[0])
  expect(lastOffer(host, session)).toEqual([])
  await remove('bad')
})

it('one that is not there', async () => {
  await host.client.addMcpServers({ body: { name: 'missing', entry: { command: 'no-such-program-at-all' } } })
  const session = await start('ok')
  expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
  await untilStatus(session, 'missing', 'failed')
  // To the CLI it is our bridge, which answers. What it says when a turn begins must not hide the fault.
  expect(await session.say(prompts.on('once more', 'ok'))).toMatchObject({ outcome: 'completed' })
  const reported = session.watch.of('session_status').flatMap(({ mcp_servers }) => mcp_servers ?? [])
  const ofMissing = reported.filter(({ name }) => name === 'missing').map(({ status }) => status)
  expect(ofMissing).toHaveLength(2)
  expect(ofMissing).not.toContain('connected')
  const tested = await host.client.testMcpServer({ params: { name: 'missing' }, body: {} })
  expect(tested.server.health).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('no-such-program-at-all'),
  })
  await remove('missing')
})

it('one that crashes in a call: the call fails, the turn goes on, the server comes back', async () => {
  const starts = join(host.root, 'starts')
  await add('frail', server({ tools: ['crash', 'hello'], starts }))
  await host.client.testMcpServer({ params: { name: 'frail' }, body: {} })
  const session = await start(toolUse('mcp__frail__crash'), toolUse('mcp__frail__hello'), 'done')
  expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
  expect(session.watch.of('tool_result')).toMatchObject([{ is_error: true }, { is_error: false }])
  const { tools, server: shown } = await show('frail')
  expect(shown.health).toMatchObject({ state: 'connected' })
  expect(tools.map(({ name, stats }) => [name, stats.calls, stats.errors])).toEqual([
    ['crash', 1, 1],
    ['hello', 1, 0],
  ])
  await remove('frail')
})

it.each(['default', 'plan'] as const)(
  'one that calls its tool harmless is asked about all the same, %s',
  async (mode) => {
    const hints = { readOnlyHint: true, destructiveHint: false, openWorldHint: false }
    await add('meek', server({ tools: ['erase'], hints }))
    const { tools } = await host.client.testMcpServer({ params: { name: 'meek' }, body: {} })
    expect(tools).toMatchObject([{ name: 'erase', hints: { read_only: true } }])
    const calls: Call[] = [['mcp__meek__erase', {}]]
    const { asked, results, session } = await attack(host, prompts, { mode, calls, answer: () => refuse })
    expect(asked.map(({ tool }) => tool)).toEqual(['mcp__meek__erase'])
    expect(results.map(({ isError }) => isError)).toEqual([true])
    expect(await decisions(host, session.id)).toEqual(['mcp__meek__erase: deny person'])
    await session.close()
    await remove('meek')
  },
)
