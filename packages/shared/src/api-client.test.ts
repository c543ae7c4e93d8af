import { describe, expect, expectTypeOf, it } from 'vitest'
import { createApiClient } from './api-client.ts'
import { ApiError, NetworkError } from './api-client-error.ts'
import type { Session } from './session.ts'

const id = '11111111-1111-4111-8111-111111111111'
const health = { status: 'ok', product: 'DorkOS', version: '1', demo: false }

interface Seen {
  url: string
  init: RequestInit & { headers: Record<string, string> }
}

/** A client whose answers are given, with what it asked for. */
function clientOf(answer: () => Response | Promise<Response>, token?: string | (() => string | undefined)) {
  const seen: Seen[] = []
  const client = createApiClient({
    baseUrl: 'http://server:1/',
    ...(token === undefined ? {} : { token }),
    fetch: async (url, init) => {
      seen.push({ url: String(url), init: init as Seen['init'] })
      return answer()
    },
  })
  return { client, seen }
}

const json = (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(value), { status, headers })

describe('a call', () => {
  it('sends what the endpoint takes, and nothing that leaks', async () => {
    const { client, seen } = clientOf(() => json({ turn: {} }, 500), 'secret')
    await client
      .sendMessage({ params: { id }, body: { content: 'hi' }, idempotencyKey: 'k' })
      .catch(() => undefined)
    expect(seen[0]?.url).toBe(`http://server:1/api/sessions/${id}/messages`)
    expect(seen[0]?.init).toMatchObject({
      method: 'POST',
      body: '{"content":"hi"}',
      credentials: 'omit',
      redirect: 'error',
    })
    expect(seen[0]?.init.headers).toEqual({
      accept: 'application/json',
      authorization: 'Bearer secret',
      'content-type': 'application/json',
      'idempotency-key': 'k',
    })
  })

  it('writes parameters and queries so that they stay what they are', async () => {
    const { client, seen } = clientOf(() => json({ sessions: [] }))
    await client.listSessions({ query: { cursor: 'a&b=c', live: 'true' } })
    expect(seen[0]?.url).toBe('http://server:1/api/sessions?cursor=a%26b%3Dc&live=true')
    await client.getSession({ params: { id: '../x' } }).catch(() => undefined)
    expect(seen[1]?.url).toBe('http://server:1/api/sessions/..%2Fx')
  })

  it('asks for the token each time', async () => {
    let token: string | undefined
    const { client, seen } = clientOf(
      () => json(health),
      () => token,
    )
    await client.getHealth()
    token = 'later'
    await client.getHealth()
    expect(seen.map(({ init }) => init.headers.authorization)).toEqual([undefined, 'Bearer later'])
  })

  it('gives the checked answer, without what it does not know', async () => {
    const { client } = clientOf(() => json({ ...health, future: 1 }))
    expect(await client.getHealth()).toEqual(health)
  })

  it('is an error when the answer is of another shape', async () => {
    const { client } = clientOf(() => json({ status: 'fine' }))
    await expect(client.getHealth()).rejects.toMatchObject({ name: 'ApiError', code: 'internal' })
  })

  it('gives the error of the contract', async () => {
    const problem = { error: { code: 'already_answered', message: 'late', details: { by: 'x' } } }
    const { client } = clientOf(() => json(problem, 409))
    const failed = client.answerApproval({ params: { id: 'apr_1' }, body: { decision: 'deny' } })
    await expect(failed).rejects.toBeInstanceOf(ApiError)
    await expect(failed).rejects.toMatchObject({
      code: 'already_answered',
      status: 409,
      message: 'late',
      details: { by: 'x' },
    })
  })

  it('says how long to wait', async () => {
    const problem = { error: { code: 'rate_limited', message: 'slow down' } }
    const { client } = clientOf(() => json(problem, 429, { 'retry-after': '7' }))
    await expect(client.getHealth()).rejects.toMatchObject({ retryAfterSeconds: 7 })
  })

  it('is a NetworkError when nobody answers, or someone else does', async () => {
    const nobody = clientOf(() => Promise.reject(new TypeError('fetch failed')))
    await expect(nobody.client.getHealth()).rejects.toBeInstanceOf(NetworkError)
    const other = clientOf(() => new Response('<html>', { status: 502 }))
    await expect(other.client.getHealth()).rejects.toBeInstanceOf(NetworkError)
  })

  it('ends with the reason of its signal', async () => {
    const { client } = clientOf(() => Promise.reject(new TypeError('aborted')))
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(client.getHealth({ signal })).rejects.toThrow('enough')
  })

  it('hands files out as they come, and nothing for 204', async () => {
    const file = clientOf(() => new Response('# Title'))
    const answer = await file.client.exportSession({ params: { id } })
    expect(await answer.text()).toBe('# Title')
    const nothing = clientOf(() => new Response(null, { status: 204 }))
    expect(await nothing.client.signOut()).toBeUndefined()
  })

  it('is typed by the table', () => {
    const { client } = clientOf(() => json({}))
    expectTypeOf(client.getSession).returns.resolves.toEqualTypeOf<Session>()
    expectTypeOf(client.deleteSession).returns.resolves.toEqualTypeOf<void>()
    expectTypeOf(client.getSession).parameter(0).toHaveProperty('params')
    const calls = [
      () => client.signOut(),
      () => client.listSessions(),
      () => client.stopSession({ params: { id } }),
      () => client.createSession({ body: {}, idempotencyKey: 'k' }),
      // @ts-expect-error the content is missing
      () => client.sendMessage({ params: { id } }),
      // @ts-expect-error there is no such key
      () => client.listSessions({ params: { id } }),
    ]
    expect(calls).toHaveLength(6)
  })
})
