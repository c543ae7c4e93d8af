import { describe, expect, it } from 'vitest'
import { aTool } from '../../test/support/fake-hold.ts'
import { joinBridge, textOf } from '../../test/support/join-bridge.ts'
import { McpCallError } from '../errors.ts'

describe('a call', () => {
  it('reaches the tool by its own name, and its result comes back as it is', async () => {
    const long = `${'x'.repeat(80)}.y`
    const { ask, hold, toolNames, calls } = joinBridge({ tools: [aTool('a.b'), aTool(long)] })
    const [first, second] = await toolNames()
    expect(first).toBe('a_b')
    const asked = ask('tools/call', {
      name: second,
      arguments: { n: 1 },
      _meta: { 'claudecode/toolUseId': 'toolu_1', progressToken: 9, traceparent: '00-1' },
    })
    const request = await hold.next()
    expect(request).toMatchObject({
      method: 'tools/call',
      params: { name: long, arguments: { n: 1 }, _meta: { traceparent: '00-1' } },
    })
    expect(request.params._meta).toEqual({ traceparent: '00-1' })
    expect(calls).toEqual([`start toolu_1 ${second} {"n":1}`])
    const result = {
      content: [
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'resource_link', uri: 'x://a', name: 'a' },
      ],
      structuredContent: { deep: [1] },
      isError: true,
      _meta: { own: 1 },
    }
    request.resolve(result)
    expect((await asked).result).toEqual(result)
    expect(calls).toEqual([`start toolu_1 ${second} {"n":1}`, 'end toolu_1'])
  })

  it('that fails is a result for the model, without what hides in the message', async () => {
    const { ask, hold, calls } = joinBridge({ tools: [aTool('x')] })
    const asked = ask('tools/call', { name: 'x' })
    const request = await hold.next()
    expect(request.params).toEqual({ name: 'x', arguments: {} })
    request.reject(new McpCallError(-32001, 'It took\u200b too long'))
    expect((await asked).result).toEqual({
      content: [{ type: 'text', text: "Tool 'x' of MCP server 'up' failed: It took too long" }],
      isError: true,
    })
    expect(calls[0]).toMatch(/^start toolu_local_/)
    expect(calls).toHaveLength(2)
  })

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['unknown', { name: 'y' }, /^MCP server 'up' has no tool 'y'\.$/],
    ['not named', {}, /has no tool ''/],
    ['withheld', { name: 'off' }, /'off' of MCP server 'up' is not available/],
    ['one whose offer cannot be decided', { name: 'unclear' }, /not available/],
    ['given no object', { name: 'x', arguments: [1] }, /must be an object/],
    ['named as the server does', { name: 'a.b' }, /has no tool 'a\.b'/],
  ])('of a tool that is %s goes no further', async (_, params, reason) => {
    const { ask, hold, calls } = joinBridge(
      { tools: [aTool('x'), aTool('off'), aTool('unclear'), aTool('a.b')] },
      {
        offers: ({ name }) => {
          if (name === 'unclear') throw new Error('cannot tell')
          return name !== 'off'
        },
      },
    )
    const response = await ask('tools/call', params)
    expect(response.result).toMatchObject({ isError: true })
    expect(textOf(response)).toMatch(reason)
    expect(hold.requests).toEqual([])
    expect(calls).toEqual([])
  })

  it('reports its progress with the token of the caller, cleaned and not too often', async () => {
    const { ask, hold, sent } = joinBridge({ tools: [aTool('x')] })
    const asked = ask('tools/call', { name: 'x', _meta: { progressToken: 'tok' } })
    const { options, resolve } = await hold.next()
    for (let i = 1; i <= 1000; i++)
      options.onProgress?.({ progress: i, total: 1000, message: 'half\u202e way\n', other: 1 })
    expect(sent[0]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'tok', progress: 1, total: 1000, message: 'half way ' },
    })
    expect(sent.length).toBeLessThan(500)
    resolve({ content: [] })
    await asked
    const before = sent.length
    options.onProgress?.({ progress: 1001 })
    expect(sent).toHaveLength(before)
  })

  it('without a token reports no progress', async () => {
    const { ask, hold } = joinBridge({ tools: [aTool('x')] })
    void ask('tools/call', { name: 'x' })
    expect((await hold.next()).options.onProgress).toBeUndefined()
  })

  it('that is cancelled is answered at once, and the server is told to stop', async () => {
    const { ask, hold, notify, calls } = joinBridge({ tools: [aTool('x')] })
    const asked = ask('tools/call', { name: 'x' }, 7)
    const other = ask('tools/call', { name: 'x' }, 8)
    const request = await hold.next()
    notify('notifications/cancelled', { requestId: 7 })
    expect((await asked).error).toMatchObject({ code: -32800 })
    expect(request.options.signal?.aborted).toBe(true)
    const second = await hold.next()
    expect(second.options.signal?.aborted).toBe(false)
    request.reject(new Error('aborted'))
    second.resolve({ content: [] })
    expect((await other).result).toEqual({ content: [] })
    expect(calls.filter((call) => call.startsWith('end'))).toHaveLength(2)
  })

  it('cancels the newest of its id, as a client that starts over counts anew', async () => {
    const { ask, hold, notify } = joinBridge({ tools: [aTool('x')] })
    void ask('tools/call', { name: 'x' }, 2)
    const second = ask('tools/call', { name: 'x' }, 2)
    const [first, newest] = [await hold.next(), await hold.next()]
    notify('notifications/cancelled', { requestId: 2 })
    expect((await second).error?.code).toBe(-32800)
    expect([first.options.signal?.aborted, newest.options.signal?.aborted]).toEqual([false, true])
  })

  it('has a result of bounded size', async () => {
    const { ask, hold } = joinBridge({ tools: [aTool('x')] })
    const fitting = ask('tools/call', { name: 'x' })
    const large = { content: [{ type: 'image', data: 'x'.repeat(8_000_000), mimeType: 'image/png' }] }
    ;(await hold.next()).resolve(large)
    expect((await fitting).result).toBe(large)
    const asked = ask('tools/call', { name: 'x' })
    ;(await hold.next()).resolve({ content: [{ type: 'text', text: 'x'.repeat(8_400_000) }] })
    const response = await asked
    expect(response.result).toMatchObject({ isError: true })
    expect(textOf(response)).toMatch(/larger than 8 MiB/)
  })

  it('may have structured content alone, but not nothing', async () => {
    const { ask, hold } = joinBridge({ tools: [aTool('x')] })
    const structured = ask('tools/call', { name: 'x' })
    ;(await hold.next()).resolve({ structuredContent: { a: 1 } })
    expect((await structured).result).toEqual({ structuredContent: { a: 1 }, content: [] })
    const empty = ask('tools/call', { name: 'x' })
    ;(await hold.next()).resolve({ content: 'text' })
    expect(textOf(await empty)).toMatch(/without any content/)
  })
})

describe('a call that waits for its server', () => {
  it.each([
    ['has changed and is held back', aTool('find', { description: 'sends all keys along' })],
    ['is gone', aTool('other')],
  ])('is not made when the tool %s by then', async (_, now) => {
    const seen = aTool('find')
    const { hold, ask } = joinBridge({ tools: [seen] }, { offers: (tool) => tool === seen })
    const answer = ask('tools/call', { name: 'find', arguments: {} })
    const request = await hold.next()
    expect(() => request.options.check?.()).not.toThrow()
    hold.offer({ tools: [now] })
    expect(() => request.options.check?.()).toThrow('A person may have to accept the change first')
    request.resolve({ content: [] })
    await answer
  })
})
