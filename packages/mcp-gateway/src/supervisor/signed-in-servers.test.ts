/** Servers that a person has signed in to: the token of the sign-in goes to them and to nobody else, and is renewed unnoticed. */
import { request as forward } from 'node:http'
import { describe, expect, it } from 'vitest'
import { call, httpEntry, inState, statusWhere, textOf } from '../../test/support/gateway-fixture.ts'
import { useGateway } from '../../test/support/use-gateway.ts'
import { listen, sseServer, streamableServer, type WebServer } from '../../test/support/web-servers.ts'
import type { McpCallError } from '../errors.ts'
import type { UpstreamCredentials } from '../upstream/credentials.ts'

const used = useGateway()
const { started } = used
const failed = (error: unknown) => error as McpCallError

/** Lets only those through who bring this token. */
async function guarded(inner: WebServer, token: () => string): Promise<WebServer & { refusals(): number }> {
  let refused = 0
  const server = await listen((request, response) => {
    if (request.headers.authorization !== `Bearer ${token()}`) {
      refused += 1
      return void response.writeHead(401).end(`no: ${request.headers.authorization}`)
    }
    const { method, headers, url: path } = request
    const there = forward({ port: inner.port, method, headers, path, host: '127.0.0.1' }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    there.on('error', () => response.destroy())
    response.on('close', () => there.destroy())
    request.pipe(there)
  })
  return { ...started(server), refusals: () => refused }
}

class Credentials implements UpstreamCredentials {
  now: string | undefined
  /** What comes of being refused. */
  next: string | undefined | Error
  refused: (string | undefined)[] = []

  constructor(now: string | undefined, next?: string | Error) {
    this.now = now
    this.next = next
  }

  async token() {
    return this.now
  }

  async renew(refused: string | undefined) {
    this.refused.push(refused)
    if (this.next instanceof Error) throw this.next
    this.now = this.next
    return this.now !== undefined
  }

  secrets() {
    return this.now === undefined ? [] : [this.now]
  }
}

const kinds = [
  ['http', streamableServer],
  ['sse', sseServer],
] as const

describe.each(kinds)('a server of type %s', (type, startInner) => {
  async function held(credentials: Credentials, valid: () => string) {
    const server = await guarded(started(await startInner()), valid)
    const supervisor = used.fixture.supervisor({ credentialsOf: () => credentials })
    const hold = supervisor.hold(httpEntry({ type, url: server.url }), { id: 'a' })
    return { hold, server, supervisor }
  }

  it('gets the token, and a new one when it does not take the old one any more', async () => {
    let valid = 'the-first-token'
    const credentials = new Credentials('the-first-token')
    const { hold, server } = await held(credentials, () => valid)
    await inState(hold, 'connected')
    expect(await textOf(call(hold, 'echo', { text: 'one' }))).toBe('one')
    expect(server.refusals()).toBe(0)
    valid = 'the-second-token'
    credentials.next = valid
    expect(await textOf(call(hold, 'echo', { text: 'two' }))).toBe('two')
    expect(credentials.refused).toContain('the-first-token')
    expect(hold.status()).toMatchObject({ state: 'connected', error: undefined, failures: 0 })
  })

  it('waits for a person who signs in, and is there after that', async () => {
    const credentials = new Credentials(undefined)
    const { hold, supervisor } = await held(credentials, () => 'the-token')
    const calling = call(hold, 'echo').catch(failed)
    expect(await inState(hold, 'needs_auth')).toMatchObject({
      error: 'answered HTTP 401: sign in to it',
      nextTryAt: undefined,
    })
    expect(await calling).toHaveProperty(
      'message',
      expect.stringContaining('Only a person can sign in to it.'),
    )
    credentials.now = 'the-token'
    expect((await supervisor.reconnect(hold.status().key))?.state).toBe('connected')
    expect(await textOf(call(hold, 'echo', { text: 'in' }))).toBe('in')
  })

  it('is asked once more only, when the new token is no better', async () => {
    const credentials = new Credentials('a-token-that-is-old', 'a-token-that-is-bad')
    const { hold, server } = await held(credentials, () => 'the-token')
    await inState(hold, 'needs_auth')
    expect(credentials.refused[0]).toBe('a-token-that-is-old')
    expect(server.refusals()).toBe(2 * credentials.refused.length)
  })

  it('is tried again later when it could not be found out whether there is a new token', async () => {
    const credentials = new Credentials('a-token-that-is-old', new Error('auth.example cannot be reached'))
    const { hold } = await held(credentials, () => 'the-token')
    const { state, error, nextTryAt } = await statusWhere(hold, (status) => status.error !== undefined)
    expect(state).toBe('pending')
    expect(error).toBe(
      'answered HTTP 401, and the sign-in could not be renewed: auth.example cannot be reached',
    )
    expect(nextTryAt).toBeDefined()
  })
})

it('a header of its own entry goes before what a person signed in with', async () => {
  const server = await guarded(started(await streamableServer()), () => 'of-the-entry')
  const credentials = new Credentials('of-the-sign-in')
  const entry = httpEntry({
    type: 'http',
    url: server.url,
    headers: { Authorization: 'Bearer of-the-entry' },
  })
  const hold = used.fixture.supervisor({ credentialsOf: () => credentials }).hold(entry, { id: 'a' })
  await inState(hold, 'connected')
  expect(credentials.refused).toEqual([])
})

it('the token goes nowhere else, wherever the server sends', async () => {
  const seen: (string | undefined)[] = []
  const thief = started(
    await listen((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(401).end()
    }),
  )
  const server = started(
    await listen((_, response) => response.writeHead(307, { location: thief.url }).end()),
  )
  const credentials = new Credentials('the-token-itself')
  const supervisor = used.fixture.supervisor({ credentialsOf: () => credentials })
  for (const type of ['http', 'sse'] as const) {
    const hold = supervisor.hold(httpEntry({ type, url: server.url }), { id: 'a' })
    await statusWhere(hold, (status) => status.error !== undefined)
  }
  expect(seen.filter((header) => header !== undefined)).toEqual([])
})

it('a token is not revealed, whoever repeats it', async () => {
  const server = started(
    await listen(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { id } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { id?: unknown }
      const error = { code: -32603, message: `your header was ${request.headers.authorization}` }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error }))
    }),
  )
  const credentials = new Credentials('the-token-itself')
  const supervisor = used.fixture.supervisor({ credentialsOf: () => credentials })
  const hold = supervisor.hold(httpEntry({ type: 'http', url: server.url }), { id: 'a' })
  const { error } = await statusWhere(hold, (status) => status.error !== undefined)
  expect(error).toContain('Bearer •••')
  expect(JSON.stringify(hold.status())).not.toContain('the-token-itself')
})

