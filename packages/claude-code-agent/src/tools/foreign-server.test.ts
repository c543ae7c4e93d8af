import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js'
import { McpServer as McpServerV2 } from '@modelcontextprotocol/server'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { McpServerInUseError } from '../errors.ts'
import { connectForeignServer, type McpServerInstance } from './foreign-server.ts'
import type { McpServerConfig } from './server-config.ts'
import type { JsonRpcMessage, ServerConnection, ServerLink, StartedToolCall } from './server-connection.ts'

/** What the tests register on a server of either version. */
interface Registry {
  adder(args: { a: number; b: number }): { content: { type: 'text'; text: string }[] }
  wait(signal: AbortSignal): Promise<void>
}

function registry(): Registry & { signals: AbortSignal[] } {
  const signals: AbortSignal[] = []
  return {
    signals,
    adder: ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
    wait: (signal) => {
      signals.push(signal)
      return new Promise(() => {})
    },
  }
}

const sum = { description: 'Adds', inputSchema: z.object({ a: z.number(), b: z.number() }) }
const bare = { description: '', inputSchema: z.object({}) }

function version1(tools: Registry) {
  const server = new McpServerV1({ name: 'one', version: '1.0.0' }, { capabilities: { logging: {} } })
  server.registerTool('add', { ...sum, inputSchema: sum.inputSchema.shape }, (args) => tools.adder(args))
  server.registerTool('wait', { ...bare, inputSchema: {} }, async (_, { signal }) => {
    await tools.wait(signal)
    return { content: [] }
  })
  server.registerTool('elicit', { ...bare, inputSchema: {} }, async () => {
    await server.server.sendLoggingMessage({ level: 'info', data: 'asking' })
    const asked = server.server.request({ method: 'ping' }, z.object({}))
    const refused = server.server
      .request({ method: 'roots/list' }, z.object({}))
      .catch((error: Error) => error.message)
    return { content: [{ type: 'text', text: `${JSON.stringify(await asked)} ${await refused}` }] }
  })
  return { server, addLate: (name = 'late') => server.registerTool(name, bare, () => ({ content: [] })) }
}

function version2(tools: Registry) {
  const server = new McpServerV2({ name: 'two', version: '1.0.0' }, { capabilities: { logging: {} } })
  server.registerTool('add', sum, (args) => tools.adder(args))
  server.registerTool('wait', bare, async (_, context) => {
    await tools.wait(context.mcpReq.signal)
    return { content: [] }
  })
  server.registerTool('elicit', bare, async (_, context) => {
    await server.server.sendLoggingMessage({ level: 'info', data: 'asking' })
    const asked = server.server.request({ method: 'ping' })
    const refused = context.mcpReq.send({ method: 'roots/list' }).catch((error: Error) => error.message)
    return { content: [{ type: 'text', text: `${JSON.stringify(await asked)} ${await refused}` }] }
  })
  return { server, addLate: (name = 'late') => server.registerTool(name, bare, () => ({ content: [] })) }
}

function fakeLink(sessionId = 'session-1') {
  const sent: JsonRpcMessage[] = []
  const log: (StartedToolCall | string)[] = []
  const link: ServerLink = {
    sessionId,
    send: (message) => sent.push(message),
    toolCallStarted: (call) => log.push(call),
    toolCallEnded: (id) => log.push(id),
  }
  return { link, sent, log }
}

const call = (id: number, name: string, args = {}): JsonRpcMessage => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, _meta: { 'claudecode/toolUseId': `toolu_${id}` } },
})
const cancel = (requestId: number): JsonRpcMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, reason: 'test' },
})

