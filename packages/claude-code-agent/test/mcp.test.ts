import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { createSdkMcpServer, tool } from '../src/index.ts'
import { nextTurn, untilState } from './support/collect.ts'
import { startHttpServers } from './support/http-servers.ts'
import { startOfflineAgent } from './support/offline-agent.ts'

const echo = (name: string) =>
  tool({ name, description: `Says ${name}`, inputSchema: {}, handler: () => name })

const mcpTools = (names: string[] | undefined) =>
  (names ?? []).filter((name) => name.startsWith('mcp__')).sort()

describe('servers of a session that runs', () => {
  it('offer a tool that is added in the next request', async () => {
    const server = createSdkMcpServer({ name: 's', tools: [echo('first')] })
    await using run = await startOfflineAgent(['one', toolUse('mcp__s__second', {}), 'two'], {
      mcpServers: { s: server },
      allowedTools: ['mcp__s__second'],
    })
    await using session = await run.agent.startSession({ prompt: 'a', keepAlive: true })
    await untilState(session, 'idle')
    expect(mcpTools(run.model.requests[0]?.toolNames)).toEqual(['mcp__s__first'])

    server.addTool(echo('second'))
    await session.send('b')
    await untilState(session, 'idle')
    expect(mcpTools(run.model.requests[1]?.toolNames)).toEqual(['mcp__s__first', 'mcp__s__second'])
    expect(run.model.requests[2]?.toolResults[0]?.text).toBe('second')
  })

  it('refuse a tool that was removed, although the CLI still shows it to the model (2.1.325)', async () => {
    const server = createSdkMcpServer({ name: 's', tools: [echo('first'), echo('second')] })
    await using run = await startOfflineAgent(['one', toolUse('mcp__s__first', {}), 'two'], {
      mcpServers: { s: server },
      allowedTools: ['mcp__s__first'],
    })
    await using session = await run.agent.startSession({ prompt: 'a', keepAlive: true })
    await untilState(session, 'idle')
    server.removeTool('first')
    await session.send('b')
    await untilState(session, 'idle')
    expect(run.model.requests[2]?.toolResults).toMatchObject([
      { isError: true, text: expect.stringContaining('No such tool available: mcp__s__first') },
    ])
    const [status] = await session.mcpServerStatus()
    expect(status?.tools?.map((one) => one.name)).toEqual(['second'])
  })

  it('reach the model within the turn that is under way', async () => {
    const server = createSdkMcpServer({ name: 's', tools: [] })
    server.addTool(
      tool({
        name: 'grow',
        description: 'Adds a tool',
        inputSchema: {},
        handler: () => {
          server.addTool(echo('grown'))
          return 'added'
        },
      }),
    )
    await using run = await startOfflineAgent([toolUse('mcp__s__grow', {}), 'done'], {
      mcpServers: { s: server },
      allowedTools: ['mcp__s__grow'],
    })
    const session = await run.agent.startSession({ prompt: 'go' })
    await session.waitForCompletion()
    expect(mcpTools(run.model.requests[1]?.toolNames)).toEqual(['mcp__s__grow', 'mcp__s__grown'])
  })

  it('are added and removed as a whole by setMcpServers()', async () => {
    const first = createSdkMcpServer({ name: 'first', tools: [echo('x')] })
    await using run = await startOfflineAgent(['one', toolUse('mcp__late__y', {}), 'two', 'three'], {
      mcpServers: { first },
      allowedTools: ['mcp__late__y'],
    })
    await using session = await run.agent.startSession({ prompt: 'a', keepAlive: true })
    await untilState(session, 'idle')
    const late = createSdkMcpServer({ name: 'late', tools: [echo('y')] })
    expect(await session.setMcpServers({ first, late })).toMatchObject({
      added: ['late'],
      removed: [],
      errors: {},
    })
    await session.send('b')
    await untilState(session, 'idle')
    expect(mcpTools(run.model.requests[1]?.toolNames)).toEqual(['mcp__first__x', 'mcp__late__y'])
    expect(run.model.requests[2]?.toolResults[0]?.text).toBe('y')
    expect(await session.setMcpServers({ late })).toMatchObject({ removed: ['first'] })
    await session.send('c')
    await untilState(session, 'idle')
    expect(mcpTools(run.model.requests[3]?.toolNames)).toEqual(['mcp__late__y'])
  })

  it('serve many sessions at once with one server object, each call with its own session', async () => {
    const seen: [string, string][] = []
    const server = createSdkMcpServer({
      name: 's',
      tools: [
        tool({
          name: 'who',
          description: 'Says who asks',
          inputSchema: { from: 'string' },
          handler: ({ from }, { sessionId }) => {
            seen.push([from, sessionId])
            return sessionId
          },
        }),
      ],
    })
    await using run = await startOfflineAgent(
      (request) =>
        request.toolResults.length > 0 ? 'done' : toolUse('mcp__s__who', { from: request.lastUserText }),
      { mcpServers: { s: server }, allowedTools: ['mcp__s__who'] },
    )
    const sessions = await Promise.all(['a', 'b', 'c'].map((prompt) => run.agent.startSession({ prompt })))
    await Promise.all(sessions.map((session) => session.waitForCompletion()))
    expect(seen.sort()).toEqual(sessions.map((session, i) => ['abc'[i], session.id]))
  })
})

