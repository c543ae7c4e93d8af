import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { AbortError, TimeoutError, ToolDefinitionError, ToolExecutionError } from '../errors.ts'
import type { ToolContext } from './sdk-tool.ts'
import type { JsonRpcMessage, ServerLink, StartedToolCall } from './server-connection.ts'
import { tool } from './tool.ts'
import { createSdkMcpServer, type SdkMcpServer, type SdkMcpServerOptions } from './tool-server.ts'

interface FakeLink extends ServerLink {
  sent: JsonRpcMessage[]
  log: (StartedToolCall | string)[]
}

function fakeLink(sessionId = 'session-1'): FakeLink {
  const sent: JsonRpcMessage[] = []
  const log: (StartedToolCall | string)[] = []
  return {
    sessionId,
    sent,
    log,
    send: (message) => sent.push(message),
    toolCallStarted: (call) => log.push(call),
    toolCallEnded: (id) => log.push(id),
  }
}

let nextId = 0
const request = (method: string, params: Record<string, unknown> = {}): JsonRpcMessage => ({
  jsonrpc: '2.0',
  id: nextId++,
  method,
  params,
})
const callOf = (name: string, args: unknown, toolUseId = 'toolu_1') =>
  request('tools/call', {
    name,
    arguments: args,
    _meta: { 'claudecode/toolUseId': toolUseId, progressToken: 1 },
  })

async function ask(server: SdkMcpServer, method: string, params: Record<string, unknown> = {}) {
  const response = await server.connect(fakeLink()).handle(request(method, params))
  if (response?.error) return { error: response.error }
  return response?.result
}

/** Calls a server's tool and returns the result. */
const call = (server: SdkMcpServer, name: string, args: unknown = {}) =>
  ask(server, 'tools/call', { name, arguments: args }) as Promise<Record<string, unknown>>

const serve = (options: Partial<SdkMcpServerOptions>) => createSdkMcpServer({ name: 's', ...options })
const say = (text: string) => ({ content: [{ type: 'text', text }] })
const failure = (pattern: RegExp) => ({
  content: [{ type: 'text', text: expect.stringMatching(pattern) }],
  isError: true,
})
const add = tool({
  name: 'add',
  description: 'Adds',
  inputSchema: { a: 'number', b: 'number' },
  handler: async ({ a, b }) => String(a + b),
})