async function handshake(connection: ServerConnection): Promise<JsonRpcMessage | undefined> {
  const opened = await connection.handle({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'claude-code', version: '2' },
    },
  })
  expect(await connection.handle({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeUndefined()
  return opened
}

describe.each([
  ['v1', version1],
  ['v2', version2],
] as const)('an MCP SDK server of %s', (_, make) => {
  it('serves a session by the handshake', async () => {
    const { server } = make(registry())
    const { link, log } = fakeLink()
    const connection = connectForeignServer('x', server, link)
    expect(await handshake(connection)).toMatchObject({
      id: 0,
      result: { protocolVersion: '2025-11-25', capabilities: { tools: {} } },
    })
    const listed = await connection.handle({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expect(listed).toMatchObject({
      id: 1,
      result: { tools: [{ name: 'add' }, { name: 'wait' }, { name: 'elicit' }] },
    })
    expect(await connection.handle(call(2, 'add', { a: 1, b: 2 }))).toMatchObject({
      jsonrpc: '2.0',
      id: 2,
      result: { content: [{ type: 'text', text: '3' }] },
    })
    expect(log).toEqual([{ toolUseId: 'toolu_2', toolName: 'add', arguments: { a: 1, b: 2 } }, 'toolu_2'])
    expect(await connection.handle({ jsonrpc: '2.0', id: 3, method: 'no/such' })).toMatchObject({
      id: 3,
      error: { code: -32601 },
    })
    connection.close()
  })

  it('is refused with a tool whose name the model cannot have, at the start and when it lists its tools later', async () => {
    const key = 'a-server-with-quite-a-long-name'
    const { server, addLate } = make(registry())
    const long = 'a-tool-with-a-name-that-is-too-long'
    const connection = connectForeignServer(key, server, fakeLink().link)
    expect(await connection.manifest()).toBeDefined()
    addLate(long)
    expect(await connection.handle({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining(`mcp__${key}__${long}`) },
    })
    await expect(connection.manifest()).rejects.toThrow('73 characters, where 64 are allowed')
    connection.close()
  })

  it('gives a manifest, after which calls work, and so does a handshake', async () => {
    const { server } = make(registry())
    const { link, sent } = fakeLink()
    const connection = connectForeignServer('x', server, link)
    expect(await connection.manifest()).toMatchObject({
      initializeResult: { protocolVersion: '2025-11-25', serverInfo: { version: '1.0.0' } },
      toolsListResult: {
        tools: [{ name: 'add', description: 'Adds' }, { name: 'wait' }, { name: 'elicit' }],
      },
    })
    expect(sent).toEqual([])
    expect(await connection.handle(call(2, 'add', { a: 1, b: 2 }))).toMatchObject({ id: 2, result: {} })
    expect(await handshake(connection)).toMatchObject({ id: 0, result: {} })
    expect(await connection.handle(call(2, 'add', { a: 2, b: 2 }))).toMatchObject({
      result: { content: [{ text: '4' }] },
    })
    connection.close()
  })

  it('passes on what the server says, and refuses what it asks', async () => {
    const { server, addLate } = make(registry())
    const { link, sent } = fakeLink()
    const connection = connectForeignServer('x', server, link)
    await handshake(connection)
    const answer = await connection.handle(call(1, 'elicit'))
    expect(answer?.result).toMatchObject({ content: [{ text: expect.stringMatching(/^\{\} .+/) }] })
    addLate()
    await vi.waitFor(
      () =>
        expect(sent.map((message) => message.method)).toEqual([
          'notifications/message',
          'notifications/tools/list_changed',
        ]),
      20_000,
    )
    connection.close()
  })

  it('aborts a call that is cancelled, and answers for it', async () => {
    const tools = registry()
    const { server } = make(tools)
    const { link, log } = fakeLink()
    const connection = connectForeignServer('x', server, link)
    await handshake(connection)
    const answers = [connection.handle(call(1, 'wait')), connection.handle(call(2, 'wait'))]
    await vi.waitFor(() => expect(tools.signals).toHaveLength(2), 20_000)
    await connection.handle(cancel(2))
    expect(await answers[1]).toMatchObject({ id: 2, error: { code: -32800 } })
    expect(log.slice(2)).toEqual(['toolu_2'])
    await vi.waitFor(
      () => expect(tools.signals.map((signal) => signal.aborted)).toEqual([false, true]),
      20_000,
    )
    connection.close()
    expect(await answers[0]).toMatchObject({ id: 1, error: { code: -32000 } })
    await vi.waitFor(() => expect(tools.signals[0]?.aborted).toBe(true), 20_000)
  })

  it('serves one session at a time, and another after that', async () => {
    const { server } = make(registry())
    const first = connectForeignServer('x', server, fakeLink('a').link)
    expect(() => connectForeignServer('x', server, fakeLink('b').link)).toThrow(McpServerInUseError)
    await handshake(first)
    first.close()
    expect(await first.handle(call(1, 'add', { a: 1, b: 2 }))).toMatchObject({
      id: 1,
      error: { code: -32000 },
    })
    const second = connectForeignServer('x', server, fakeLink('b').link)
    await handshake(second)
    expect(await second.handle(call(1, 'add', { a: 1, b: 2 }))).toMatchObject({
      result: { content: [{ text: '3' }] },
    })
    second.close()
  })

  it('is let go of when it closes by itself', async () => {
    const tools = registry()
    const { server } = make(tools)
    const connection = connectForeignServer('x', server, fakeLink().link)
    await handshake(connection)
    const answer = connection.handle(call(1, 'wait'))
    await vi.waitFor(() => expect(tools.signals).toHaveLength(1), 20_000)
    await server.close()
    expect(await answer).toMatchObject({ error: { code: -32000, message: expect.stringContaining("'x'") } })
    connectForeignServer('x', server, fakeLink().link).close()
  })

  it('serves many sessions by a factory', async () => {
    const factory = vi.fn(() => make(registry()).server as McpServerInstance)
    const connections = ['a', 'b'].map((id) => connectForeignServer('x', factory, fakeLink(id).link))
    await Promise.all(connections.map(handshake))
    const answers = await Promise.all(
      connections.map((connection, index) => connection.handle(call(1, 'add', { a: index, b: 1 }))),
    )
    expect(answers).toMatchObject([
      { result: { content: [{ text: '1' }] } },
      { result: { content: [{ text: '2' }] } },
    ])
    expect(factory).toHaveBeenCalledTimes(2)
    for (const connection of connections) connection.close()
  })

  it('fits the type of mcpServers', () => {
    const { server } = make(registry())
    const config: McpServerConfig = { type: 'sdk', name: 'x', instance: server }
    expect(config.instance).toBe(server)
  })
})

describe('a server that misbehaves', () => {
  /** An instance that answers by hand. */
  function manual(onMessage: (message: JsonRpcMessage, send: (message: JsonRpcMessage) => void) => void) {
    return {
      close: async () => {},
      connect: async (transport: { onmessage?: unknown; send(message: JsonRpcMessage): void }) => {
        transport.onmessage = (message: JsonRpcMessage) =>
          onMessage(message, (answer) => transport.send(answer))
      },
    } as McpServerInstance
  }

  it('and cannot be connected fails its requests, and is not closed by us', async () => {
    const close = vi.fn(async () => {})
    const instance: McpServerInstance = { connect: () => Promise.reject(new Error('taken elsewhere')), close }
    const connection = connectForeignServer('x', instance, fakeLink().link)
    expect(await connection.handle(call(1, 'add'))).toMatchObject({
      id: 1,
      error: { message: "MCP server 'x': taken elsewhere" },
    })
    expect(await connection.manifest()).toBeUndefined()
    connection.close()
    expect(close).not.toHaveBeenCalled()
  })

  it('and returns what is not JSON gives an error', async () => {
    const instance = manual((message, send) =>
      send({ jsonrpc: '2.0', id: message.id ?? 0, result: { n: 1n } }),
    )
    const answer = await connectForeignServer('x', instance, fakeLink().link).handle(call(1, 'add'))
    expect(answer).toMatchObject({ id: 1, error: { message: expect.stringContaining('BigInt') } })
  })

  it('and throws on delivery gives an error', async () => {
    const instance = manual(() => {
      throw new Error('bad day')
    })
    const { link, log } = fakeLink()
    expect(await connectForeignServer('x', instance, link).handle(call(1, 'add'))).toMatchObject({
      id: 1,
      error: { message: 'bad day' },
    })
    expect(log).toHaveLength(2)
  })

  it('and answers twice, or what was never asked, is heard once', async () => {
    const instance = manual((message, send) => {
      send({ jsonrpc: '2.0', id: 'stray', result: {} })
      send({ jsonrpc: '2.0', id: message.id ?? 0, result: { first: true } })
      send({ jsonrpc: '2.0', id: message.id ?? 0, result: { second: true } })
    })
    const { link, log } = fakeLink()
    const connection = connectForeignServer('x', instance, link)
    expect(await connection.handle(call(1, 'add'))).toMatchObject({ id: 1, result: { first: true } })
    expect(log).toHaveLength(2)
  })

  it('and chatters during the manifest or after the end is not heard', async () => {
    const chatter: JsonRpcMessage = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
    let say: (message: JsonRpcMessage) => void = () => {}
    const instance = manual((message, send) => {
      say = send
      send(chatter)
      if (message.id === undefined) return
      const capabilities = { protocolVersion: '2025-11-25', capabilities: { tools: {} } }
      send({
        jsonrpc: '2.0',
        id: message.id,
        result: message.method === 'initialize' ? capabilities : { tools: [] },
      })
    })
    const { link, sent } = fakeLink()
    const connection = connectForeignServer('x', instance, link)
    expect(await connection.manifest()).toMatchObject({ toolsListResult: { tools: [] } })
    expect(sent).toEqual([])
    say(chatter)
    expect(sent).toEqual([chatter])
    connection.close()
    say(chatter)
    expect(sent).toHaveLength(1)
  })

  it('keeps apart requests of a client that starts over with its ids', async () => {
    const asked: JsonRpcMessage[] = []
    let say: (message: JsonRpcMessage) => void = () => {}
    const instance = manual((message, send) => {
      asked.push(message)
      say = send
    })
    const connection = connectForeignServer('x', instance, fakeLink().link)
    const answers = [connection.handle(call(1, 'old')), connection.handle(call(1, 'new'))]
    await vi.waitFor(() => expect(asked).toHaveLength(2), 20_000)
    say({ jsonrpc: '2.0', id: asked[1]?.id ?? 0, result: { from: 'new' } })
    say({ jsonrpc: '2.0', id: asked[0]?.id ?? 0, result: { from: 'old' } })
    expect(await Promise.all(answers)).toMatchObject([
      { id: 1, result: { from: 'old' } },
      { id: 1, result: { from: 'new' } },
    ])
  })

  it('and never answers gives no manifest, in bounded time', async () => {
    vi.useFakeTimers()
    try {
      const asked = connectForeignServer(
        'x',
        manual(() => {}),
        fakeLink().link,
      ).manifest()
      await vi.advanceTimersByTimeAsync(5_000)
      expect(await asked).toBeUndefined()
    } finally {
      vi.useRealTimers()
    }
  })

  it('and of a factory that makes nothing is refused by name', () => {
    expect(() =>
      connectForeignServer('x', (() => undefined) as unknown as () => never, fakeLink().link),
    ).toThrow(/MCP server 'x': the factory returned undefined/)
  })
})
