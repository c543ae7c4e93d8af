import { request as httpRequest } from 'node:http'
import {
  type Endpoint,
  endpoints,
  openApiDocument,
  pagePaths,
  problemSchema,
  publicPaths,
  type Scope,
} from '@dorkos/shared'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  allScopes,
  goneCode,
  type HttpFixture,
  pathOf,
  type RawAnswer,
  secretOf,
  sendRaw,
  startHttp,
} from '../../test/support/http-fixture.ts'
import { answers, bodies, messageId, queries, session, sessionId } from '../../test/support/http-samples.ts'

const table = Object.entries(endpoints as Record<string, Endpoint>)
const guarded = table.filter(([, endpoint]) => endpoint.scope !== 'public')
const withBody = table.filter(([, endpoint]) => endpoint.body)

let http: HttpFixture

beforeAll(async () => {
  http = await startHttp({ maxFailures: 1_000_000 })
})
afterAll(() => http.close())
beforeEach(() => {
  http.calls.length = 0
  http.log.length = 0
})

interface Sent {
  token?: string | undefined
  headers?: Record<string, string>
  body?: string | undefined
}

/** As a browser's fetch cannot: any header, Host and Origin included. */
function send(method: string, path: string, { token, headers = {}, body }: Sent = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        host: '127.0.0.1',
        port: http.port,
        method,
        path,
        agent: false,
        headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
          // An event stream does not end by itself.
          if (response.headers['content-type']?.startsWith('text/event-stream')) response.destroy()
        })
        response.on('close', () =>
          resolve({
            status: response.statusCode ?? 0,
            head: Object.entries(response.headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n'),
            body: text,
          }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function call(name: string, endpoint: Endpoint, more: Sent = {}): Promise<RawAnswer> {
  const body = endpoint.body ? JSON.stringify(bodies[name] ?? {}) : undefined
  return send(endpoint.method, `${pathOf(endpoint)}${queries[name] ?? ''}`, {
    token: secretOf(...allScopes),
    body,
    ...more,
    headers: { ...(endpoint.body ? { 'content-type': 'application/json' } : {}), ...more.headers },
  })
}

function expectProblem(answer: RawAnswer, status: number, code: string): void {
  expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([status, code])
  problemSchema.parse(JSON.parse(answer.body))
  expect(http.calls).toEqual([])
}

describe('every endpoint of the table', () => {
  it.each(table)('%s answers a actor with every right', async (name, endpoint) => {
    const answer = await call(name, endpoint)
    expect([answer.status, answer.body.slice(0, 300)]).toEqual([
      endpoint.response ? (endpoint.status ?? 200) : 204,
      answer.body.slice(0, 300),
    ])
    expect(answer.head).not.toContain('access-control')
  })

  it.each(guarded)('%s refuses without a token', async (name, endpoint) => {
    const answer = await call(name, endpoint, { token: undefined })
    expectProblem(answer, 401, 'unauthenticated')
    expect(answer.head).toContain('www-authenticate: Bearer')
  })

  it.each(guarded)('%s refuses a wrong token, and one in the wrong place', async (name, endpoint) => {
    expectProblem(await call(name, endpoint, { token: 'dork_wrong' }), 401, 'unauthenticated')
    const secret = secretOf(...allScopes)
    const path = `${pathOf(endpoint)}?token=${secret}&access_token=${secret}`
    const headers = { cookie: `token=${secret}`, 'content-type': 'application/json', 'x-api-key': secret }
    expectProblem(await send(endpoint.method, path, { headers }), 401, 'unauthenticated')
  })

  it.each(guarded)('%s refuses a token that lacks its scope', async (name, endpoint) => {
    const others = allScopes.filter((scope) => scope !== endpoint.scope)
    expectProblem(await call(name, endpoint, { token: secretOf(...others) }), 403, 'forbidden')
  })

  it.each(table)('%s refuses a foreign Host', async (name, endpoint) => {
    expectProblem(await call(name, endpoint, { headers: { host: 'evil.test' } }), 421, 'wrong_host')
  })

  it.each(table)('%s refuses a foreign Origin', async (name, endpoint) => {
    for (const origin of ['https://evil.test', 'null', `http://127.0.0.1:${http.port + 1}`]) {
      expectProblem(await call(name, endpoint, { headers: { origin } }), 403, 'origin_refused')
    }
  })

  it.each(table)('%s refuses a body that is too large', async (name, endpoint) => {
    const limit = endpoint.body ? (endpoint.bodyLimit ?? 1024 * 1024) : 0
    const headers = { 'content-length': String(limit + 1) }
    const body = ' '.repeat(limit + 1)
    expectProblem(await call(name, endpoint, { headers, body }), 413, 'payload_too_large')
  })

  it.each(table)('%s refuses such a body when its length is not announced', async (name, endpoint) => {
    const limit = endpoint.body ? (endpoint.bodyLimit ?? 1024 * 1024) : 0
    const headers = { 'transfer-encoding': 'chunked' }
    const body = ' '.repeat(limit + 1)
    expectProblem(await call(name, endpoint, { headers, body }), 413, 'payload_too_large')
  })

  it.each(withBody)('%s refuses a malformed body', async (name, endpoint) => {
    for (const body of ['{', '[1,]', '"text"', '[]', 'null', '\u0000', '{"unknown": 1e999999}x']) {
      expectProblem(await call(name, endpoint, { body }), 400, 'invalid_request')
    }
  })

  it.each(withBody)('%s refuses a body that is not JSON', async (name, endpoint) => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
      'application/jsonp',
      'text/json',
      '',
    ]) {
      const answer = await call(name, endpoint, { headers: { 'content-type': type } })
      expectProblem(answer, 415, 'unsupported_media_type')
    }
  })

  it.each(table.filter(([, endpoint]) => endpoint.params))(
    '%s refuses parameters that do not fit',
    async (name, endpoint) => {
      for (const bad of ['..', '%2e%2e%2fetc', "'%20OR%201=1", 'x'.repeat(300), '-1']) {
        const path = endpoint.path.replace(/:(id|messageId|name)/g, bad)
        const answer = await send(endpoint.method, path, {
          token: secretOf(...allScopes),
          headers: endpoint.body ? { 'content-type': 'application/json' } : {},
          body: endpoint.body ? JSON.stringify(bodies[name] ?? {}) : undefined,
        })
        expect([400, 404, 405]).toContain(answer.status)
        expect(http.calls).toEqual([])
      }
    },
  )
})