describe('the handshake', () => {
  const server = createSdkMcpServer({
    name: 'calc',
    version: '2.0.0',
    instructions: 'Use for sums.',
    tools: [
      add,
      tool('hint', 'Hints', { x: z.string() }, () => '', {
        searchHint: 'find me',
        annotations: { readOnlyHint: true },
      }),
    ],
  })
  const entries = [
    {
      name: 'add',
      description: 'Adds',
      inputSchema: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
        additionalProperties: false,
      },
    },
    {
      name: 'hint',
      description: 'Hints',
      annotations: { readOnlyHint: true },
      _meta: { 'anthropic/searchHint': 'find me' },
      inputSchema: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
    },
  ]
  const initialized = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'calc', version: '2.0.0' },
    instructions: 'Use for sums.',
  }

  it('can be skipped by a manifest that says the same', async () => {
    expect(await server.connect(fakeLink()).manifest()).toEqual({
      initializeResult: initialized,
      toolsListResult: { tools: entries },
    })
    expect(await ask(server, 'initialize', { protocolVersion: '2025-11-25' })).toEqual(initialized)
    expect(await ask(server, 'tools/list')).toEqual({ tools: entries })
  })

  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    [7, '2025-11-25'],
  ])('asked for protocol %s answers %s', async (protocolVersion, expected) => {
    expect(await ask(server, 'initialize', { protocolVersion })).toMatchObject({ protocolVersion: expected })
  })

  it('answers ping and log levels, refuses unknown methods, ignores notifications and responses', async () => {
    expect(await ask(server, 'ping')).toEqual({})
    expect(await ask(server, 'logging/setLevel', { level: 'debug' })).toEqual({})
    expect(await ask(server, 'completion/complete')).toMatchObject({ error: { code: -32601 } })
    const connection = server.connect(fakeLink())
    expect(await connection.handle({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeUndefined()
    expect(await connection.handle({ jsonrpc: '2.0', method: 'notifications/cancelled' })).toBeUndefined()
    expect(await connection.handle({ jsonrpc: '2.0', id: 1, result: {} })).toBeUndefined()
  })

  it('marks tools that are never deferred', async () => {
    const eager = serve({ alwaysLoad: true, tools: [add] })
    expect(await ask(eager, 'tools/list')).toMatchObject({
      tools: [{ _meta: { 'anthropic/alwaysLoad': true } }],
    })
    const single = serve({ tools: [tool('a', '', {}, () => '', { alwaysLoad: true }), add] })
    const listed = (await ask(single, 'tools/list')) as { tools: Record<string, unknown>[] }
    expect(listed.tools.map((entry) => entry._meta)).toEqual([{ 'anthropic/alwaysLoad': true }, undefined])
  })

  it('waits for schemas that have to be described by Zod', async () => {
    const late = serve({ tools: [tool('m', '', { a: mini.number() }, () => '')] })
    expect(await ask(late, 'tools/list')).toMatchObject({ tools: [{ inputSchema: { required: ['a'] } }] })
  })

  it('announces resources and prompts only where they were declared', async () => {
    const resource = { uri: 'x://a', name: 'a', read: () => '' }
    const capabilities = async (options: Partial<SdkMcpServerOptions>) =>
      Object.keys(((await ask(serve(options), 'initialize')) as { capabilities: object }).capabilities)
    expect(await capabilities({})).toEqual(['tools'])
    expect(await capabilities({ resources: [] })).toEqual(['tools', 'resources'])
    expect(await capabilities({ resources: [resource], prompts: [] })).toEqual([
      'tools',
      'resources',
      'prompts',
    ])
  })
})

describe('a call', () => {
  it('runs the handler and answers under its id', async () => {
    const connection = serve({ tools: [add] }).connect(fakeLink())
    expect(await connection.handle({ ...callOf('add', { a: 1, b: 2 }), id: 'seven' })).toEqual({
      jsonrpc: '2.0',
      id: 'seven',
      result: say('3'),
    })
  })

  it('gives the handler the ids of the call and the session', async () => {
    let seen: ToolContext | undefined
    const server = serve({
      tools: [
        tool('see', '', {}, (_, context) => {
          seen = context
          return ''
        }),
      ],
    })
    await server.connect(fakeLink('session-9')).handle(callOf('see', {}, 'toolu_42'))
    expect(seen).toMatchObject({ toolUseId: 'toolu_42', sessionId: 'session-9' })
    expect(seen?.signal).toBeInstanceOf(AbortSignal)
    await server.connect(fakeLink()).handle(request('tools/call', { name: 'see' }))
    expect(seen?.toolUseId).toMatch(/^toolu_local_./)
  })

  it('is reported to the link when it begins and ends, in that order', async () => {
    const link = fakeLink()
    const connection = serve({ tools: [add] }).connect(link)
    await connection.handle(callOf('add', { a: 1, b: 2 }, 'toolu_7'))
    await connection.handle(callOf('add', { a: 'wrong' }, 'toolu_8'))
    expect(link.log).toEqual([
      { toolUseId: 'toolu_7', toolName: 'add', arguments: { a: 1, b: 2 } },
      'toolu_7',
      { toolUseId: 'toolu_8', toolName: 'add', arguments: { a: 'wrong' } },
      'toolu_8',
    ])
  })

  it('with wrong arguments never reaches the handler, and says which field was wrong', async () => {
    const handler = vi.fn(() => '')
    const server = serve({
      tools: [
        tool({ name: 'simple', description: '', inputSchema: { a: 'number' }, handler }),
        tool({ name: 'zod', description: '', inputSchema: { a: z.number() }, handler }),
        tool({
          name: 'json',
          description: '',
          inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
          handler,
        }),
      ],
    })
    for (const name of ['simple', 'zod', 'json']) {
      expect(await call(server, name, { a: 'x' })).toEqual(
        failure(new RegExp(`^Invalid arguments for tool '${name}':\n- a: .*expected number`)),
      )
      expect(await call(server, name, 'text')).toEqual(failure(/Invalid arguments/))
    }
    expect(handler).not.toHaveBeenCalled()
    await call(server, 'zod', { a: 1, more: true })
    expect(handler).toHaveBeenCalledWith({ a: 1 }, expect.anything())
  })

  it('with arguments nested too deeply for the check is refused, not fatal', async () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 50_000; depth++) deep = [deep]
    const nested: z.ZodType = z.lazy(() => z.union([z.number(), z.array(nested)]))
    const server = serve({ tools: [tool('deep', '', { nested }, () => 'ran')] })
    expect(await call(server, 'deep', { nested: deep })).toEqual(failure(/could not be checked/))
  })

  it('of an unknown tool is a protocol error that names it', async () => {
    expect(await call(serve({ tools: [add] }), 'sub')).toMatchObject({
      error: { code: -32602, message: "Server 's' has no tool 'sub'" },
    })
  })

  it('whose handler returns junk gets an error result', async () => {
    const server = serve({ tools: [tool('junk', '', {}, () => undefined as unknown as string)] })
    expect(await call(server, 'junk')).toEqual(failure(/invalid result: .*got undefined/))
  })

  it('keeps `this` of a tool that is an object with methods', async () => {
    const counter = {
      name: 'count',
      description: '',
      inputSchema: {},
      count: 0,
      handler() {
        this.count++
        return String(this.count)
      },
    }
    const server = serve({ tools: [counter] })
    await call(server, 'count')
    expect(await call(server, 'count')).toEqual(say('2'))
  })

  it('checks structured content against the output schema', async () => {
    const outputSchema = { sum: 'number' } as const
    const server = serve({
      tools: [
        tool('good', '', {}, () => ({ structuredContent: { sum: 3 } }), { outputSchema }),
        tool('bad', '', {}, async () => ({ structuredContent: { sum: '3' } }), { outputSchema }),
        tool('json', '', {}, () => ({ structuredContent: {} }), {
          outputSchema: { type: 'object', required: ['sum'] },
        }),
      ],
    })
    expect(await call(server, 'good')).toEqual({ ...say('{"sum":3}'), structuredContent: { sum: 3 } })
    expect(await call(server, 'bad')).toEqual(failure(/- sum: expected number, got a string/))
    expect(await call(server, 'json')).toEqual(failure(/- sum: expected a value/))
    expect(await ask(server, 'tools/list')).toMatchObject({
      tools: [{ outputSchema: { required: ['sum'] } }, {}, {}],
    })
  })
})

