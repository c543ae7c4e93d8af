import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apiError, hang, reply, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { ask, question, REAL_KEY, realUpstream, send, startGateway } from './gateway-fixture.ts'

/** An upstream whose every byte the test decides on. */
async function startUpstream(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  let connections = 0
  const server: Server = createServer(handle).on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

describe('a call', () => {
  it('reaches the upstream with the real key, without the credential, and with known headers only', async () => {
    await using fixture = await startGateway(['hello'])
    const headers = {
      authorization: `Bearer ${fixture.credential}`,
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'a,b',
      'x-stainless-lang': 'js',
      'x-claude-code-session-id': 'cli-session',
      'user-agent': 'claude-cli/2.1.325',
      cookie: 'secret=1',
      'x-forwarded-for': '10.0.0.1',
      'proxy-authorization': 'Basic x',
    }
    const answer = await ask(fixture, { headers })
    expect(answer.status).toBe(200)
    const [request] = fixture.model.requests
    expect(request?.headers).toEqual({
      'x-api-key': REAL_KEY,
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'a,b',
      'x-stainless-lang': 'js',
      'x-claude-code-session-id': 'cli-session',
      'user-agent': 'claude-cli/2.1.325',
      'content-type': 'application/json',
      'content-length': String(question().length),
      'accept-encoding': 'identity',
      connection: 'keep-alive',
      host: new URL(fixture.model.url).host,
    })
    expect(request?.body).toEqual(JSON.parse(question()))
    expect(JSON.stringify(request?.headers)).not.toContain(fixture.credential)
  })

  it('goes to the path and query that were asked for, below the path of the upstream', async () => {
    const paths: (string | undefined)[] = []
    await using upstream = await startUpstream((request, response) => {
      paths.push(`${request.method} ${request.url}`)
      request.resume().once('end', () => response.end('{}'))
    })
    await using fixture = await startGateway([], { upstream: () => realUpstream(`${upstream.url}/proxy/`) })
    await ask(fixture)
    await ask(fixture, { path: '/v1/messages/count_tokens' })
    await ask(fixture, { method: 'GET', path: '/v1/models?limit=5', body: undefined })
    expect(paths).toEqual([
      'POST /proxy/v1/messages?beta=true',
      'POST /proxy/v1/messages/count_tokens',
      'GET /proxy/v1/models?limit=5',
    ])
    expect(upstream.connections).toBe(1)
    expect(fixture.asked.map(({ path }) => path)).toEqual(['/v1/messages', '/v1/messages/count_tokens'])
  })

  it('gets status, headers and body of the answer, whatever they are', async () => {
    await using fixture = await startGateway([apiError(429, 'slow down', { retryAfter: 7 })])
    const answer = await ask(fixture)
    expect(answer).toMatchObject({
      status: 429,
      headers: { 'retry-after': '7', 'request-id': expect.stringMatching(/^req_/) },
    })
    expect(JSON.parse(answer.text)).toMatchObject({
      error: { type: 'rate_limit_error', message: 'slow down' },
    })
    await fixture.observed(1)
    expect(fixture.seen).toMatchObject([
      {
        status: 429,
        outcome: 'complete',
        rateLimits: { retryAfter: 7 },
        requestId: answer.headers['request-id'],
      },
    ])
  })

  it('gets a stream byte for byte', async () => {
    await using fixture = await startGateway([
      reply(['wörld 🎈', toolUse('Bash', { command: 'ls' })], { deltaSize: 1 }),
    ])
    const { text } = await ask(fixture, { body: question({ stream: true }) })
    expect(text).toMatch(/^event: message_start\n/)
    expect(text).toMatch(/event: message_stop\ndata: \{"type":"message_stop"\}\n\n$/)
    expect(text).toContain('🎈')
  })

  it('gets each piece while the upstream still holds the rest', async () => {
    let upstreamAnswer: ServerResponse | undefined
    await using upstream = await startUpstream((request, response) => {
      upstreamAnswer = response
      request.resume().once('end', () => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('event: message_start\n')
      })
    })
    await using fixture = await startGateway([], { upstream: () => realUpstream(upstream.url) })
    const answer = await send(fixture.gateway, {
      headers: { 'x-api-key': fixture.credential },
      body: question({ stream: true }),
    })
    const pieces = (answer as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
    const next = async () => String((await pieces.next()).value)
    expect(await next()).toBe('event: message_start\n')
    upstreamAnswer?.write('data: half of')
    expect(await next()).toBe('data: half of')
    upstreamAnswer?.end(' it\n\n')
    expect(await next()).toBe(' it\n\n')
    expect(await next()).toBe('undefined')
  })

  it('gets the head while the upstream holds the whole body', async () => {
    let upstreamAnswer: ServerResponse | undefined
    await using upstream = await startUpstream((request, response) => {
      upstreamAnswer = response
      request.resume().once('end', () => response.writeHead(207, { 'x-head': 'first' }).flushHeaders())
    })
    await using fixture = await startGateway([], { upstream: () => realUpstream(upstream.url) })
    const answer = await send(fixture.gateway, {
      headers: { 'x-api-key': fixture.credential },
      body: question(),
    })
    expect([answer.statusCode, answer.headers['x-head']]).toEqual([207, 'first'])
    upstreamAnswer?.end()
    answer.resume()
    await once(answer, 'end')
  })

  it('of many megabytes is not taken faster than the client reads', async () => {
    let written = 0
    let blocked: () => void = () => {}
    const isBlocked = new Promise<void>((resolve) => {
      blocked = resolve
    })
    const total = 64 * 1024 * 1024
    await using upstream = await startUpstream((request, response) => {
      request.resume().once('end', () => {
        const chunk = Buffer.alloc(256 * 1024, 'x')
        const more = () => {
          while (written < total) {
            written += chunk.length
            if (!response.write(chunk)) return void response.once('drain', more)
          }
          response.end()
        }
        more()
        setTimeout(blocked, 500)
      })
    })
    await using fixture = await startGateway([], { upstream: () => realUpstream(upstream.url) })
    const answer = await send(fixture.gateway, {
      headers: { 'x-api-key': fixture.credential },
      body: question({ stream: true }),
    })
    await isBlocked
    expect(written).toBeLessThan(total / 2)
    let received = 0
    for await (const chunk of answer as AsyncIterable<Buffer>) received += chunk.length
    expect(received).toBe(total)
  })

  it('reports its usage, model and limits to the observer', async () => {
    const usage = {
      input_tokens: 11,
      output_tokens: 22,
      cache_creation_input_tokens: 33,
      cache_read_input_tokens: 44,
    }
    await using fixture = await startGateway([reply(['a'], { usage }), reply(['b'], { usage })])
    await ask(fixture, { body: question({ stream: true }) })
    await ask(fixture)
    await fixture.observed(2)
    const seen = {
      sessionId: 'session-1',
      path: '/v1/messages',
      model: 'claude-test',
      status: 200,
      outcome: 'complete',
      usage,
    }
    expect(fixture.seen).toMatchObject([seen, seen])
  })
})

describe('the ends of a call', () => {
  it('a client that goes away ends the call upstream, before the answer and in its middle', async () => {
    await using fixture = await startGateway([hang(), hang({ afterDeltas: 3 })])
    for (const n of [1, 2]) {
      const controller = new AbortController()
      const answer = send(fixture.gateway, {
        headers: { 'x-api-key': fixture.credential },
        body: question({ stream: true }),
        signal: controller.signal,
      })
      const request = await fixture.model.waitForRequest(n)
      if (n === 2) await once(await answer, 'data')
      controller.abort()
      await answer.catch(() => undefined)
      if (!request.aborted) await once(request.signal, 'abort')
      await fixture.observed(n)
    }
    expect(fixture.seen.map(({ outcome }) => outcome)).toEqual(['aborted', 'aborted'])
  })

  it('an upstream that breaks off breaks off the client', async () => {
    await using upstream = await startUpstream((request, response) => {
      request.resume().once('end', () => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('event: ping\n\n', () => response.destroy())
      })
    })
    await using fixture = await startGateway([], { upstream: () => realUpstream(upstream.url) })
    await expect(ask(fixture, { body: question({ stream: true }) })).rejects.toThrow(/aborted/)
    await fixture.observed(1)
    expect(fixture.seen).toMatchObject([{ outcome: 'upstream-cut', status: 200 }])
  })

  it('an upstream that is down is an error of the API that says so', async () => {
    await using fixture = await startGateway([])
    await fixture.model.close()
    const answer = await ask(fixture)
    expect(answer.status).toBe(502)
    expect(answer.headers['x-should-retry']).toBeUndefined()
    expect(JSON.parse(answer.text)).toEqual({
      type: 'error',
      error: {
        type: 'api_error',
        message: expect.stringMatching(/^DorkOS cannot reach the model at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)/),
      },
    })
    expect(fixture.seen).toMatchObject([{ outcome: 'unreachable', status: 502 }])
  })

  it('idle connections that the upstream closes just then are replaced without a word', async () => {
    const used = new WeakSet<object>()
    let dead = false
    await using upstream = await startUpstream((request, response) => {
      if (dead || used.has(request.socket)) return void request.socket.destroy()
      used.add(request.socket)
      request.resume().once('end', () => setImmediate(() => response.end('{}')))
    })
    await using fixture = await startGateway([], { upstream: () => realUpstream(upstream.url) })
    const three = async () =>
      (await Promise.all([1, 2, 3].map(() => ask(fixture)))).map(({ status }) => status)
    expect(await three()).toEqual([200, 200, 200])
    expect((await ask(fixture)).status).toBe(200)
    expect(await three()).toEqual([200, 200, 200])
    dead = true
    expect((await ask(fixture)).status).toBe(502)
  })

  it('a key that cannot be had, or an address that is none, is an error that reveals nothing of them', async () => {
    const broken = [
      {
        kind: 'anthropic',
        baseUrl: 'http://127.0.0.1:1',
        headers: () => Promise.reject(new Error(REAL_KEY)),
      },
      { kind: 'anthropic', baseUrl: `ftp://${REAL_KEY}@host/`, headers: async () => ({}) },
      { kind: 'anthropic', baseUrl: REAL_KEY, headers: async () => ({}) },
      {
        kind: 'anthropic',
        baseUrl: 'http://127.0.0.1:1',
        headers: async () => ({ 'x-api-key': `${REAL_KEY}\n` }),
      },
    ] as const
    for (const upstream of broken) {
      await using fixture = await startGateway([], { upstream: () => upstream })
      const answer = await ask(fixture)
      expect(answer.status).toBe(502)
      expect(answer.text + JSON.stringify(fixture.logs)).not.toContain(REAL_KEY)
    }
  })
})