describe('Host', () => {
  const raw = (lines: string) =>
    sendRaw(http.port, `GET /api/health HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`)

  it.each([
    ['its own', (port: number) => `Host: 127.0.0.1:${port}\r\n`, 200],
    ['localhost', (port: number) => `Host: localhost:${port}\r\n`, 200],
    ['in capitals', (port: number) => `HOST: LocalHost:${port}\r\n`, 200],
    ['IPv6 loopback', (port: number) => `Host: [::1]:${port}\r\n`, 200],
    ['missing', () => '', 421],
    ['empty', () => 'Host: \r\n', 421],
    ['twice', (port: number) => `Host: 127.0.0.1:${port}\r\nHost: 127.0.0.1:${port}\r\n`, 421],
    ['twice, the second foreign', (port: number) => `Host: 127.0.0.1:${port}\r\nHost: evil.test\r\n`, 421],
    ['a name that begins alike', (port: number) => `Host: localhost.evil.test:${port}\r\n`, 421],
    ['a trailing dot', (port: number) => `Host: localhost.:${port}\r\n`, 421],
    ['another port', (port: number) => `Host: 127.0.0.1:${port + 1}\r\n`, 421],
    ['no port', () => 'Host: 127.0.0.1\r\n', 421],
    ['IPv6 without brackets', (port: number) => `Host: ::1:${port}\r\n`, 421],
    ['another form of loopback', (port: number) => `Host: 127.1:${port}\r\n`, 421],
    ['as a number', (port: number) => `Host: 2130706433:${port}\r\n`, 421],
    ['with a user', (port: number) => `Host: a@127.0.0.1:${port}\r\n`, 421],
  ])('%s', async (_name, lines, status) => {
    const answer = await raw(lines(http.port))
    expect(answer.status).toBe(status)
    if (status !== 200) expect(http.calls).toEqual([])
  })

  it.each([...publicPaths, ...pagePaths, '/nothing', '/api/nothing', '/api/events'])(
    'is checked for %s too',
    async (path) => {
      const answer = await send('GET', path, { headers: { host: 'evil.test' } })
      expect(answer.status).toBe(421)
      expect(answer.head).toContain('content-security-policy')
    },
  )

  it('cannot be got round by an absolute target', async () => {
    const lines = `Host: 127.0.0.1:${http.port}\r\nConnection: close\r\n\r\n`
    for (const target of ['http://evil.test/api/health', '//evil.test/api/health', '*', 'api/health']) {
      const answer = await sendRaw(http.port, `OPTIONS ${target} HTTP/1.1\r\n${lines}`)
      expect([target, answer.status]).toEqual([target, 400])
    }
  })
})

