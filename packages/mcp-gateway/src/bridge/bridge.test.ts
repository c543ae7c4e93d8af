import { describe, expect, it } from 'vitest'
import { aTool, fakeHold } from '../../test/support/fake-hold.ts'
import { joinBridge, textOf } from '../../test/support/join-bridge.ts'
import { McpCallError } from '../errors.ts'
import { createBridge } from './bridge.ts'
import type { JsonRpcMessage } from './bridge-types.ts'

describe('the handshake', () => {
  it('says who the server is, what it offers and its instructions, in any version that is asked for', async () => {
    const { ask, manifest } = joinBridge({
      tools: [aTool('x')],
      instructions: 'Be kind',
      capabilities: { completions: {} },
    })
    const { result } = await ask('initialize', { protocolVersion: '2024-11-05' })
    expect(result).toEqual({
      protocolVersion: '2024-11-05',
      capabilities: { tools: { listChanged: true }, prompts: { listChanged: true }, completions: {} },
      serverInfo: { name: 'Upstream', version: '7' },
      instructions: 'Be kind',
    })
    expect((await ask('initialize', { protocolVersion: '2099-01-01' })).result).toMatchObject({
      protocolVersion: '2025-11-25',
    })
    expect(await manifest()).toMatchObject({
      initializeResult: { protocolVersion: '2025-11-25' },
      toolsListResult: { tools: [{ name: 'x', inputSchema: { type: 'object' } }] },
    })
  })

  it('declares resources only where there are some', async () => {
    const { ask } = joinBridge({ resourceTemplates: [{ uriTemplate: 'x://{a}', name: 'a' }] })
    expect((await ask('initialize')).result).toMatchObject({
      capabilities: { resources: { listChanged: true, subscribe: true } },
    })
  })

  it('answers pings and log levels itself, and refuses what it does not know', async () => {
    const { ask, hold } = joinBridge()
    expect((await ask('ping')).result).toEqual({})
    expect((await ask('logging/setLevel', { level: 'debug' })).result).toEqual({})
    expect((await ask('tasks/list')).error?.code).toBe(-32601)
    expect((await ask('__proto__')).error?.code).toBe(-32601)
    expect(hold.requests).toEqual([])
  })

  it('refuses a name that its tools could not live with', () => {
    expect(() => createBridge({ name: 'a__b', hold: () => fakeHold() })).toThrow(/two underscores/)
  })
})

describe('resources, prompts and completion', () => {
  const parts = {
    resources: [{ uri: 'x://a', name: 'a' }],
    resourceTemplates: [{ uriTemplate: 'x://{id}', name: 't' }],
    prompts: [{ name: 'p' }],
  }

  it('are listed from the catalogue and asked of the server', async () => {
    const { ask, hold } = joinBridge(parts)
    expect((await ask('resources/list')).result).toEqual({ resources: parts.resources })
    expect((await ask('resources/templates/list')).result).toEqual({
      resourceTemplates: parts.resourceTemplates,
    })
    expect((await ask('prompts/list')).result).toEqual({ prompts: parts.prompts })
    for (const [method, params] of [
      ['resources/read', { uri: 'x://1' }],
      ['prompts/get', { name: 'p', arguments: { a: '1' } }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } }],
    ] as const) {
      const asked = ask(method, { ...params, _meta: { 'claudecode/x': 1 } })
      const request = await hold.next()
      expect([request.method, request.params]).toEqual([method, params])
      request.resolve({ ok: method })
      expect((await asked).result).toEqual({ ok: method })
    }
  })

  it('fail as the server says', async () => {
    const { ask, hold } = joinBridge(parts)
    const asked = ask('resources/read', { uri: 'x://none' })
    ;(await hold.next()).reject(new McpCallError(-32002, 'Not found'))
    expect((await asked).error).toEqual({ code: -32002, message: 'Not found' })
    expect((await ask('resources/read', {})).error?.code).toBe(-32602)
    expect((await ask('prompts/get', { name: 'q' })).error?.code).toBe(-32602)
    const large = ask('resources/read', { uri: 'x://a' })
    ;(await hold.next()).resolve({ contents: [{ uri: 'x://a', text: 'x'.repeat(9_000_000) }] })
    expect((await large).error?.message).toMatch(/too large/)
  })

  it('are notified when they change and were subscribed to, also after the server came back', async () => {
    const { ask, hold, sent } = joinBridge(parts)
    const asked = ask('resources/subscribe', { uri: 'x://a' })
    ;(await hold.next()).resolve({})
    expect((await asked).result).toEqual({})
    hold.emit({ type: 'resource_updated', uri: 'x://b' })
    hold.emit({ type: 'resource_updated', uri: 'x://a' })
    expect(sent).toEqual([
      { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'x://a' } },
    ])
    hold.emit({ type: 'connected' })
    expect(await hold.next()).toMatchObject({ method: 'resources/subscribe', params: { uri: 'x://a' } })
    expect((await ask('resources/unsubscribe', { uri: 'x://a' })).result).toEqual({})
    hold.emit({ type: 'resource_updated', uri: 'x://a' })
    expect(sent).toHaveLength(1)
    expect(hold.requests).toHaveLength(2)
  })
})

describe('two sessions', () => {
  it('with equal ids and one server each get their own', async () => {
    const shared = fakeHold({ tools: [aTool('x')] })
    const bridge = createBridge({ name: 'up', hold: () => shared })
    const sessions = ['a', 'b'].map((sessionId) => bridge.connect({ sessionId, send: () => {} }))
    const answers = sessions.map((session, i) =>
      session.handle({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'x', arguments: { from: i }, _meta: { progressToken: 1 } },
      }),
    )
    const [first, second] = [await shared.next(), await shared.next()]
    const reply = (from: unknown) => ({ content: [{ type: 'text', text: `for ${JSON.stringify(from)}` }] })
    second.resolve(reply(second.params.arguments))
    await sessions[0]?.handle({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 99 },
    })
    first.resolve(reply(first.params.arguments))
    const texts = (await Promise.all(answers)).map((answer) => textOf(answer as JsonRpcMessage))
    expect(texts).toEqual(['for {"from":0}', 'for {"from":1}'])
  })

  it('do not cancel or end each other', async () => {
    const shared = fakeHold({ tools: [aTool('x')] })
    const bridge = createBridge({ name: 'up', hold: () => shared })
    const [a, b] = ['a', 'b'].map((sessionId) => bridge.connect({ sessionId, send: () => {} }))
    const call: JsonRpcMessage = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } }
    void a?.handle(call)
    const answer = b?.handle(call)
    await shared.next()
    const ofB = await shared.next()
    await a?.handle({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    a?.close()
    expect(ofB.options.signal?.aborted).toBe(false)
    ofB.resolve({ content: [] })
    expect((await answer)?.result).toEqual({ content: [] })
  })
})