describe('a handler that fails', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('kaboom')
      },
      /^kaboom$/,
    ],
    ['rejects', () => Promise.reject(new TypeError('')), /^TypeError$/],
    [
      'throws text',
      () => {
        throw 'just text'
      },
      /^just text$/,
    ],
    [
      'throws nothing',
      () => {
        throw undefined
      },
      /^undefined$/,
    ],
    [
      'throws an object',
      () => {
        throw { status: 500 }
      },
      /^\{"status":500\}$/,
    ],
    [
      'throws an object that cannot be read',
      () => {
        throw {
          get message() {
            throw new Error('x')
          },
        }
      },
      /was thrown/,
    ],
  ])('and %s gives an error result', async (_, handler, message) => {
    const onToolError = vi.fn()
    const server = serve({ onToolError, tools: [tool('f', '', {}, handler as () => never)] })
    expect(await call(server, 'f')).toEqual(failure(message))
    expect(onToolError).toHaveBeenCalledExactlyOnceWith(expect.any(ToolExecutionError), {
      toolName: 'f',
      toolUseId: expect.any(String),
      sessionId: 'session-1',
    })
  })

  it('is reported with its cause; a listener that throws does no harm', async () => {
    const cause = new Error('kaboom')
    const onToolError = vi.fn(() => {
      throw new Error('listener')
    })
    const server = serve({ onToolError, tools: [tool('f', '', {}, () => Promise.reject(cause))] })
    expect(await call(server, 'f')).toEqual(failure(/^kaboom$/))
    expect(onToolError.mock.calls).toMatchObject([[{ code: 'TOOL_EXECUTION', toolName: 'f', cause }, {}]])
  })
})