describe('headers that Node hides', () => {
  const many = (count: number) => Array.from({ length: count }, () => 'a:\r\n').join('')
  const sendHeaders = (lines: string) => {
    const own = `Host: 127.0.0.1:${http.port}\r\nConnection: close\r\n`
    return sendRaw(http.port, `GET /api/status HTTP/1.1\r\n${own}${lines}\r\n`)
  }
  const token = `Authorization: Bearer ${secretOf('read')}\r\n`

  it.each([98, 1996, 3500])('a foreign Host, Origin or site after %i others is refused', async (count) => {
    for (const line of ['Host: evil.test', 'Origin: http://evil.test', 'Sec-Fetch-Site: cross-site', token]) {
      const answer = await sendHeaders(`${token}${many(count)}${line}\r\n`)
      expectProblem(answer, 431, 'too_many_headers')
      expect(http.calls).toEqual([])
    }
  })

  it('as many as there may be are looked at', async () => {
    expect((await sendHeaders(`${token}${many(97)}`)).status).toBe(200)
    expect((await sendHeaders(`${token}${many(96)}Host: evil.test\r\n`)).status).toBe(421)
    expect((await sendHeaders(`${token}${many(96)}Origin: http://evil.test\r\n`)).status).toBe(403)
  })

  it.each([
    ['Authorization', `${token}Authorization: Bearer ${secretOf(...allScopes)}\r\n`, 400],
    ['Origin', () => `${token}Origin: http://127.0.0.1:${http.port}\r\nOrigin: http://evil.test\r\n`, 403],
    ['Content-Length', `${token}Content-Length: 0\r\nContent-Length: 5\r\n`, 400],
    ['Host', `${token}Host: evil.test\r\n`, 421],
  ] as const)('two of %s are refused', async (_name, lines, status) => {
    const answer = await sendHeaders(typeof lines === 'string' ? lines : lines())
    expect(answer.status).toBe(status)
    expect(http.calls).toEqual([])
  })
})

describe('a part of the path', () => {
  it('is decoded once', async () => {
    const get = async (sent: string) =>
      (await send('GET', `/api/mcp/servers/${sent}`, { token: secretOf('read') })).status
    expect(await get('a%20b%3Ac')).toBe(200)
    expect(JSON.stringify(http.calls.at(-1)?.args)).toContain('"a b:c"')
    // No name of a server: with a percent sign, which a second time would make a blank of.
    for (const sent of ['a%2520b', 'a%', 'a%zz']) expect(await get(sent)).toBe(400)
  })

  it('that is a name of the table is written as it is there', async () => {
    expect((await send('GET', '/api/%73tatus', { token: secretOf('read') })).status).toBe(404)
  })
})

