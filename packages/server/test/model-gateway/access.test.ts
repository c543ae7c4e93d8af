import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { hang } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { ask, question, REAL_KEY, send, startGateway } from './gateway-fixture.ts'

const errorOf = (answer: { text: string }) => (JSON.parse(answer.text) as { error: object }).error

describe('a credential', () => {
  it.each([
    ['x-api-key', (credential: string) => ({ 'x-api-key': credential })],
    ['authorization: Bearer', (credential: string) => ({ authorization: `Bearer ${credential}` })],
  ])('is taken from %s', async (_, headers) => {
    await using fixture = await startGateway(['hello'])
    const answer = await send(fixture.gateway, { headers: headers(fixture.credential), body: question() })
    expect(answer.statusCode).toBe(200)
    answer.resume()
  })

  it.each<[string, Record<string, string>]>([
    ['is missing', {}],
    ['is empty', { 'x-api-key': '' }],
    ['is wrong', { 'x-api-key': `dorkos-session-${'A'.repeat(43)}` }],
    ['is the real key', { 'x-api-key': REAL_KEY }],
    ['is the hash of nothing', { authorization: 'Bearer ' }],
    ['is endless', { 'x-api-key': 'x'.repeat(10_000) }],
    ['is of another scheme', { authorization: 'Basic b3duZXI6' }],
  ])('that %s is refused in the shape of the API, and nothing is asked upstream', async (_, headers) => {
    await using fixture = await startGateway(['hello'])
    const answer = await send(fixture.gateway, { headers, body: question() })
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['x-should-retry']).toBe('false')
    expect(JSON.parse(await text(answer))).toMatchObject({
      type: 'error',
      error: { type: 'authentication_error' },
    })
    expect([fixture.model.requests, fixture.asked, fixture.seen]).toEqual([[], [], []])
  })

  it('with one character changed, or one too many, is wrong', async () => {
    await using fixture = await startGateway([])
    const { credential } = fixture
    const changed = credential.slice(0, -2) + (credential.at(-2) === 'A' ? 'B' : 'A') + credential.slice(-1)
    for (const wrong of [changed, `${credential}A`, credential.slice(0, -1)]) {
      expect((await ask(fixture, { headers: { 'x-api-key': wrong } })).status).toBe(401)
    }
  })

  it('tells the sessions apart', async () => {
    await using fixture = await startGateway(() => 'hello')
    const other = fixture.gateway.issue({ sessionId: 'session-2', principal: 'owner', demo: false })
    expect(other).not.toBe(fixture.credential)
    await ask(fixture)
    await ask(fixture, { headers: { 'x-api-key': other } })
    await fixture.observed(2)
    expect(fixture.asked.map(({ sessionId }) => sessionId)).toEqual(['session-1', 'session-2'])
    expect(fixture.seen.map(({ sessionId }) => sessionId)).toEqual(['session-1', 'session-2'])
  })

  it('that is revoked or replaced is wrong from then on, and that of another session stays good', async () => {
    await using fixture = await startGateway(() => 'hello')
    const { gateway, session, credential } = fixture
    const other = gateway.issue({ sessionId: 'session-2', principal: 'owner', demo: false })
    const next = gateway.issue(session)
    const status = async (key: string) => (await ask(fixture, { headers: { 'x-api-key': key } })).status
    expect([await status(credential), await status(next), await status(other)]).toEqual([401, 200, 200])
    gateway.revoke(session.sessionId)
    expect([await status(next), await status(other)]).toEqual([401, 200])
  })

  it('that is revoked takes its open calls with it, and only those', async () => {
    await using fixture = await startGateway([hang({ afterDeltas: 1 }), hang({ afterDeltas: 1 })])
    const { gateway, model, credential } = fixture
    const other = gateway.issue({ sessionId: 'session-2', principal: 'owner', demo: false })
    const body = question({ stream: true })
    const cut = await send(gateway, { headers: { 'x-api-key': credential }, body })
    const kept = await send(gateway, { headers: { 'x-api-key': other }, body })
    cut.resume()
    const ended = once(cut, 'error')
    gateway.revoke('session-1')
    await ended
    await fixture.observed(1)
    expect(fixture.seen).toMatchObject([{ sessionId: 'session-1', outcome: 'aborted' }])
    expect((await model.waitForRequest(1)).aborted).toBe(true)
    expect((await model.waitForRequest(2)).aborted).toBe(false)
    kept.destroy()
  })

  it('that is wrong too often is answered with 429, while the right one works on', async () => {
    await using fixture = await startGateway(() => 'hello', { limits: { failures: 3 } })
    const wrong = { headers: { 'x-api-key': 'wrong' } }
    const statuses = []
    for (let n = 0; n < 5; n++) statuses.push((await ask(fixture, wrong)).status)
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    expect((await ask(fixture)).status).toBe(200)
    expect(fixture.logs.filter(({ level }) => level === 'warn')).toHaveLength(3)
  })
})

