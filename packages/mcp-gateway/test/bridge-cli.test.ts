import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { realCliPath, type Script, startOffline, toolUse } from '@dorkos/testkit'
import { ClaudeCodeAgent, type Session } from 'claude-code-agent'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BridgeOptions, createBridge, type ServerEntry, type Supervisor } from '../src/index.ts'
import {
  type GatewayFixture,
  gatewayFixture,
  inState,
  plainEntry,
  stdioEntry,
  supportFile,
} from './support/gateway-fixture.ts'
import { realEntry } from './support/real-servers.ts'

let fixture: GatewayFixture
let supervisor: Supervisor
beforeEach(() => {
  fixture = gatewayFixture()
  supervisor = fixture.supervisor()
})
afterEach(() => fixture.end())

/** The real CLI with a scripted model and these servers, bridged. */
async function startAgent(script: Script, entries: ServerEntry[], options: Partial<BridgeOptions> = {}) {
  const offline = await startOffline(script)
  const servers = entries.map((entry) =>
    createBridge({ name: entry.name, hold: (id) => supervisor.hold(entry, { id }), ...options }),
  )
  const agent = new ClaudeCodeAgent({
    settingSources: [],
    cliPath: realCliPath(),
    env: offline.overlay,
    cwd: offline.cwd,
    mcpServers: Object.fromEntries(servers.map((server) => [server.name, server])),
    allowedTools: servers.map((server) => `mcp__${server.name}`),
  })
  const { model } = offline
  return {
    agent,
    model,
    /** What the model was offered of MCP in its nth request. */
    offered: (request: number) =>
      (model.requests[request]?.toolNames ?? []).filter((name) => /mcp/i.test(name)).sort(),
    async [Symbol.asyncDispose]() {
      await agent.close()
      await offline.dispose()
    },
  }
}

function untilIdle(session: Session): Promise<void> {
  return new Promise((resolve) => {
    if (session.getState().state === 'idle') return resolve()
    const stop = session.on('stateChange', ({ to }) => {
      if (to !== 'idle') return
      stop()
      resolve()
    })
  })
}

async function connected(entry: ServerEntry): Promise<void> {
  const hold = supervisor.hold(entry, { id: 'test' })
  await inState(hold, 'connected')
  hold.release()
}

const gated = (gate: string, extra: Record<string, unknown> = {}) =>
  stdioEntry(process.execPath, [supportFile('gated-server.mjs'), gate, JSON.stringify(extra)], {
    name: 'late',
  })