describe('Origin and Sec-Fetch-Site', () => {
  it('let in what the server itself served', async () => {
    for (const origin of [`http://127.0.0.1:${http.port}`, `http://localhost:${http.port}`]) {
      expect((await send('GET', '/api/health', { headers: { origin } })).status).toBe(200)
    }
    for (const site of ['same-origin', 'none']) {
      expect((await send('GET', '/api/health', { headers: { 'sec-fetch-site': site } })).status).toBe(200)
    }
  })

  it.each(['cross-site', 'same-site', 'anything'])('%s is refused', async (site) => {
    const answer = await send('GET', '/api/health', { headers: { 'sec-fetch-site': site } })
    expectProblem(answer, 403, 'origin_refused')
  })

  it('let a link on another site open a page, but nothing else', async () => {
    const navigation = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    }
    expect((await send('GET', '/api/docs', { headers: navigation })).status).toBe(200)
    expect((await send('GET', '/api/health', { headers: navigation })).status).toBe(403)
    const frame = { ...navigation, 'sec-fetch-dest': 'iframe' }
    expect((await send('GET', '/api/docs', { headers: frame })).status).toBe(403)
  })

  it('public origins are own ones', async () => {
    const other = await startHttp({ publicOrigins: ['https://agents.example.org'] })
    const raw = (host: string, origin: string) =>
      sendRaw(
        other.port,
        `GET /api/health HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nConnection: close\r\n\r\n`,
      )
    expect((await raw('agents.example.org', 'https://agents.example.org')).status).toBe(200)
    expect((await raw('agents.example.org', 'http://agents.example.org')).status).toBe(403)
    expect((await raw('evil.example.org', 'https://agents.example.org')).status).toBe(421)
    await other.close()
  })
})

describe('answers', () => {
  it('never carry a CORS header, and a preflight gets none', async () => {
    const paths = [...publicPaths, ...pagePaths, ...table.map(([, endpoint]) => pathOf(endpoint))]
    for (const path of new Set(paths)) {
      const answer = await send('OPTIONS', path, {
        headers: {
          origin: `http://localhost:${http.port}`,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        },
      })
      expect([path, answer.status]).toEqual([path, 405])
      expect(answer.head).not.toContain('access-control')
      expect(answer.head).toContain('allow: ')
    }
  })

  it('carry the security headers, whatever they are', async () => {
    const paths = ['/', '/api/health', '/api/status', '/nothing', '/api/docs', '/api/docs.css']
    for (const path of paths) {
      const { head } = await send('GET', path)
      expect(head).toContain('x-content-type-options: nosniff')
      expect(head).toContain('referrer-policy: no-referrer')
      expect(head).toContain("frame-ancestors 'none'")
      expect(head).toContain("default-src 'none'")
      expect(head).not.toContain('unsafe')
    }
    expect((await send('GET', '/api/health')).head).toContain('cache-control: no-store')
  })

  it('list every fault of a request at once', async () => {
    const answer = await send('GET', '/api/sessions?limit=0&origin=x&workspace_id=..', {
      token: secretOf('read'),
    })
    const { details } = JSON.parse(answer.body).error
    expect(details.issues.map((issue: { path: string }) => issue.path).toSorted()).toEqual([
      'query.limit',
      'query.origin',
      'query.workspace_id',
    ])
  })

  it('refuse bodies that are nested too deeply, and take those that are not', async () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    const set = (depth: number) =>
      send('PATCH', '/api/config', {
        token: secretOf('admin'),
        headers: { 'content-type': 'application/json' },
        body: `{"set":${nested(depth)}}`,
      })
    expect((await set(60)).status).toBe(200)
    http.calls.length = 0
    expectProblem(await set(64), 400, 'invalid_request')
    expectProblem(await set(100_000), 400, 'invalid_request')
  })

  it('hide what went wrong inside, and log it under the reference', async () => {
    http.stub('status.status', () => {
      throw new Error('the password is swordfish')
    })
    const answer = await send('GET', '/api/status', { token: secretOf('read') })
    expect(answer.status).toBe(500)
    expect(answer.body).not.toContain('swordfish')
    const { reference } = JSON.parse(answer.body).error
    const [entry] = http.log.filter(({ level }) => level === 'error')
    expect(entry?.fields).toMatchObject({ reference })
  })

  it('leave no token or query in the log', async () => {
    await send('GET', `/api/sessions?cursor=canary-query`, { token: secretOf('read') })
    await send('GET', '/api/sessions', { token: 'canary-token' })
    const text = JSON.stringify(http.log)
    expect(text).toContain('/api/sessions')
    expect(text).not.toMatch(/canary|secret-read/)
  })

  it.each([
    ['export', 'text/markdown; charset=utf-8'],
    ['tool-calls/toolu_1/output/file', 'text/plain; charset=utf-8'],
    ['tool-calls/toolu_1/pictures/0', 'image/png'],
    [`messages/${messageId}/pictures/0`, 'image/png'],
  ])('send files to be saved, with a name that is no path: %s', async (path, mediaType) => {
    const answer = await send('GET', `/api/sessions/${sessionId}/${path}`, { token: secretOf('read') })
    expect(answer.body).toBe('# one\n<script>alert(1)</script>\n')
    expect(answer.head).toContain(`\ncontent-type: ${mediaType}\n`)
    expect(answer.head).toContain('content-disposition: attachment; filename="a__b__c.md"')
    expect(answer.head).toContain('nosniff')
  })
})

