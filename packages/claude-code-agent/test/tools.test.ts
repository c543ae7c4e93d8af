import { toolUse } from '@dorkos/testkit'
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js'
import { McpServer as McpServerV2 } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  type AnySdkTool,
  ClaudeCodeAgent,
  createSdkMcpServer,
  McpServerInUseError,
  ToolDefinitionError,
  tool,
} from '../src/index.ts'
import { untilState } from './support/collect.ts'
import { type OfflineAgent, startOfflineAgent } from './support/offline-agent.ts'

/** One turn in which the model calls a tool of server `s`; what the model then gets. */
async function callOnce(tools: AnySdkTool[], name: string, args: Record<string, unknown>) {
  await using run = await startOfflineAgent([toolUse(`mcp__s__${name}`, args), 'done'], {
    mcpServers: { s: createSdkMcpServer({ name: 's', tools }) },
    allowedTools: [`mcp__s__${name}`],
  })
  const session = await run.agent.startSession({ prompt: 'go' })
  await session.waitForCompletion()
  const [result] = run.model.requests[1]?.toolResults ?? []
  return { result, request: run.model.requests[0], messages: run.model.requests }
}

describe('what the model is told of a tool', () => {
  it.each([
    ['a simple map', { a: 'number', note: 'string?' }],
    ['a Zod shape', { a: z.number(), note: z.string().optional() }],
    ['a Zod object', z.object({ a: z.number(), note: z.string().optional() })],
    [
      'JSON Schema',
      { type: 'object', properties: { a: { type: 'number' }, note: { type: 'string' } }, required: ['a'] },
    ],
  ] as const)('is its schema, declared as %s', async (_form, inputSchema) => {
    const declared = tool({ name: 'take', description: 'Takes a number', inputSchema, handler: () => 'ok' })
    const { request, result } = await callOnce([declared], 'take', { a: 1 })
    const told = request?.tools.find((one) => one.name === 'mcp__s__take')
    expect(told).toMatchObject({
      description: 'Takes a number',
      input_schema: {
        type: 'object',
        properties: { a: { type: 'number' }, note: { type: 'string' } },
        required: ['a'],
      },
    })
    expect(result).toMatchObject({ text: 'ok', isError: false })
  })
})

describe('what the model gets back', () => {
  it('is an error that names the wrong field, and the handler is not called', async () => {
    let called = false
    const strict = tool({
      name: 'strict',
      description: 'Strict',
      inputSchema: { count: 'number', name: 'string' },
      handler: () => {
        called = true
        return 'never'
      },
    })
    const { result } = await callOnce([strict], 'strict', { count: 'many', name: 'x' })
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining('count') })
    expect(result?.text).not.toContain('name:')
    expect(called).toBe(false)
  })

  it('is the message of what the handler threw, and the session goes on', async () => {
    const bad = tool({
      name: 'bad',
      description: 'Fails',
      inputSchema: {},
      handler: () => {
        throw new Error('unknown customer 17; use find_customer first')
      },
    })
    const { result, messages } = await callOnce([bad], 'bad', {})
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining('use find_customer first') })
    expect(messages).toHaveLength(2)
  })

  it('says that the time was up, and the signal is aborted', async () => {
    let aborted = false
    const slow = tool({
      name: 'slow',
      description: 'Slow',
      inputSchema: {},
      timeoutMs: 100,
      handler: (_args, { signal }) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            aborted = true
            resolve('late')
          }),
        ),
    })
    const { result } = await callOnce([slow], 'slow', {})
    expect(result).toMatchObject({ isError: true, text: expect.stringMatching(/timed out|100/) })
    expect(aborted).toBe(true)
  })

  it('has images and structured content', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const picture = tool({
      name: 'picture',
      description: 'Draws',
      inputSchema: {},
      handler: () => ({ content: [{ type: 'image', data: png, mimeType: 'image/png' }] }),
    })
    const { result } = await callOnce([picture], 'picture', {})
    expect(JSON.stringify(result?.content)).toContain('"media_type":"image/png"')

    const structured = tool({
      name: 'structured',
      description: 'Counts',
      inputSchema: {},
      outputSchema: z.object({ count: z.number() }),
      handler: () => ({ structuredContent: { count: 3 } }),
    })
    const second = await callOnce([structured], 'structured', {})
    expect(second.result?.text).toContain('"count":3')
  })

  it('is an error for junk, never a dead session', async () => {
    const junk = tool({
      name: 'junk',
      description: 'Junk',
      inputSchema: {},
      handler: () => ({ content: 17n }) as never,
    })
    const { result } = await callOnce([junk], 'junk', {})
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining('invalid result') })
  })
})

