import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { createSdkMcpServer, tool } from '../src/index.ts'
import { nextTurn } from './support/collect.ts'
import { startHttpServers } from './support/http-servers.ts'
import { startOfflineAgent } from './support/offline-agent.ts'
import { sharedSession } from './support/shared-session.ts'

const echo = (name: string) =>
  tool({ name, description: `Says ${name}`, inputSchema: {}, handler: () => name })

const mcpTools = (names: string[] | undefined) =>
  (names ?? []).filter((name) => name.startsWith('mcp__')).sort()

describe('servers of a session that runs', () => {
  const server = createSdkMcpServer({ name: 's', tools: [echo('first')] })
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
  const shared = sharedSession({ mcpServers: { s: server }, allowedTools: ['mcp__s', 'mcp__late__y'] })

  it('offer a tool that is added in the next request', async () => {
    const before = await shared.turn(['one'])
    expect(mcpTools(before.requests[0]?.toolNames)).toEqual(['mcp__s__first', 'mcp__s__grow'])
    server.addTool(echo('second'))
    const { requests, toolResults } = await shared.turn([toolUse('mcp__s__second', {}), 'two'])
    expect(mcpTools(requests[0]?.toolNames)).toEqual(['mcp__s__first', 'mcp__s__grow', 'mcp__s__second'])
    expect(toolResults).toMatchObject([{ text: 'second' }])
  })

  it('reach the model within the turn that is under way', async () => {
    const { requests } = await shared.turn([toolUse('mcp__s__grow', {}), 'done'])
    expect(mcpTools(requests[0]?.toolNames)).not.toContain('mcp__s__grown')
    expect(mcpTools(requests[1]?.toolNames)).toContain('mcp__s__grown')
  })

  it('refuse a tool that was removed, although the CLI still shows it to the model (2.1.325)', async () => {
    server.removeTool('first')
    const { toolResults } = await shared.turn([toolUse('mcp__s__first', {}), 'two'])
    expect(toolResults).toEqual([
      { isError: true, text: expect.stringContaining('No such tool available: mcp__s__first') },
    ])
    const [status] = await shared.session.mcpServerStatus()
    expect(status?.tools?.map((one) => one.name).sort()).toEqual(['grow', 'grown', 'second'])
  })

  it('are added and removed as a whole by setMcpServers()', async () => {
    const { session } = shared
    const late = createSdkMcpServer({ name: 'late', tools: [echo('y')] })
    expect(await session.setMcpServers({ s: server, late })).toMatchObject({
      added: ['late'],
      removed: [],
      errors: {},
    })
    const { requests, toolResults } = await shared.turn([toolUse('mcp__late__y', {}), 'two'])
    expect(mcpTools(requests[0]?.toolNames)).toEqual(
      expect.arrayContaining(['mcp__late__y', 'mcp__s__second']),
    )
    expect(toolResults).toMatchObject([{ text: 'y' }])
    expect(await session.setMcpServers({ late })).toMatchObject({ removed: ['s'] })
    const after = await shared.turn(['three'])
    expect(mcpTools(after.requests[0]?.toolNames)).toEqual(['mcp__late__y'])
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
    const sessions = await Promise.all(['a', 'b'].map((prompt) => run.agent.startSession({ prompt })))
    await Promise.all(sessions.map((session) => session.waitForCompletion()))
    expect(seen.sort()).toEqual(sessions.map((session, i) => ['ab'[i], session.id]))
  })
})

describe('external servers', () => {
  it('work over stdio, http and sse, and no secret of theirs is on the command line or left in a file', async () => {
    const server = fileURLToPath(new URL('./support/stdio-server.mjs', import.meta.url))
    await using servers = await startHttpServers()
    const headers = { authorization: 'Bearer tok-secret' }
    await using run = await startOfflineAgent(
      [toolUse('mcp__web__greet', {}), toolUse('mcp__old__greet', {}), 'done'],
      {
        mcpServers: {
          ext: { command: process.execPath, args: [server], env: { TOKEN: 'tok-secret' } },
          web: { type: 'http', url: `${servers.url}/mcp`, headers },
          old: { type: 'sse', url: `${servers.url}/sse`, headers },
        },
        allowedTools: ['mcp__web__greet', 'mcp__old__greet'],
      },
    )
    await using session = await run.agent.startSession({ keepAlive: true })
    const commandLine = await readFile(`/proc/${session.pid}/cmdline`, 'utf8')
    expect(commandLine).not.toContain('tok-secret')
    const file = /--mcp-config=([^\0]+)/.exec(commandLine)?.[1] ?? ''
    expect(file).not.toBe('')
    expect(existsSync(file)).toBe(false)
    const { ready } = await session.waitForMcp({ timeoutMs: 20_000 })
    expect(ready.toSorted()).toEqual(['ext', 'old', 'web'])
    const turn = nextTurn(session)
    await session.send('go')
    await turn
    const toolResults = run.model.requests.flatMap((request) =>
      request.toolResults.map((result) => result.text),
    )
    expect(toolResults).toEqual(['hello over http', 'hello over sse'])
    expect(servers.authorized.get('/mcp')).toBe('Bearer tok-secret')
    expect(servers.authorized.get('/sse')).toBe('Bearer tok-secret')
  })
})

describe('the state of servers', () => {
  it('is reported before the first message, with why some are not ready; by mcpServerStatus(), toggle and reconnect', async () => {
    const server = createSdkMcpServer({ name: 's', tools: [echo('x')] })
    await using run = await startOfflineAgent(['one'], {
      mcpServers: { s: server, broken: { command: '/nowhere/mcp-server' } },
    })
    await using session = await run.agent.startSession({ keepAlive: true })
    const readiness = await session.waitForMcp({ timeoutMs: 15_000 })
    expect(readiness).toMatchObject({ ready: ['s'], pending: [] })
    expect(readiness.failed).toMatchObject([{ name: 'broken', error: expect.stringMatching(/\S/) }])
    expect(await session.mcpServerStatus()).toContainEqual(
      expect.objectContaining({ name: 's', status: 'connected' }),
    )
    await session.toggleMcpServer('s', false)
    const turn = nextTurn(session)
    await session.send('a')
    await turn
    expect(mcpTools(run.model.requests[0]?.toolNames)).toEqual([])
    await expect(session.reconnectMcpServer('ghost')).rejects.toMatchObject({ code: 'CONTROL_PROTOCOL' })
  })
})