describe('rights beyond the scope of an endpoint', () => {
  const create = (body: object, ...scopes: ('chat' | 'approve')[]) =>
    send('POST', '/api/sessions', {
      token: secretOf(...scopes),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const change = (body: object, ...scopes: ('chat' | 'approve')[]) =>
    send('PATCH', `/api/sessions/${sessionId}`, {
      token: secretOf(...scopes),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  it.each(['acceptEdits', 'dontAsk', 'bypassPermissions'])('%s needs approve', async (mode) => {
    for (const attempt of [create, change]) {
      expectProblem(await attempt({ permission_mode: mode }, 'chat'), 403, 'forbidden')
      expectProblem(await attempt({ permission_mode: mode, unattended: true }, 'chat'), 403, 'forbidden')
      expect((await attempt({ permission_mode: mode }, 'chat', 'approve')).status).toBeLessThan(300)
      http.calls.length = 0
    }
  })

  it.each(['default', 'plan'])('%s does not', async (mode) => {
    expect((await create({ permission_mode: mode }, 'chat')).status).toBe(201)
    expect((await change({ permission_mode: mode }, 'chat')).status).toBe(200)
  })

  it('a higher budget needs approve: above the configured one, or above the session’s', async () => {
    const names = () => http.calls.map(({ name }) => name)
    for (const budget of [10.01, 0]) {
      expect((await create({ budget_usd: budget }, 'chat')).status).toBe(403)
      expect((await change({ budget_usd: budget }, 'chat')).status).toBe(403)
    }
    expect((await change({ budget_usd: 6 }, 'chat')).status).toBe(403)
    expect(names()).not.toContain('sessions.create')
    expect(names()).not.toContain('sessions.change')
    expect((await create({ budget_usd: 10 }, 'chat')).status).toBe(201)
    expect((await change({ budget_usd: 5 }, 'chat')).status).toBe(200)
    // The configured one again, which is higher.
    expect((await change({ budget_usd: null }, 'chat')).status).toBe(403)
    expect((await change({ budget_usd: null }, 'chat', 'approve')).status).toBe(200)
    expect((await change({ budget_usd: 0 }, 'chat', 'approve')).status).toBe(200)
  })
})

describe('a session in which a person is asked less', () => {
  const message = `/api/sessions/${sessionId}/messages`
  const driving: [string, string, string, object?][] = [
    ['sessions.send', 'POST', message, { content: 'go' }],
    ['sessions.editMessage', 'PATCH', `${message}/${messageId}`, { content: 'go' }],
    ['sessions.moveMessage', 'POST', `${message}/${messageId}/move`, { before: null }],
    ['sessions.steerMessage', 'POST', `${message}/${messageId}/steer`],
    ['sessions.resendMessage', 'POST', `${message}/${messageId}/resend`, {}],
    ['sessions.settleMessage', 'POST', `${message}/${messageId}/settle`, { action: 'run' }],
    ['sessions.releaseQueue', 'POST', `/api/sessions/${sessionId}/queue/release`],
    ['sessions.start', 'POST', `/api/sessions/${sessionId}/start`],
    ['sessions.fork', 'POST', `/api/sessions/${sessionId}/fork`, {}],
  ]
  const drive = (method: string, path: string, body: object | undefined, ...scopes: Scope[]) =>
    send(method, path, {
      token: secretOf(...scopes),
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
  const inMode = (permission_mode: string) =>
    http.stub('sessions.get', () => ({ ...session, permission_mode }))
  afterEach(() => {
    http.stub('sessions.get', () => session)
    http.stub('config.view', () => answers['config.view'])
  })

  it.each(driving)('%s needs approve', async (name, method, path, body) => {
    for (const mode of ['acceptEdits', 'dontAsk', 'bypassPermissions']) {
      inMode(mode)
      http.calls.length = 0
      const refused = await drive(method, path, body, 'chat')
      expect(refused.status).toBe(403)
      expect(JSON.parse(refused.body)).toMatchObject({
        error: { code: 'forbidden', details: { needs: 'approve' } },
      })
      expect(refused.body).toContain(mode)
      expect(http.calls.map((call) => call.name)).not.toContain(name)
      expect((await drive(method, path, body, 'chat', 'approve')).status).toBeLessThan(300)
      expect(http.calls.at(-1)?.name).toBe(name)
    }
    for (const mode of ['default', 'plan']) {
      inMode(mode)
      expect((await drive(method, path, body, 'chat')).status).toBeLessThan(300)
    }
  })

  it('may be driven where every new session has that mode', async () => {
    inMode('acceptEdits')
    const view = answers['config.view'] as { keys: object[] }
    const mode = { ...view.keys[0], path: 'sessions.permissionMode', value: 'acceptEdits' }
    http.stub('config.view', () => ({ ...view, keys: [...view.keys, mode] }))
    for (const [, method, path, body] of driving) {
      expect((await drive(method, path, body, 'chat')).status).toBeLessThan(300)
    }
    inMode('bypassPermissions')
    for (const [, method, path, body] of driving) {
      expect((await drive(method, path, body, 'chat')).status).toBe(403)
    }
  })

  it('may have its waiting messages dropped all the same', async () => {
    inMode('bypassPermissions')
    const dropped = await drive('POST', `${message}/${messageId}/settle`, { action: 'drop' }, 'chat')
    expect(dropped.status).toBe(200)
  })

  it('is not forked with a higher budget than new sessions have, but with approve', async () => {
    const fork = (...scopes: Scope[]) => drive('POST', `/api/sessions/${sessionId}/fork`, {}, ...scopes)
    for (const budget_usd of [10.01, 0]) {
      http.stub('sessions.get', () => ({ ...session, budget_usd }))
      expect((await fork('chat')).status).toBe(403)
      expect((await fork('chat', 'approve')).status).toBe(201)
    }
    http.stub('sessions.get', () => ({ ...session, budget_usd: 10 }))
    expect((await fork('chat')).status).toBe(201)
  })
})

describe('failed attempts', () => {
  const typedCode = 'abcde-fghjk'
  const linkCode = 'q3J_kd-Zf81mHh0Ay5Tt1w'
  const redeemed = {
    id: 'tok_00000001',
    name: 'x',
    scopes: ['read'],
    principal: 'owner',
    kind: 'browser',
    created_at: session.created_at,
  }
  const redeem = async ({ url }: HttpFixture, code: string) => {
    const answer = await fetch(`${url}/api/auth/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, name: 'x' }),
    })
    return answer.status
  }

  it('are limited per source, also on loopback, while valid tokens still pass', async () => {
    const limited = await startHttp()
    const attempt = (token: string) =>
      fetch(`${limited.url}/api/status`, { headers: { authorization: `Bearer ${token}` } })
    for (let failure = 0; failure < 10; failure++) expect((await attempt('wrong')).status).toBe(401)
    const refused = await attempt('wrong')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await attempt(secretOf('read'))).status).toBe(200)
    expect((await fetch(`${limited.url}/api/status`)).status).toBe(401)
    // Whoever sends wrong tokens keeps nobody from signing in.
    for (const code of [typedCode, linkCode]) expect(await redeem(limited, code)).toBe(201)
    await limited.close()
  })

  it('at typed codes count by themselves: such a code is not looked at any more, one of a link is', async () => {
    const limited = await startHttp()
    limited.stub('auth.redeem', goneCode)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 12; attempt++) statuses.push(await redeem(limited, typedCode))
    expect(statuses).toEqual([...Array(10).fill(410), 429, 429])
    expect(limited.calls.filter(({ name }) => name === 'auth.redeem')).toHaveLength(10)
    limited.stub('auth.redeem', () => ({ token: redeemed, secret: 'dork_x' }))
    expect(await redeem(limited, typedCode)).toBe(429)
    expect(await redeem(limited, linkCode)).toBe(201)
    await limited.close()
  })

  it('at codes of links are limited, and a right one still passes', async () => {
    const limited = await startHttp()
    limited.stub('auth.redeem', goneCode)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 12; attempt++) statuses.push(await redeem(limited, linkCode))
    expect(statuses).toEqual([...Array(10).fill(410), 429, 429])
    limited.stub('auth.redeem', () => ({ token: redeemed, secret: 'dork_x' }))
    for (const code of [typedCode, linkCode]) expect(await redeem(limited, code)).toBe(201)
    await limited.close()
  })

  it('at pairings are limited, and so is asking for one', async () => {
    const limited = await startHttp()
    const post = async (path: string, body: object) => {
      const answer = await fetch(`${limited.url}/api/auth/pairings${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return answer.status
    }
    const secret = 's'.repeat(43)
    // Whoever waits for a confirmation asks again and again.
    for (let poll = 0; poll < 30; poll++) expect(await post('/claim', { secret })).toBe(200)
    limited.stub('auth.claimPairing', goneCode)
    const claims: number[] = []
    for (let attempt = 0; attempt < 12; attempt++) claims.push(await post('/claim', { secret }))
    expect(claims).toEqual([...Array(10).fill(410), 429, 429])
    const asked: number[] = []
    for (let attempt = 0; attempt < 12; attempt++) asked.push(await post('', { name: 'a browser' }))
    expect(asked).toEqual([...Array(10).fill(201), 429, 429])
    expect(limited.calls.filter(({ name }) => name === 'auth.requestPairing')).toHaveLength(10)
    await limited.close()
  })

  it('are counted for the client behind a trusted proxy, and not by what others claim', async () => {
    for (const [proxies, expected] of [
      [['127.0.0.1'], 401],
      [[], 429],
    ] as const) {
      const limited = await startHttp({ trustedProxies: proxies })
      const attempt = (from: string) =>
        fetch(`${limited.url}/api/status`, {
          headers: { authorization: 'Bearer wrong', 'x-forwarded-for': from },
        })
      for (let failure = 0; failure < 10; failure++) await attempt('spoofed, 192.0.2.1')
      expect((await attempt('192.0.2.1')).status).toBe(429)
      expect((await attempt('192.0.2.2')).status).toBe(expected)
      await limited.close()
    }
  })
})

describe('pages', () => {
  it('serve the OpenAPI document of the table', async () => {
    const answer = await send('GET', '/api/openapi.json')
    expect(JSON.parse(answer.body)).toEqual(openApiDocument({ version: '0.0.0-test' }))
  })

  it('document every operation without a script', async () => {
    const { body, head } = await send('GET', '/api/docs')
    for (const [name, endpoint] of table) {
      expect(body).toContain(`id="${name}"`)
      expect(body).toContain(endpoint.path.replace(/:(\w+)/g, '{$1}'))
    }
    expect(body).not.toMatch(/<script|style="|onclick|undefined|\[object/)
    expect(head).toContain("default-src 'none'")
    expect(head).not.toContain('script-src')
    const targets = [...body.matchAll(/href="#([^"]+)"/g)].map((match) => match[1])
    for (const target of new Set(targets)) expect(body).toContain(`id="${target}"`)
  })

  it('answer what is not there, and what is not meant so, in the one shape', async () => {
    expectProblem(await send('GET', '/api/nothing'), 404, 'not_found')
    expectProblem(await send('GET', '/api/health/'), 404, 'not_found')
    expectProblem(await send('DELETE', '/api/health'), 405, 'method_not_allowed')
    expectProblem(await send('POST', '/'), 405, 'method_not_allowed')
    expectProblem(await send('TRACE', '/api/health'), 405, 'method_not_allowed')
  })
})