describe('tool calls', () => {
  it('of read-only tools run side by side, each with its own id', async () => {
    let open = 0
    let most = 0
    const ids: string[] = []
    const peek = tool({
      name: 'peek',
      description: 'Looks',
      inputSchema: { at: 'number' },
      annotations: { readOnlyHint: true },
      handler: async ({ at }, { toolUseId }) => {
        ids.push(toolUseId)
        most = Math.max(most, ++open)
        await new Promise((resolve) => setTimeout(resolve, 300))
        open--
        return `${at}`
      },
    })
    await using run = await startOfflineAgent(
      [[toolUse('mcp__s__peek', { at: 1 }), toolUse('mcp__s__peek', { at: 2 })], 'done'],
      { mcpServers: { s: createSdkMcpServer({ name: 's', tools: [peek] }) }, allowedTools: ['mcp__s__peek'] },
    )
    const session = await run.agent.startSession({ prompt: 'go' })
    let pending = 0
    session.on('stateChange', ({ info }) => {
      pending = Math.max(pending, info.pendingToolCalls.length)
    })
    const called: string[] = []
    session.on('toolCall', (call) => called.push(call.toolUseId))
    await session.waitForCompletion()
    expect(most).toBe(2)
    expect(ids.toSorted()).toEqual(called.toSorted())
    expect(run.model.requests[1]?.toolResults.map((result) => result.text).toSorted()).toEqual(['1', '2'])
  })

  it('are deferred behind tool search where that is on, and still work', async () => {
    const found = tool({
      name: 'hidden',
      description: 'Finds hidden things',
      inputSchema: {},
      handler: () => 'found',
    })
    const always = tool({
      name: 'always',
      description: 'Always there',
      inputSchema: {},
      alwaysLoad: true,
      handler: () => '',
    })
    await using run = await startOfflineAgent(
      [
        toolUse('ToolSearch', { query: 'select:mcp__s__hidden', max_results: 1 }),
        toolUse('mcp__s__hidden', {}),
        'done',
      ],
      {
        mcpServers: { s: createSdkMcpServer({ name: 's', tools: [found, always] }) },
        allowedTools: ['mcp__s__hidden'],
      },
      { toolSearch: true },
    )
    const session = await run.agent.startSession({ prompt: 'go' })
    await session.waitForCompletion()
    const first = run.model.requests[0]?.tools.find((one) => one.name === 'mcp__s__hidden')
    expect(first === undefined || 'defer_loading' in first).toBe(true)
    expect(run.model.requests.at(-1)?.toolResults[0]?.text).toBe('found')
  })
})

describe('resources of a server', () => {
  it('are listed and read by the agent', async () => {
    const server = createSdkMcpServer({
      name: 's',
      resources: [
        { uri: 'note://today', name: 'today', mimeType: 'text/plain', read: () => 'buy plums' },
        {
          uriTemplate: 'note://day/{day}',
          name: 'day',
          read: (_uri, { variables }) => `day ${variables.day}`,
        },
      ],
      prompts: [{ name: 'greet', description: 'Greets', get: () => 'Say hello' }],
    })
    await using run = await startOfflineAgent(
      [
        toolUse('ListMcpResourcesTool', { server: 's' }),
        toolUse('ReadMcpResourceTool', { server: 's', uri: 'note://today' }),
        toolUse('ReadMcpResourceTool', { server: 's', uri: 'note://day/7' }),
        'done',
      ],
      { mcpServers: { s: server } },
    )
    const session = await run.agent.startSession({ prompt: 'go' })
    await session.waitForCompletion()
    const results = run.model.requests.slice(1).map((request) => request.toolResults[0]?.text)
    expect(results[0]).toContain('note://today')
    expect(results[1]).toContain('buy plums')
    expect(results[2]).toContain('day 7')
  })
})

