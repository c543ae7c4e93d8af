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
import { sharedSession } from './support/shared-session.ts'

const server = createSdkMcpServer({
  name: 's',
  tools: [],
  resources: [
    { uri: 'note://today', name: 'today', mimeType: 'text/plain', read: () => 'buy plums' },
    { uriTemplate: 'note://day/{day}', name: 'day', read: (_uri, { variables }) => `day ${variables.day}` },
  ],
  prompts: [{ name: 'greet', description: 'Greets', get: () => 'Say hello' }],
})
const shared = sharedSession({ mcpServers: { s: server }, allowedTools: ['mcp__s'] })

/** Adds a tool to the server; a turn in which the model calls it, and what the model then gets. */
async function callOnce(added: AnySdkTool, args: Record<string, unknown>) {
  server.addTool(added)
  const { requests } = await shared.turn([toolUse(`mcp__s__${added.name}`, args), 'done'])
  return { requests, request: requests[0], result: requests[1]?.toolResults[0] }
}

describe('what the model learns of a tool', () => {
  it.each([
    ['a simple map', { a: 'number', note: 'string?' }],
    ['a Zod shape', { a: z.number(), note: z.string().optional() }],
    ['a Zod object', z.object({ a: z.number(), note: z.string().optional() })],
    [
      'JSON Schema',
      { type: 'object', properties: { a: { type: 'number' }, note: { type: 'string' } }, required: ['a'] },
    ],
  ] as const)('is its schema, declared as %s', async (form, inputSchema) => {
    const name = form.replaceAll(' ', '_')
    const declared = tool({ name, description: 'Takes a number', inputSchema, handler: () => 'ok' })
    const { request, result } = await callOnce(declared, { a: 1 })
    const offered = request?.tools.find((one) => one.name === `mcp__s__${name}`)
    expect(offered).toMatchObject({
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
    const { result } = await callOnce(strict, { count: 'many', name: 'x' })
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
    const { result, requests } = await callOnce(bad, {})
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining('use find_customer first') })
    expect(requests).toHaveLength(2)
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
    const { result } = await callOnce(slow, {})
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
    const { result } = await callOnce(picture, {})
    expect(JSON.stringify(result?.content)).toContain('"media_type":"image/png"')

    const structured = tool({
      name: 'structured',
      description: 'Counts',
      inputSchema: {},
      outputSchema: z.object({ count: z.number() }),
      handler: () => ({ structuredContent: { count: 3 } }),
    })
    const second = await callOnce(structured, {})
    expect(second.result?.text).toContain('"count":3')
  })

  it('is an error for junk, never a dead session', async () => {
    const junk = tool({
      name: 'junk',
      description: 'Junk',
      inputSchema: {},
      handler: () => ({ content: 17n }) as never,
    })
    const { result } = await callOnce(junk, {})
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
    server.addTool(peek)
    const called: string[] = []
    const stop = shared.session.on('toolCall', (call) => called.push(call.toolUseId))
    const both = [toolUse('mcp__s__peek', { at: 1 }), toolUse('mcp__s__peek', { at: 2 })]
    const { toolResults } = await shared.turn([both, 'done'])
    stop()
    expect(most).toBe(2)
    expect(ids.toSorted()).toEqual(called.toSorted())
    expect(toolResults.map(({ text }) => text).toSorted()).toEqual(['1', '2'])
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
    const { toolResults } = await shared.turn([
      toolUse('ListMcpResourcesTool', { server: 's' }),
      toolUse('ReadMcpResourceTool', { server: 's', uri: 'note://today' }),
      toolUse('ReadMcpResourceTool', { server: 's', uri: 'note://day/7' }),
      'done',
    ])
    expect(toolResults[0]?.text).toContain('note://today')
    expect(toolResults[1]?.text).toContain('buy plums')
    expect(toolResults[2]?.text).toContain('day 7')
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
  const script = (request: { toolResults: unknown[] }) =>
    request.toolResults.length > 0
      ? 'done'
      : [toolUse('mcp__old__shout', { text: 'v1' }), toolUse('mcp__new__shout', { text: 'v2' })]
  const allowedTools = ['mcp__old__shout', 'mcp__new__shout']
  const shouted = (run: OfflineAgent) =>
    run.model.requests.flatMap((request) => request.toolResults.map((one) => one.text))

  it('v1 and v2 serve one session as instances', async () => {
    const old = { type: 'sdk', name: 'old', instance: v1() } as const
    const young = { type: 'sdk', name: 'new', instance: v2() } as const
    await using run = await startOfflineAgent(script, { mcpServers: { old, new: young }, allowedTools })
    const session = await run.agent.startSession({ prompt: 'go', keepAlive: true })
    await untilState(session, 'idle')
    expect(shouted(run)).toEqual(['V1', 'V2'])
    for (const server of [old, young]) {
      const options = { mcpServers: { [server.name]: server } }
      await expect(run.agent.startSession({ prompt: 'go', options })).rejects.toBeInstanceOf(
        McpServerInUseError,
      )
    }
  })

  it('v1 and v2 serve many sessions as factories', async () => {
    await using run = await startOfflineAgent(script, {
      mcpServers: {
        old: { type: 'sdk', name: 'old', instance: v1 },
        new: { type: 'sdk', name: 'new', instance: v2 },
      },
      allowedTools,
    })
    const sessions = await Promise.all([1, 2].map(() => run.agent.startSession({ prompt: 'go' })))
    await Promise.all(sessions.map((one) => one.waitForCompletion()))
    expect(shouted(run).toSorted()).toEqual(['V1', 'V1', 'V2', 'V2'])
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