describe('an external server', () => {
  it('works, and no secret of its configuration is on the command line or left in a file', async () => {
    const server = fileURLToPath(new URL('./support/stdio-server.mjs', import.meta.url))
    await using run = await startOfflineAgent(['one'], {
      mcpServers: { ext: { command: process.execPath, args: [server], env: { TOKEN: 'tok-secret' } } },
    })
    await using session = await run.agent.startSession({ keepAlive: true })
    const commandLine = await readFile(`/proc/${session.pid}/cmdline`, 'utf8')
    expect(commandLine).not.toContain('tok-secret')
    const file = /--mcp-config=([^\0]+)/.exec(commandLine)?.[1] ?? ''
    expect(file).not.toBe('')
    expect(existsSync(file)).toBe(false)
    expect(await session.waitForMcp({ timeoutMs: 20_000 })).toMatchObject({ ready: ['ext'] })
  })
})

describe('external servers over HTTP', () => {
  it('work as http and as sse, and get their headers', async () => {
    await using servers = await startHttpServers()
    const headers = { authorization: 'Bearer tok-secret' }
    await using run = await startOfflineAgent(
      [toolUse('mcp__web__greet', {}), toolUse('mcp__old__greet', {}), 'done'],
      {
        mcpServers: {
          web: { type: 'http', url: `${servers.url}/mcp`, headers },
          old: { type: 'sse', url: `${servers.url}/sse`, headers },
        },
        allowedTools: ['mcp__web__greet', 'mcp__old__greet'],
      },
    )
    const session = await run.agent.startSession({ prompt: 'go', waitForMcp: { timeoutMs: 20_000 } })
    await session.waitForCompletion()
    const told = run.model.requests.flatMap((request) => request.toolResults.map((result) => result.text))
    expect(told).toEqual(['hello over http', 'hello over sse'])
    expect(servers.authorized.get('/mcp')).toBe('Bearer tok-secret')
    expect(servers.authorized.get('/sse')).toBe('Bearer tok-secret')
  })
})

describe('the state of servers', () => {
  it('is told by mcpServerStatus(), toggle and reconnect', async () => {
    const server = createSdkMcpServer({ name: 's', tools: [echo('x')] })
    await using run = await startOfflineAgent(['one', 'two'], { mcpServers: { s: server } })
    await using session = await run.agent.startSession({ keepAlive: true })
    expect(await session.waitForMcp({ timeoutMs: 10_000 })).toMatchObject({
      ready: ['s'],
      failed: [],
      pending: [],
    })
    expect(await session.mcpServerStatus()).toMatchObject([{ name: 's', status: 'connected' }])
    await session.toggleMcpServer('s', false)
    const turn = nextTurn(session)
    await session.send('a')
    await turn
    expect(mcpTools(run.model.requests[0]?.toolNames)).toEqual([])
    await expect(session.reconnectMcpServer('ghost')).rejects.toMatchObject({ code: 'CONTROL_PROTOCOL' })
  })

  it('says which servers are ready and why others are not, before the first message', async () => {
    const server = createSdkMcpServer({ name: 's', tools: [echo('x')] })
    await using run = await startOfflineAgent(['one'], {
      mcpServers: { s: server, broken: { command: '/nowhere/mcp-server' } },
    })
    await using session = await run.agent.startSession({ keepAlive: true })
    const readiness = await session.waitForMcp({ timeoutMs: 15_000 })
    expect(readiness.ready).toEqual(['s'])
    expect(readiness.failed).toMatchObject([{ name: 'broken', error: expect.stringMatching(/\S/) }])
  })
})