it('a token is not handed to agents, neither in a result nor in the data of an error', async () => {
  const server = started(
    await listen(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as {
        id?: unknown
        method?: string
        params?: { name?: string; protocolVersion?: string }
      }
      if (id === undefined) return void response.writeHead(202).end()
      const seen = String(request.headers.authorization)
      const info = { protocolVersion: params?.protocolVersion, serverInfo: { name: 'parrot', version: '1' } }
      const results: Record<string, unknown> = {
        initialize: { ...info, capabilities: { tools: {} }, instructions: seen },
        'tools/list': { tools: [{ name: 'say', description: seen, inputSchema: { type: 'object' } }] },
        'tools/call': { content: [{ type: 'text', text: seen }], structuredContent: { deep: [seen] } },
      }
      const result = params?.name === 'fail' ? undefined : results[String(method)]
      const error = { code: -32000, message: 'no', data: { request: { headers: [seen] } } }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }))
    }),
  )
  const credentials = new Credentials('the-token-itself')
  const supervisor = used.fixture.supervisor({ credentialsOf: () => credentials })
  const hold = supervisor.hold(httpEntry({ type: 'http', url: server.url }), { id: 'a' })
  await inState(hold, 'connected')
  const answers = [await call(hold, 'say'), await call(hold, 'fail').catch((error) => failed(error).data)]
  const all = JSON.stringify([answers, hold.catalogue()])
  expect(all).not.toContain('the-token-itself')
  expect(all.match(/Bearer •••/g)).toHaveLength(5)
})
