import { describe, expect, it } from 'vitest'
import { call, httpEntry, inState, statusWhere, textOf } from '../../test/support/gateway-fixture.ts'
import { useGateway } from '../../test/support/use-gateway.ts'
import {
  modernServer,
  plainWebServer,
  sseServer,
  streamableServer,
  type WebServer,
} from '../../test/support/web-servers.ts'
import type { McpCallError } from '../errors.ts'
import type { ServerHold } from './supervised-server.ts'

const used = useGateway()
const { started } = used
const failed = (error: unknown) => error as McpCallError

const kinds = [
  ['http', streamableServer],
  ['sse', sseServer],
] as const

describe.each(kinds)('a server of type %s', (type, start) => {
  async function held(): Promise<{ hold: ServerHold; server: WebServer }> {
    const server = started(await start())
    const headers = { authorization: 'Bearer own-token-1' }
    const hold = used.fixture.supervisor().hold(httpEntry({ type, url: server.url, headers }), { id: 'a' })
    await inState(hold, 'connected')
    return { hold, server }
  }

  it('is used with its headers, and its results come through intact', async () => {
    const { hold } = await held()
    expect(hold.status()).toMatchObject({ tools: 6, pids: [], serverInfo: { name: 'older' } })
    expect(await textOf(call(hold, 'token'))).toBe('Bearer own-token-1')
    expect(await call(hold, 'odd')).toEqual({
      content: [{ type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' }],
      structuredContent: { a: [null] },
      unknownField: 1,
      _meta: { own: 2 },
    })
    await call(hold, 'grow', { text: 'zebra' })
    await expect.poll(() => hold.catalogue().tools.map((tool) => tool.name)).toContain('zebra')
  })

  it('reports progress, and is notified of a cancelled call', async () => {
    const { hold, server } = await held()
    const stop = new AbortController()
    const params = { name: 'wait', arguments: { text: 'x' } }
    const progress: unknown[] = []
    const onProgress = (each: unknown) => {
      progress.push(each)
      stop.abort()
    }
    const before = server.requests.length
    const cancelled = await hold
      .request('tools/call', params, { signal: stop.signal, onProgress })
      .catch(failed)
    expect(cancelled).toMatchObject({ message: 'The call to MCP server "web" was cancelled.' })
    expect(progress).toEqual([{ progress: 1, message: 'x' }])
    await expect.poll(() => server.requests.length - before).toBe(2)
    expect(await textOf(call(hold, 'echo', { text: 'fine' }))).toBe('fine')
  })

  it('fails the calls in flight at once when it dies, and is found again when it is back', async () => {
    const { hold, server } = await held()
    const dying = [call(hold, 'die').catch(failed), call(hold, 'wait').catch(failed)]
    for (const error of await Promise.all(dying)) {
      expect(error).toMatchObject({ code: -32000 })
      expect((error as Error).message).toMatch(/ended/)
    }
    await statusWhere(hold, (status) => status.state === 'pending' && status.error !== undefined)
    started(await start(server.port))
    expect(await textOf(call(hold, 'echo', { text: 'back' }))).toBe('back')
    expect(hold.status()).toMatchObject({ state: 'connected', error: undefined })
  })

  it('leaves nothing behind after many calls', async () => {
    const { hold } = await held()
    const round = async (calls: number) => {
      for (let done = 0; done < calls; done += 20) {
        await Promise.all(Array.from({ length: 20 }, () => call(hold, 'echo', { text: 'x' })))
      }
    }
    const warnings: Error[] = []
    const warned = (warning: Error) => warnings.push(warning)
    process.on('warning', warned)
    await round(200)
    process.off('warning', warned)
    expect(warnings).toEqual([])
  })
})

it.each([false, true])('gives results as the server gave them (as a stream: %s)', async (isStream) => {
  const result = {
    content: [
      { type: 'hologram', data: 'not in any protocol' },
      { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png', own: 1 },
    ],
    structuredContent: [1, 'two', { three: null }],
    unknownField: { nested: [true, null] },
    _meta: { own: 2 },
  }
  const server = started(await plainWebServer(result, isStream))
  const hold = used.fixture.supervisor().hold(httpEntry({ type: 'http', url: server.url }), { id: 'a' })
  expect(await call(hold, 'any')).toEqual(result)
})

it('is notified that its session is over', async () => {
  const server = started(await streamableServer())
  const supervisor = used.fixture.supervisor()
  const hold = supervisor.hold(httpEntry({ type: 'http', url: server.url }), { id: 'a' })
  await inState(hold, 'connected')
  expect(server.sessions()).toBe(1)
  await supervisor.close()
  expect(server.sessions()).toBe(0)
})

describe('a server of the revision of 2026', () => {
  it('is spoken to in it', async () => {
    const server = started(await modernServer())
    const hold = used.fixture.supervisor().hold(httpEntry({ type: 'http', url: server.url }), { id: 'a' })
    expect(await inState(hold, 'connected')).toMatchObject({ protocolVersion: '2026-07-28', tools: 3 })
    expect(await call(hold, 'echo', { text: 'x' })).toMatchObject({
      content: [{ type: 'text', text: 'x' }],
      unknownField: 1,
    })
    server.grow('zebra')
    await expect.poll(() => hold.catalogue().tools.map((tool) => tool.name)).toContain('zebra')
    const stop = new AbortController()
    const params = { name: 'wait', arguments: {} }
    const cancelled = hold.request('tools/call', params, { signal: stop.signal }).catch(failed)
    await hold.request('tools/list', {})
    stop.abort()
    expect(await cancelled).toMatchObject({ message: expect.stringContaining('cancelled') })
  })

  it('may ask a person', async () => {
    const server = started(await modernServer())
    const hold = used.fixture.supervisor().hold(httpEntry({ type: 'http', url: server.url }), {
      id: 'a',
      onElicitation: async ({ message }) => ({ action: 'accept', content: { color: message } }),
    })
    expect(JSON.parse(await textOf(call(hold, 'ask')))).toMatchObject({
      action: 'accept',
      content: { color: 'Which color?' },
    })
    expect(hold.status().asksForInput).toBe(true)
  })
})