describe('a handler that does not come back', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** A tool that hands out its signal and the means to finish it. */
  function hanging(timeoutMs?: number) {
    const calls: { signal: AbortSignal; finish(text: string): void }[] = []
    const made = tool({
      name: 'hang',
      description: '',
      inputSchema: {},
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      handler: (_, { signal }) => new Promise<string>((finish) => calls.push({ signal, finish })),
    })
    return { made, calls }
  }

  it.each([
    ['60 s by default', undefined, undefined, 60_000],
    ['its own time', 250, undefined, 250],
    ["the server's time", undefined, 5_000, 5_000],
    ["its own before the server's", 250, 5_000, 250],
  ])('times out after %s: the model is notified and the signal aborts', async (_, own, timeout, after) => {
    const { made, calls } = hanging(own)
    const onToolError = vi.fn()
    const link = fakeLink()
    const server = serve({ tools: [made], onToolError, ...(timeout === undefined ? {} : { timeout }) })
    const answer = server.connect(link).handle(callOf('hang', {}))
    await vi.advanceTimersByTimeAsync(after - 1)
    expect(calls[0]?.signal.aborted).toBe(false)
    expect(link.log).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect((await answer)?.result).toEqual(failure(new RegExp(`Tool 'hang' timed out after ${after} ms`)))
    expect(calls[0]?.signal.reason).toBeInstanceOf(TimeoutError)
    expect(onToolError).toHaveBeenCalledExactlyOnceWith(expect.any(TimeoutError), expect.anything())
    calls[0]?.finish('late')
    await vi.advanceTimersByTimeAsync(0)
    expect(link.log).toHaveLength(2)
  })

  it.each([0, Number.POSITIVE_INFINITY, 2 ** 40])('never times out with timeoutMs %s', async (timeoutMs) => {
    const { made, calls } = hanging(timeoutMs)
    const answer = serve({ tools: [made] })
      .connect(fakeLink())
      .handle(callOf('hang', {}))
    expect(vi.getTimerCount()).toBe(0)
    await vi.advanceTimersByTimeAsync(3_600_000)
    calls[0]?.finish('at last')
    expect((await answer)?.result).toEqual(say('at last'))
  })

  it('leaves no timer behind', async () => {
    const { made, calls } = hanging()
    const connection = serve({ tools: [made] }).connect(fakeLink())
    const answers = [connection.handle(callOf('hang', {})), connection.handle(callOf('hang', {}))]
    expect(vi.getTimerCount()).toBe(2)
    calls[0]?.finish('done')
    await answers[0]
    expect(vi.getTimerCount()).toBe(1)
    connection.close()
    await answers[1]
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is aborted by notifications/cancelled; others go on, and the late result is dropped', async () => {
    const { made, calls } = hanging()
    const link = fakeLink()
    const connection = serve({ tools: [made] }).connect(link)
    const first = connection.handle({ ...callOf('hang', {}, 'toolu_a'), id: 2 })
    const second = connection.handle({ ...callOf('hang', {}, 'toolu_b'), id: 3 })
    await connection.handle({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 2, reason: 'AbortError: remote-cancel' },
    })
    expect(await first).toMatchObject({ id: 2, error: { code: -32800 } })
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false])
    expect(calls[0]?.signal.reason).toBeInstanceOf(AbortError)
    expect(calls[0]?.signal.reason.message).toContain('remote-cancel')
    calls[0]?.finish('late')
    calls[1]?.finish('fine')
    expect((await second)?.result).toEqual(say('fine'))
    expect(link.log.slice(2)).toEqual(['toolu_a', 'toolu_b'])
  })

  it('is aborted when the connection closes, and later requests are refused', async () => {
    const { made, calls } = hanging()
    const link = fakeLink()
    const connection = serve({ tools: [made] }).connect(link)
    const answer = connection.handle(callOf('hang', {}))
    connection.close()
    connection.close()
    expect(await answer).toMatchObject({ error: { code: -32000 } })
    expect(calls[0]?.signal.aborted).toBe(true)
    expect(link.log).toHaveLength(2)
    expect(await connection.handle(callOf('hang', {}))).toMatchObject({ error: { code: -32000 } })
  })

  it('sees the abort on a signal that it first looks at afterwards', async () => {
    let context: ToolContext | undefined
    const made = tool('hang', '', {}, (_, given) => {
      context = given
      return new Promise<string>(() => {})
    })
    const connection = serve({ tools: [made] }).connect(fakeLink())
    const answer = connection.handle(callOf('hang', {}))
    connection.close()
    await answer
    expect(context?.signal.aborted).toBe(true)
    expect(context?.signal).toBe(context?.signal)
  })

  it('in its argument check is limited too, and a handler does not start after a cancel', async () => {
    const never = z.string().refine(() => new Promise<boolean>(() => {}))
    const handler = vi.fn(() => '')
    const server = serve({ tools: [tool('check', '', { never }, handler, { timeoutMs: 50 })] })
    const answer = call(server, 'check', { never: 'x' })
    await vi.advanceTimersByTimeAsync(50)
    expect(await answer).toEqual(failure(/timed out/))
    let pass: (ok: boolean) => void = () => {}
    const gated = z.string().refine(
      () =>
        new Promise<boolean>((done) => {
          pass = done
        }),
    )
    const connection = serve({ tools: [tool('gated', '', { gated }, handler)] }).connect(fakeLink())
    const cancelled = connection.handle({ ...callOf('gated', { gated: 'x' }), id: 5 })
    await vi.advanceTimersByTimeAsync(0)
    await connection.handle({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } })
    pass(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(await cancelled).toMatchObject({ error: { code: -32800 } })
    expect(handler).not.toHaveBeenCalled()
  })
})