describe('a request', () => {
  it.each([
    ['localhost', 421],
    ['evil.example', 421],
    ['127.0.0.1', 421],
    ['127.0.0.1:1', 421],
  ])('for the host %s gets %i', async (host, status) => {
    await using fixture = await startGateway([])
    expect((await ask(fixture, { headers: { host } })).status).toBe(status)
    expect(fixture.model.requests).toEqual([])
  })

  it('that names two hosts gets 421', async () => {
    await using fixture = await startGateway([])
    const { host, port } = new URL(fixture.gateway.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.end(`HEAD / HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 4(00|21) /)
  })

  it.each([
    ['a host after 1,996 others', 431, (_own: string) => `${'a:\r\n'.repeat(1996)}Host: evil.example\r\n`],
    ['an origin after 3,000 others', 431, () => `${'a:\r\n'.repeat(3000)}Origin: https://evil.example\r\n`],
    ['two credentials', 400, (own: string) => `Authorization: Bearer x\r\nAuthorization: Bearer ${own}\r\n`],
    ['two lengths', 400, () => 'Content-Length: 0\r\nContent-Length: 5\r\n'],
    ['two origins', 403, () => 'Origin: null\r\nOrigin: null\r\n'],
  ] as const)('with %s gets %i', async (_what, status, lines) => {
    await using fixture = await startGateway([])
    const { host, port } = new URL(fixture.gateway.url)
    const socket = connect(Number(port), '127.0.0.1')
    const key = `X-Api-Key: ${fixture.credential}\r\n`
    const head = `GET /v1/models HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`
    socket.write(`${head}${key}${lines(fixture.credential)}\r\n`)
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(fixture.model.requests).toEqual([])
  })

  it.each(['https://evil.example', 'http://127.0.0.1:4242', 'null'])(
    'of the origin %s gets 403',
    async (origin) => {
      await using fixture = await startGateway([])
      const answer = await ask(fixture, { headers: { origin } })
      expect(answer.status).toBe(403)
      expect(Object.keys(answer.headers).join()).not.toContain('access-control')
      expect(fixture.model.requests).toEqual([])
    },
  )

  it.each([
    ['GET', '/v1/messages'],
    ['DELETE', '/v1/messages'],
    ['OPTIONS', '/v1/messages'],
    ['POST', '/v1/messages/batches'],
    ['POST', '/v1/messages/'],
    ['POST', '/v1//messages'],
    ['POST', '/v1/../v1/messages'],
    ['POST', '/v1/files'],
    ['POST', 'http://evil.example/v1/messages'],
    ['GET', '/v1/models/claude-test'],
    ['GET', '/v1/organizations'],
    ['GET', '/'],
  ])('%s %s is not known', async (method, path) => {
    await using fixture = await startGateway([])
    const { host, port } = new URL(fixture.gateway.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.end(
      `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Api-Key: ${fixture.credential}\r\nConnection: close\r\n\r\n`,
    )
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /)
    expect(fixture.model.requests).toEqual([])
  })

  it('that only probes needs no credential and learns nothing', async () => {
    await using fixture = await startGateway([])
    for (const path of ['/', '/api/hello']) {
      const answer = await send(fixture.gateway, { method: 'HEAD', path })
      expect([answer.statusCode, await text(answer)]).toEqual([200, ''])
    }
  })

  it('with too large a body gets 413, said in advance or not', async () => {
    await using fixture = await startGateway([], { limits: { bodyBytes: 1000 } })
    const said = await ask(fixture, { body: 'x'.repeat(1001) })
    const unsaid = await ask(fixture, { body: 'x'.repeat(1001), headers: { 'transfer-encoding': 'chunked' } })
    for (const answer of [said, unsaid]) {
      expect(answer.status).toBe(413)
      expect(errorOf(answer)).toMatchObject({ type: 'request_too_large' })
    }
    expect(fixture.asked).toEqual([])
  })

  it('with a compressed body gets 415', async () => {
    await using fixture = await startGateway([])
    expect((await ask(fixture, { headers: { 'content-encoding': 'gzip' } })).status).toBe(415)
  })

  it('with too large a head gets 431', async () => {
    await using fixture = await startGateway([])
    expect((await ask(fixture, { headers: { 'x-stainless-x': 'x'.repeat(40_000) } })).status).toBe(431)
  })

  it.each([
    ['whose head never comes', ''],
    ['whose head does not end', 'POST /v1/messages HTTP/1.1\r\nHost: x\r\n'],
    ['whose body does not come', 'body'],
  ])('%s is ended', async (_, start) => {
    const limits = { headersMs: 100, requestMs: 300 }
    await using fixture = await startGateway([], { limits })
    const { host, port } = new URL(fixture.gateway.url)
    const head = `POST /v1/messages HTTP/1.1\r\nHost: ${host}\r\nX-Api-Key: ${fixture.credential}\r\nContent-Length: 99\r\n\r\n`
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(start === 'body' ? head : start)
    expect(await text(socket)).toMatch(/^(HTTP\/1\.1 408 |$)/)
    expect(fixture.model.requests).toEqual([])
  })
})

describe('admission', () => {
  it('that is refused is answered with its message, and nothing is asked upstream', async () => {
    const message = 'The daily budget of 5 USD is spent.'
    await using fixture = await startGateway(['hello'], { admit: () => ({ ok: false, message }) })
    const answer = await ask(fixture)
    expect([answer.status, answer.headers['x-should-retry']]).toEqual([402, 'false'])
    expect(JSON.parse(answer.text)).toEqual({ type: 'error', error: { type: 'budget_exceeded', message } })
    expect(fixture.asked).toEqual([{ sessionId: 'session-1', model: 'claude-test', path: '/v1/messages' }])
    expect([fixture.model.requests, fixture.seen]).toEqual([[], []])
  })

  it('that fails lets nothing through', async () => {
    await using fixture = await startGateway(['hello'], { admit: () => Promise.reject(new Error(REAL_KEY)) })
    const answer = await ask(fixture)
    expect(answer.status).toBe(500)
    expect(answer.text + JSON.stringify(fixture.logs)).not.toContain(REAL_KEY)
    expect(fixture.model.requests).toEqual([])
  })

  it('finds the model wherever the body has it', async () => {
    await using fixture = await startGateway(() => 'hello')
    await ask(fixture, { body: JSON.stringify({ messages: [], model: 'last' }) })
    await ask(fixture, { body: 'no JSON' })
    expect(fixture.asked.map(({ model }) => model)).toEqual(['last', undefined])
  })
})

describe('a session that is not a demo', () => {
  it('is not gone on with by the demo model', async () => {
    await using fixture = await startGateway([], { upstream: () => ({ kind: 'demo' }) })
    const answer = await ask(fixture)
    expect(answer.status).toBe(403)
    expect(errorOf(answer)).toMatchObject({ message: expect.stringMatching(/demo model does not go on/) })
  })
})

describe('no secret', () => {
  it('is in a log, whatever happens', async () => {
    await using fixture = await startGateway(() => 'hello', { limits: { failures: 2 } })
    const { gateway, credential, logs, model } = fixture
    await ask(fixture)
    await ask(fixture, { headers: { 'x-api-key': 'wrong-credential' } })
    await ask(fixture, { path: `/v1/messages?key=${credential}` })
    await model.close()
    await ask(fixture)
    gateway.revoke('session-1')
    await ask(fixture)
    const all = JSON.stringify(logs)
    expect(logs.length).toBeGreaterThan(3)
    for (const secret of [credential, REAL_KEY, 'wrong-credential']) expect(all).not.toContain(secret)
  })
})