describe('bridged servers in the real CLI', () => {
  it('are called by the model, and text and images arrive as they are', async () => {
    const entry = realEntry('everything')
    await connected(entry)
    const script = [
      toolUse('mcp__everything__echo', { message: 'hello' }),
      toolUse('mcp__everything__get-tiny-image', {}),
      'done',
    ]
    await using run = await startAgent(script, [entry])
    const session = await run.agent.startSession({ prompt: 'go' })
    await session.waitForCompletion()
    expect(run.model.problems).toEqual([])
    expect(run.model.requests[1]?.toolResults[0]).toMatchObject({ text: 'Echo: hello', isError: false })
    const hold = supervisor.hold(entry, { id: 'test' })
    const direct = (await hold.request('tools/call', { name: 'get-tiny-image', arguments: {} })) as {
      content: { type: string; data?: string }[]
    }
    const data = direct.content.find((block) => block.type === 'image')?.data
    expect(data).toMatch(/^iVBOR/)
    expect(run.model.requests[2]?.toolResults[0]?.content).toContainEqual({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data },
    })
    expect(run.offered(0)).toContain('mcp__everything__get-sum')
  })

  it('that are late bring their tools to the next request of a session that runs', async () => {
    const gate = join(fixture.dir, 'open')
    const long = `list_${'all_'.repeat(20)}things`
    const entry = gated(gate, { tools: [{ name: long, inputSchema: { type: 'object' } }] })
    await using run = await startAgent(
      ['one', toolUse('mcp__late__say_it', { text: 'hello' }), 'two'],
      [entry],
    )
    await using session = await run.agent.startSession({ prompt: 'a', keepAlive: true })
    await untilIdle(session)
    expect(run.offered(0)).toEqual([])
    const hold = supervisor.hold(entry, { id: session.id })
    writeFileSync(gate, '')
    await inState(hold, 'connected')
    await setImmediate()
    await session.send('b')
    await untilIdle(session)
    expect(run.offered(1)).toEqual([
      expect.stringMatching(/^mcp__late__list_(all_)+\w*_[0-9a-f]{8}$/),
      'mcp__late__say_it',
    ])
    expect(run.offered(1)[0]).toHaveLength(64)
    expect(run.model.requests[2]?.toolResults[0]).toMatchObject({ text: 'say.it says hello', isError: false })
    expect(run.model.problems).toEqual([])
    hold.release()
  })

  it('that are late bring instructions and resources once they are switched off and on', async () => {
    const gate = join(fixture.dir, 'open')
    const entry = gated(gate, { instructions: 'KNOCK BEFORE ENTERING' })
    let outdated = (_: string) => {}
    const isOutdated = new Promise<string>((resolve) => {
      outdated = resolve
    })
    const read = toolUse('ReadMcpResourceTool', { server: 'late', uri: 'gated://note' })
    await using run = await startAgent(['one', 'two', read, 'three'], [entry], {
      onHandshakeOutdated: (id) => outdated(id),
    })
    await using session = await run.agent.startSession({ prompt: 'a', keepAlive: true })
    await untilIdle(session)
    writeFileSync(gate, '')
    expect(await isOutdated).toBe(session.id)
    await session.send('b')
    await untilIdle(session)
    expect(run.offered(1)).toEqual(['mcp__late__say_it'])
    expect(JSON.stringify(run.model.requests[1]?.body)).not.toContain('KNOCK')
    await session.toggleMcpServer('late', false)
    await session.toggleMcpServer('late', true)
    await session.send('c')
    await untilIdle(session)
    expect(run.offered(2)).toEqual([
      'ListMcpResourcesTool',
      'ReadMcpResourceDirTool',
      'ReadMcpResourceTool',
      'mcp__late__say_it',
    ])
    expect(JSON.stringify(run.model.requests[2]?.body)).toContain('KNOCK BEFORE ENTERING')
    expect(run.model.requests[3]?.toolResults[0]?.text).toContain('a note from behind the gate')
  })

  it('that hang or fail delay nothing', async () => {
    const hung = plainEntry({ name: 'hung', server: { hang: true } })
    const missing = stdioEntry('/nowhere/mcp-server', [], { name: 'missing' })
    await using run = await startAgent(['fine'], [hung, missing])
    const session = await run.agent.startSession({ prompt: 'go' })
    await session.waitForCompletion()
    expect(run.offered(0)).toEqual([])
    expect(supervisor.get(supervisor.keyOf(hung))?.state).toBe('pending')
  })

  it('lose a tool that is withheld while the session runs', async () => {
    const entry = plainEntry({ name: 'plain', server: { capabilities: { tools: {} } } })
    await connected(entry)
    const off = new Set<string>()
    let changed = () => {}
    const script = [
      toolUse('mcp__plain__echo', { text: 'before' }),
      'one',
      toolUse('mcp__plain__echo', { text: 'after' }),
      'two',
    ]
    await using run = await startAgent(script, [entry], {
      offers: ({ name }) => !off.has(name),
      onOfferChange: (listener) => {
        changed = listener
        return () => {}
      },
    })
    await using session = await run.agent.startSession({ prompt: 'a', keepAlive: true })
    await untilIdle(session)
    expect(run.model.requests[1]?.toolResults[0]).toMatchObject({ text: 'before' })
    off.add('echo')
    changed()
    await session.send('b')
    await untilIdle(session)
    expect(run.model.requests[3]?.toolResults[0]).toMatchObject({ isError: true })
    expect(supervisor.get(supervisor.keyOf(entry))?.stats.echo?.calls).toBe(1)
  })

  it('are let go of when the session ends, and a call under way is given up', async () => {
    const entry = plainEntry({ name: 'plain', server: { capabilities: { tools: {} } } })
    await connected(entry)
    await using run = await startAgent([toolUse('mcp__plain__wait', { text: 'x', ms: 3_600_000 })], [entry])
    const session = await run.agent.startSession({ prompt: 'a' })
    await new Promise<void>((resolve) => {
      const stop = session.on('stateChange', ({ to }) => {
        if (to !== 'waiting_tool_call') return
        stop()
        resolve()
      })
    })
    const watching = supervisor.hold(entry, { id: 'test' })
    expect(watching.status().sessions).toBe(2)
    await session.close()
    expect(watching.status().sessions).toBe(1)
    watching.release()
  })
})