describe('a server of an MCP SDK', () => {
  const v1 = () => {
    const server = new McpServerV1({ name: 'old', version: '1.0.0' })
    server.registerTool(
      'shout',
      { description: 'Shouts', inputSchema: { text: z.string() } },
      async ({ text }) => ({
        content: [{ type: 'text', text: text.toUpperCase() }],
      }),
    )
    return server
  }
  const v2 = () => {
    const server = new McpServerV2({ name: 'new', version: '1.0.0' })
    server.registerTool(
      'shout',
      { description: 'Shouts', inputSchema: z.object({ text: z.string() }) },
      async ({ text }) => ({
        content: [{ type: 'text', text: text.toUpperCase() }],
      }),
    )
    return server
  }
  const shout = (run: OfflineAgent) =>
    run.model.requests.flatMap((request) => request.toolResults.map((one) => one.text))

  it.each([
    ['v1', v1],
    ['v2', v2],
  ])('%s serves one session as an instance, and many as a factory', async (_version, make) => {
    const script = (request: { toolResults: unknown[] }) =>
      request.toolResults.length > 0 ? 'done' : toolUse('mcp__m__shout', { text: 'hey' })
    const allowedTools = ['mcp__m__shout']
    const instance = make()
    await using single = await startOfflineAgent(script, {
      mcpServers: { m: { type: 'sdk', name: 'm', instance } },
      allowedTools,
    })
    const session = await single.agent.startSession({ prompt: 'go', keepAlive: true })
    await untilState(session, 'idle')
    expect(shout(single)).toEqual(['HEY'])
    await expect(single.agent.startSession({ prompt: 'go' })).rejects.toBeInstanceOf(McpServerInUseError)

    await using many = await startOfflineAgent(script, {
      mcpServers: { m: { type: 'sdk', name: 'm', instance: make } },
      allowedTools,
    })
    const sessions = await Promise.all([1, 2].map(() => many.agent.startSession({ prompt: 'go' })))
    await Promise.all(sessions.map((one) => one.waitForCompletion()))
    expect(shout(many)).toEqual(['HEY', 'HEY'])
  })
})

describe('servers that cannot work', () => {
  const named = (name: string) => tool({ name, description: name, inputSchema: {}, handler: () => '' })

  it.each([
    [
      'two tools of one name',
      () => createSdkMcpServer({ name: 's', tools: [named('twin'), named('twin')] }),
      'twin',
    ],
    [
      'a name that the CLI keeps',
      () => new ClaudeCodeAgent({ mcpServers: { ide: createSdkMcpServer({ name: 'x' }) } }),
      'ide',
    ],
    [
      'names that mean the same',
      () =>
        new ClaudeCodeAgent({
          mcpServers: { 'a.b': createSdkMcpServer({ name: 'x' }), a_b: createSdkMcpServer({ name: 'y' }) },
        }),
      'a_b',
    ],
    [
      'a name over 64 characters once prefixed',
      () =>
        new ClaudeCodeAgent({
          mcpServers: { server: createSdkMcpServer({ name: 's', tools: [named('n'.repeat(60))] }) },
        }),
      'n'.repeat(60),
    ],
  ])('are refused at construction: %s', (_case, make, culprit) => {
    expect(make).toThrow(ToolDefinitionError)
    expect(make).toThrow(culprit)
  })
})
