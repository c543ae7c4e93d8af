import { describe, expect, it } from 'vitest'
import { call, httpEntry, inState, statusWhere, textOf } from '../../test/support/gateway-fixture.ts'
import { HandClock } from '../../test/support/hand-clock.ts'
import { useGateway } from '../../test/support/use-gateway.ts'
import { listen, plainWebServer, streamableServer } from '../../test/support/web-servers.ts'
import type { McpCallError } from '../errors.ts'

const used = useGateway()
const { started } = used
const failed = (error: unknown) => error as McpCallError

describe('a refusal', () => {
  it.each([
    ['http', 401],
    ['http', 403],
    ['sse', 401],
    ['sse', 403],
  ] as const)('of type %s with %i is not tried again until somebody says so', async (type, status) => {
    const clock = new HandClock()
    const supervisor = used.fixture.supervisor({ clock })
    const server = started(
      await listen((_, response) => response.writeHead(status).end('no: secret-token-9')),
    )
    const headers = { 'x-api-key': 'secret-token-9' }
    const hold = supervisor.hold(httpEntry({ type, url: server.url, headers }), { id: 'a' })
    const waiting = call(hold, 'echo').catch(failed)
    const health = await inState(hold, 'needs_auth')
    expect(health).toMatchObject({
      nextTryAt: undefined,
      error: `answered HTTP ${status}: it wants other credentials`,
    })
    expect((await waiting) as Error).toHaveProperty(
      'message',
      expect.stringContaining('credentials have to be changed'),
    )
    const before = server.requests.length
    clock.advance(3_600_000)
    expect(server.requests.length).toBe(before)
    expect((await supervisor.reconnect(hold.status().key))?.state).toBe('needs_auth')
    expect(server.requests.length).toBeGreaterThan(before)
  })

  it('in the midst of use is the same', async () => {
    let isRefusing = false
    const inner = started(await streamableServer())
    const server = started(
      await listen(async (request, response) => {
        if (isRefusing) return void response.writeHead(401).end()
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        const headers = Object.fromEntries(
          Object.entries(request.headers).filter(([name]) => /^(accept|content-type|mcp-.*)$/.test(name)),
        ) as Record<string, string>
        const body = chunks.length > 0 ? Buffer.concat(chunks) : null
        const answer = await fetch(inner.url, { method: request.method ?? '', headers, body })
        response.writeHead(answer.status, Object.fromEntries(answer.headers))
        try {
          for await (const chunk of answer.body ?? []) response.write(chunk)
        } catch {
          // The other server has been closed.
        }
        response.end()
      }),
    )
    const hold = used.fixture.supervisor().hold(httpEntry({ type: 'http', url: server.url }), { id: 'a' })
    expect(await textOf(call(hold, 'echo', { text: 'x' }))).toBe('x')
    isRefusing = true
    await expect(call(hold, 'echo')).rejects.toThrow()
    expect(hold.status().state).toBe('needs_auth')
  })

  it.each([404, 405])('with %i says what the type should be', async (status) => {
    const server = started(await listen((_, response) => response.writeHead(status).end()))
    const hold = used.fixture.supervisor().hold(httpEntry({ type: 'http', url: server.url }), { id: 'a' })
    const { error } = await statusWhere(hold, (each) => each.failures === 1)
    expect(error).toBe(`answered HTTP ${status}; if it is a server of the older kind, its type must be "sse"`)
  })
})

describe('a web server that misbehaves', () => {
  const first = (type: 'http' | 'sse', url: string) => {
    const hold = used.fixture.supervisor().hold(httpEntry({ type, url }), { id: 'a' })
    return statusWhere(hold, (each) => each.failures === 1)
  }

  it.each(['http', 'sse'] as const)('gets no headers of ours sent on to another (%s)', async (type) => {
    const seen: unknown[] = []
    const other = started(
      await listen((request, response) => {
        seen.push(request.headers)
        response.end()
      }),
    )
    const server = started(
      await listen((_, response) => response.writeHead(307, { location: other.url }).end()),
    )
    const headers = { authorization: 'Bearer own-token-1' }
    const hold = used.fixture.supervisor().hold(httpEntry({ type, url: server.url, headers }), { id: 'a' })
    await statusWhere(hold, (each) => each.failures === 1)
    expect(seen).toEqual([])
  })

  it.each(['http', 'sse'] as const)('is not there (%s)', async (type) => {
    const server = await listen(() => {})
    await server.close()
    expect((await first(type, server.url)).error).toContain('cannot be reached')
  })

  it('cuts off one call, which fails at once and alone', async () => {
    const server = started(await plainWebServer({ own: 1 }, true))
    const hold = used.fixture.supervisor().hold(httpEntry({ type: 'http', url: server.url }), { id: 'a' })
    const error = await call(hold, 'cut').catch(failed)
    expect(error).toMatchObject({ code: -32000, message: 'the server ended the connection during the call' })
    expect(await call(hold, 'any')).toEqual({ own: 1 })
    expect(hold.status()).toMatchObject({ state: 'connected', failures: 0 })
  })

  it('goes without a word, which is found out within a minute', async () => {
    const clock = new HandClock()
    const server = await plainWebServer({}, false)
    const hold = used.fixture
      .supervisor({ clock })
      .hold(httpEntry({ type: 'http', url: server.url }), { id: 'a' })
    await inState(hold, 'connected')
    clock.advance(60_000)
    expect(hold.status().state).toBe('connected')
    await server.close()
    await expect
      .poll(() => {
        clock.advance(60_000)
        return hold.status().error
      })
      .toContain('cannot be reached')
  })

  it('hangs', async () => {
    const clock = new HandClock()
    const server = started(await listen(() => {}))
    const supervisor = used.fixture.supervisor({ clock, connectTimeoutMs: 1000 })
    const hold = supervisor.hold(httpEntry({ type: 'http', url: server.url }), { id: 'a' })
    await expect.poll(() => server.requests.length).toBe(1)
    clock.advance(1000)
    const { error } = await statusWhere(hold, (each) => each.failures === 1)
    expect(error).toBe('did not answer within 1 s of its start')
  })

  it.each([
    ['text', 'text/plain', 'hello'],
    ['a page', 'text/html', '<html></html>'],
    ['no JSON', 'application/json', '{'],
    ['another protocol', 'application/json', '{"jsonrpc":"1.0"}'],
  ])('answers %s', async (_, type, body) => {
    const server = started(
      await listen((_request, response) => response.writeHead(200, { 'content-type': type }).end(body)),
    )
    expect((await first('http', server.url)).error).toBeTruthy()
  })

  it.each(['application/json', 'text/event-stream'])('answers without end (%s)', async (type) => {
    let sent = 0
    const server = started(
      await listen((_request, response) => {
        response.writeHead(200, { 'content-type': type })
        const chunk = Buffer.alloc(1 << 20, 0x20)
        const more = (error?: Error | null) => {
          if (error) return
          sent += 1
          if (!response.destroyed && sent < 200) response.write(chunk, more)
        }
        response.on('error', () => {})
        more()
      }),
    )
    await first('http', server.url)
    expect(sent).toBeLessThan(100)
  })

  it.each(['ftp://127.0.0.1/', 'nonsense', 'http://user:password1@127.0.0.1/'])(
    'has no address: %s',
    async (url) => {
      const hold = used.fixture.supervisor().hold(httpEntry({ type: 'http', url }), { id: 'a' })
      const { error } = await inState(hold, 'failed')
      expect(error).toMatch(/must begin with http|belong in the headers/)
      expect(error).not.toContain('password1')
    },
  )
})