describe('one server and many sessions', () => {
  it('serves them side by side, with equal ids and no mixing', async () => {
    const finish: Record<string, (text: string) => void> = {}
    const server = serve({
      tools: [
        tool(
          'wait',
          '',
          {},
          (_, { sessionId }) =>
            new Promise<string>((done) => {
              finish[sessionId] = done
            }),
        ),
      ],
    })
    const connections = ['a', 'b', 'c'].map((id) => server.connect(fakeLink(id)))
    const answers = connections.map((connection) => connection.handle({ ...callOf('wait', {}), id: 1 }))
    finish.c?.('for c')
    connections[1]?.close()
    finish.a?.('for a')
    expect(await Promise.all(answers)).toMatchObject([
      { result: say('for a') },
      { error: { code: -32000 } },
      { result: say('for c') },
    ])
  })

  it('runs calls of one session concurrently', async () => {
    let running = 0
    let most = 0
    const server = serve({
      tools: [
        tool('slow', '', {}, async () => {
          most = Math.max(most, ++running)
          await new Promise(setImmediate)
          running--
          return ''
        }),
      ],
    })
    const connection = server.connect(fakeLink())
    await Promise.all(Array.from({ length: 16 }, () => connection.handle(callOf('slow', {}))))
    expect(most).toBe(16)
  })
})

describe('changes while sessions run', () => {
  const methods = (link: FakeLink) => link.sent.map((message) => message.method)
  const extra = tool('extra', '', {}, () => 'more')

  it('are notified once per turn of events to each session, and take effect', async () => {
    const server = serve({ tools: [add], resources: [], prompts: [] })
    const links = [fakeLink('a'), fakeLink('b'), fakeLink('gone')]
    const connections = links.map((link) => server.connect(link))
    connections[2]?.close()
    await connections[0]?.manifest()
    server.addTool(extra)
    expect(server.removeTool('add')).toBe(true)
    server.addResource({ uri: 'x://a', name: 'a', read: () => '' })
    server.addPrompt({ name: 'p', get: () => '' })
    expect(methods(links[0] as FakeLink)).toEqual([])
    await Promise.resolve()
    const notified = ['tools', 'resources', 'prompts'].map((list) => `notifications/${list}/list_changed`)
    expect(links.map(methods)).toEqual([notified, notified, []])
    expect(links[0]?.sent[0]).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
    expect(server.tools).toEqual([extra])
    expect((await connections[0]?.handle(request('tools/list')))?.result).toMatchObject({
      tools: [{ name: 'extra' }],
    })
    expect((await connections[0]?.handle(callOf('extra', {})))?.result).toEqual(say('more'))
    expect(await connections[0]?.handle(callOf('add', { a: 1, b: 2 }))).toMatchObject({
      error: { code: -32602 },
    })
    server.removeResource('x://a')
    server.removePrompt('p')
    await Promise.resolve()
    expect(methods(links[1] as FakeLink)).toHaveLength(5)
  })

  it('to lists that a session was not offered are not notified to it', async () => {
    const server = serve({ tools: [add] })
    const link = fakeLink()
    await server.connect(link).manifest()
    server.addResource({ uri: 'x://a', name: 'a', read: () => '' })
    server.addTool(extra)
    await Promise.resolve()
    expect(methods(link)).toEqual(['notifications/tools/list_changed'])
  })

  it('that change nothing are not notified', async () => {
    const server = serve({ tools: [add] })
    const link = fakeLink()
    server.connect(link)
    expect(server.removeTool('none')).toBe(false)
    expect(server.removeResource('none')).toBe(false)
    expect(server.removePrompt('none')).toBe(false)
    expect(() => server.addTool(add)).toThrow(ToolDefinitionError)
    await Promise.resolve()
    expect(link.sent).toEqual([])
  })

  it('let calls of a removed tool finish, and its name be used again', async () => {
    let finish: (text: string) => void = () => {}
    const slow = tool(
      'slow',
      '',
      {},
      () =>
        new Promise<string>((done) => {
          finish = done
        }),
    )
    const server = serve({ tools: [slow] })
    const answer = server.connect(fakeLink()).handle(callOf('slow', {}))
    server.removeTool('slow')
    server.addTool(tool('slow', '', {}, () => 'new'))
    finish('old')
    expect((await answer)?.result).toEqual(say('old'))
    expect(await call(server, 'slow')).toEqual(say('new'))
    server.addTool(tool('a.b', '', {}, () => ''))
    server.removeTool('a.b')
    server.addTool(tool('a_b', '', {}, () => 'underscore'))
    expect(await call(server, 'a_b')).toEqual(say('underscore'))
  })
})

describe('what a server refuses', () => {
  const named = (name: string) => ({ name, description: '', inputSchema: {}, handler: () => '' })
  it.each([
    ['a duplicate tool', { tools: [add, named('add')] }, /Server 's' already has a tool 'add'/],
    [
      'names that are one to the model',
      { tools: [named('a.b'), named('a_b')] },
      /'a\.b' and 'a_b' are both 'a_b'/,
    ],
    ['a bad tool name', { tools: [named('has space')] }, /Tool name 'has space'/],
    ['an endless tool name', { tools: [named('x'.repeat(129))] }, /1 to 128 characters/],
    ['no tool', { tools: [undefined] }, /A tool must be an object, got undefined/],
    [
      'no handler',
      { tools: [{ ...named('a'), handler: 1 }] },
      /Tool 'a': handler must be a function, got a number/,
    ],
    [
      'no description',
      { tools: [{ ...named('a'), description: undefined }] },
      /Tool 'a': description must be/,
    ],
    ['a bad timeout', { tools: [{ ...named('a'), timeoutMs: -1 }] }, /Tool 'a': timeoutMs must be/],
    [
      'a timeout that is no number',
      { tools: [{ ...named('a'), timeoutMs: Number.NaN }] },
      /timeoutMs must be/,
    ],
    ['a bad timeout of its own', { timeout: -5 }, /Server 's': timeout must be/],
    [
      'annotations that are no JSON',
      { tools: [{ ...named('a'), annotations: { title: 1n } }] },
      /Tool 'a': annotations/,
    ],
    ['no name', { name: '' }, /A server needs a name/],
    [
      'a duplicate resource',
      {
        resources: [
          { uri: 'x', name: 'x', read: () => '' },
          { uri: 'x', name: 'y', read: () => '' },
        ],
      },
      /already has a resource 'x'/,
    ],
    [
      'a duplicate prompt',
      {
        prompts: [
          { name: 'p', get: () => '' },
          { name: 'p', get: () => '' },
        ],
      },
      /a prompt 'p'/,
    ],
  ])('%s', (_, options, message) => {
    expect(() => serve(options as Partial<SdkMcpServerOptions>)).toThrow(ToolDefinitionError)
    expect(() => serve(options as Partial<SdkMcpServerOptions>)).toThrow(message)
  })

  it('in addTool as well', () => {
    const server = serve({ tools: [add] })
    expect(() => server.addTool(named('add'))).toThrow(/already has a tool 'add'/)
    expect(server.tools).toHaveLength(1)
  })
})
