/** Nobody gets in who does not belong: on a whole server, over every endpoint, with what each attempt could have changed. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import {
  ApiError,
  createApiClient,
  type ProblemCode,
  pagePaths,
  publicPaths,
  type Scope,
} from '@dorkos/shared'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Answered,
  type HostileTarget,
  type Sent,
  startHostileTarget,
  table,
} from './support/hostile-target.ts'
import { sendRaw } from './support/http-fixture.ts'
import { makePageFolder } from './support/page-folder.ts'
import { createShiftingClock } from './support/shifting-clock.ts'

const clock = createShiftingClock()
const page = makePageFolder()
const apiKey = 'sk-ant-canary-0123456789abcdefghij'
let target: HostileTarget
/** What must not be in any log. */
const canaries: string[] = [apiKey]

beforeAll(async () => {
  target = await startHostileTarget({
    clock,
    env: { ANTHROPIC_API_KEY: apiKey },
    pageFolder: page.folder,
  })
})
afterAll(async () => {
  await target?.close()
  page.remove()
})

const guarded = table.filter(([, { scope }]) => scope !== 'public')
const withBody = table.filter(([, { body }]) => body)

const codeOf = ({ status, body }: Answered): ProblemCode | 'let in' =>
  status < 400 ? 'let in' : JSON.parse(body).error.code

/** Failures are limited per minute; this is about the answer to each. */
function nextMinute(): void {
  clock.advance(61_000)
}

async function all(
  endpointsToTry: typeof table,
  attempt: (name: string) => Sent | Promise<Sent>,
): Promise<string[]> {
  const answers = new Set<string>()
  for (const [index, [name]] of endpointsToTry.entries()) {
    if (index % 8 === 0) nextMinute()
    const answer = await target.call(name, await attempt(name))
    answers.add(`${answer.status} ${codeOf(answer)}`)
    expect(Object.keys(answer.headers).filter((header) => header.startsWith('access-control'))).toEqual([])
  }
  return [...answers]
}

describe('over the whole table, with real things at stake', () => {
  it('whoever lacks a token, a scope, the right Host or Origin, or a fitting body changes nothing', async () => {
    const before = await target.snapshot()
    expect(await all(guarded, () => ({ token: undefined }))).toEqual(['401 unauthenticated'])
    const wrong = `dork_${'A'.repeat(43)}`
    expect(await all(guarded, () => ({ token: wrong }))).toEqual(['401 unauthenticated'])
    const secret = await target.token('read', 'chat', 'approve', 'admin')
    expect(
      await all(guarded, () => ({
        token: undefined,
        query: `?q=x&token=${secret}&access_token=${secret}`,
        headers: { cookie: `token=${secret}; dorkos=${secret}`, 'x-api-key': secret },
      })),
    ).toEqual(['401 unauthenticated'])
    const scopes = Object.fromEntries(guarded.map(([name, { scope }]) => [name, scope]))
    expect(
      await all(guarded, async (name) => ({
        token: await target.token(
          ...(['read', 'chat', 'approve', 'admin'] as const).filter((scope) => scope !== scopes[name]),
        ),
      })),
    ).toEqual(['403 forbidden'])
    expect(await all(table, () => ({ headers: { host: 'evil.test' } }))).toEqual(['421 wrong_host'])
    expect(await all(table, () => ({ headers: { origin: 'https://evil.test' } }))).toEqual([
      '403 origin_refused',
    ])
    expect(await all(table, () => ({ headers: { 'sec-fetch-site': 'cross-site' } }))).toEqual([
      '403 origin_refused',
    ])
    expect(await all(withBody, () => ({ body: '{"a":' }))).toEqual(['400 invalid_request'])
    expect(await all(withBody, () => ({ headers: { 'content-type': 'text/plain' } }))).toEqual([
      '415 unsupported_media_type',
    ])
    const oversized = { 'content-length': String(64 * 1024 * 1024) }
    expect(await all(withBody, () => ({ headers: oversized, body: '{}' }))).toEqual(['413 payload_too_large'])
    expect(await target.snapshot()).toEqual(before)
  })

  it('a chat token asks for no mode that asks less, and raises no budget', async () => {
    const token = await target.token('read', 'chat')
    const before = await target.snapshot()
    for (const change of [
      { permission_mode: 'bypassPermissions' },
      { permission_mode: 'acceptEdits' },
      { permission_mode: 'dontAsk' },
      { budget_usd: 1000 },
      { budget_usd: 0 },
    ]) {
      for (const name of ['createSession', 'changeSession']) {
        const answer = await target.call(name, { token, body: JSON.stringify(change) })
        expect([name, change, answer.status, codeOf(answer)]).toEqual([name, change, 403, 'forbidden'])
      }
    }
    expect(await target.snapshot()).toEqual(before)
  })

  it('a token mints no scope that it lacks, neither as a token nor as a code', async () => {
    const token = await target.token('read', 'approve', 'admin')
    const before = await target.snapshot()
    for (const name of ['createToken', 'createCode'])
      for (const scopes of [['chat'], ['read', 'chat', 'approve', 'admin']]) {
        const answer = await target.call(name, { token, body: JSON.stringify({ name: 'more', scopes }) })
        expect([answer.status, codeOf(answer)]).toEqual([403, 'forbidden'])
      }
    expect(await target.snapshot()).toEqual(before)
  })

  it('the very same requests take effect for whoever may', async () => {
    for (const [name, status] of [
      ['editMessage', 200],
      ['withdrawMessage', 200],
      ['changeRule', 200],
      ['revokeRule', 204],
      ['createRule', 201],
      ['changeWorkspace', 200],
      ['deleteWorkspace', 204],
      ['createWorkspace', 201],
      ['changeConfig', 200],
      ['createToken', 201],
      ['createCode', 201],
      ['renameToken', 200],
      ['revokeToken', 204],
      ['answerApproval', 200],
      ['changeSession', 200],
      ['createSession', 201],
      ['deleteSession', 204],
    ] as const) {
      const answer = await target.call(name)
      expect([name, answer.status]).toEqual([name, status])
    }
  })
})

describe('requests that no client makes', () => {
  const line = (target: string, version = '1.1') => `GET ${target} HTTP/${version}\r\n`
  it.each<[string, (own: string) => string, number]>([
    ['two Hosts', (own) => `${line('/api/health')}Host: ${own}\r\nHost: evil.test\r\n`, 421],
    ['no Host', () => line('/api/health'), 421],
    ['no Host, HTTP/1.0', () => line('/api/health', '1.0'), 421],
    ['a foreign absolute target', (own) => `${line('http://evil.test/api/health')}Host: ${own}\r\n`, 400],
    ['its own absolute target', (own) => `${line(`http://${own}/api/health`)}Host: ${own}\r\n`, 400],
    ['a trailing dot', (own) => `${line('/api/health')}Host: ${own.replace(':', '.:')}\r\n`, 421],
    ['a name that begins alike', () => `${line('/api/health')}Host: localhost.evil\r\n`, 421],
    ['dots in the path', (own) => `${line('/api/../api/status')}Host: ${own}\r\n`, 400],
    ['its own', (own) => `${line('/api/health')}Host: ${own}\r\n`, 200],
  ])('%s', async (_name, head, status) => {
    const { port } = target.host.server
    const answer = await sendRaw(port, `${head(`127.0.0.1:${port}`)}Connection: close\r\n\r\n`)
    expect(answer.status).toBe(status)
  })
})

describe('signing in', () => {
  const redeem = (code: string) => {
    const body = { code, name: 'a browser' }
    return createApiClient({ baseUrl: target.host.server.url }).redeemCode({ body })
  }

  it('works once, by a link that keeps its code in the fragment', async () => {
    nextMinute()
    const link = new URL(await target.host.server.signInLink())
    expect([link.origin, link.pathname, link.search]).toEqual([target.host.server.url, '/', ''])
    const code = link.hash.replace('#code=', '')
    const { token, secret } = await redeem(code)
    canaries.push(code, secret)
    expect(token).toMatchObject({ kind: 'browser', scopes: ['read', 'chat', 'approve', 'admin'] })
    const client = createApiClient({ baseUrl: target.host.server.url, token: secret })
    expect((await client.getCurrentToken()).token.id).toBe(token.id)
    await expect(redeem(code)).rejects.toMatchObject({ status: 410, code: 'gone' })
  })

  it('works for ten minutes, for a link as for a typed code', async () => {
    nextMinute()
    const code = new URL(await target.host.server.signInLink()).hash.replace('#code=', '')
    const typed = (await target.host.server.pairingCode()).code
    canaries.push(code, typed)
    clock.advance(10 * 60_000 + 1)
    for (const late of [code, typed])
      await expect(redeem(late)).rejects.toMatchObject({ status: 410, code: 'gone' })
  })

  it('works by a pairing that a signed-in person confirms, once, and within what they have', async () => {
    nextMinute()
    const baseUrl = target.host.server.url
    const device = createApiClient({ baseUrl })
    const { code, secret } = await device.requestPairing({ body: { name: 'a phone' } })
    canaries.push(code, secret)
    const body = { secret }
    expect(await device.claimPairing({ body })).toEqual({ state: 'pending' })
    const params = { code }
    const clientWith = async (...scopes: Scope[]) =>
      createApiClient({ baseUrl, token: await target.token(...scopes) })
    // To read and to chat is not to answer for the person.
    for (const client of [device, await clientWith('read', 'chat', 'admin')]) {
      await expect(client.getPairing({ params })).rejects.toMatchObject({ status: expect.any(Number) })
      await expect(client.confirmPairing({ params, body: {} })).rejects.toBeInstanceOf(ApiError)
    }
    const approver = await clientWith('read', 'approve')
    expect(
      await approver.getPairing({ params: { code: code.toLowerCase().replace('-', ' ') } }),
    ).toMatchObject({ code, name: 'a phone', kind: 'browser', from: '127.0.0.1', confirmed: false })
    const more = approver.confirmPairing({ params, body: { scopes: ['admin'] } })
    await expect(more).rejects.toMatchObject({ code: 'forbidden' })
    expect(await device.claimPairing({ body })).toEqual({ state: 'pending' })
    expect(await approver.confirmPairing({ params, body: {} })).toMatchObject({ confirmed: true })
    const again = (await clientWith('read', 'chat', 'approve', 'admin')).confirmPairing({ params, body: {} })
    await expect(again).rejects.toMatchObject({ code: 'conflict' })
    const claimed = await device.claimPairing({ body })
    if (claimed.state !== 'confirmed') throw new Error('not confirmed')
    canaries.push(claimed.secret)
    const { token } = await approver.getCurrentToken()
    expect(claimed.token).toMatchObject({
      name: 'a phone',
      kind: 'browser',
      scopes: ['read', 'approve'],
      made_by: token.id,
    })
    const phone = createApiClient({ baseUrl, token: claimed.secret })
    expect((await phone.getCurrentToken()).token.id).toBe(claimed.token.id)
    await expect(device.claimPairing({ body })).rejects.toMatchObject({ status: 410, code: 'gone' })
    const { entries } = await target.host.client.listAudit({ query: { limit: 2 } })
    expect(entries.toReversed()).toMatchObject([
      {
        action: 'pairing_confirmed',
        decided_by: { token_id: token.id },
        detail: { name: 'a phone', from: '127.0.0.1', scopes: ['read', 'approve'] },
      },
      { action: 'signed_in', detail: { token_id: claimed.token.id, made_by: token.id } },
    ])
  })

  it('is limited to few failures a minute, on loopback too, and a right token still passes', async () => {
    nextMinute()
    const token = `dork_${'B'.repeat(43)}`
    const statuses: number[] = []
    for (let attempt = 0; attempt < 12; attempt++)
      statuses.push((await target.call('getStatus', { token })).status)
    expect(new Set(statuses.slice(0, 10))).toEqual(new Set([401]))
    expect(statuses.slice(10)).toEqual([429, 429])
    expect((await target.call('getStatus')).status).toBe(200)
    // Wrong tokens keep nobody from signing in; wrong codes do, but for a link.
    for (let attempt = 0; attempt < 10; attempt++) expect((await target.call('redeemCode')).status).toBe(410)
    const refused = await target.call('redeemCode')
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    const code = new URL(await target.host.server.signInLink()).hash.replace('#code=', '')
    const { secret } = await redeem(code)
    canaries.push(code, secret)
  })
})

it('a revoked token’s streams end at once, and it opens no more', async () => {
  nextMinute()
  const { client, server } = target.host
  const { token, secret } = await client.createToken({ body: { name: 'to be revoked', scopes: ['read'] } })
  canaries.push(secret)
  const open = () => fetch(`${server.url}/api/events`, { headers: { authorization: `Bearer ${secret}` } })
  const stream = await open()
  expect(stream.status).toBe(200)
  await client.revokeToken({ params: { id: token.id } })
  // Ends only because the server ends it.
  await stream.text().catch(() => undefined)
  expect((await open()).status).toBe(401)
})

it('pages run no foreign code, and nothing is open to other origins', async () => {
  for (const path of [...publicPaths, ...pagePaths]) {
    const { status, headers } = await target.send('GET', path)
    expect([path, status]).toEqual([path, 200])
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
  }
  const preflight = await target.send('OPTIONS', '/api/sessions', {
    headers: { origin: 'https://evil.test', 'access-control-request-method': 'POST' },
  })
  expect(preflight.status).toBe(403)
  expect(Object.keys(preflight.headers).join()).not.toContain('access-control')
})

it('neither the log nor the database holds a token, a code or the key', async () => {
  canaries.push(await target.token('read', 'chat', 'approve', 'admin'), await target.host.server.ownToken())
  const { home } = target.host
  const log = readFileSync(target.host.server.logFile, 'latin1')
  expect(log).toContain('token issued')
  const entries = readdirSync(home, { recursive: true, withFileTypes: true })
  const files = entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []))
  const looked = files.map((file) => relative(home, file)).filter((name) => name !== 'cli-token')
  expect(looked).toEqual(expect.arrayContaining(['logs/dorkos.log', 'dorkos.db']))
  for (const name of looked) {
    const content = readFileSync(join(home, name), 'latin1')
    expect(canaries.filter((canary) => content.includes(canary)).map((canary) => [name, canary])).toEqual([])
  }
  expect(canaries.length).toBeGreaterThan(6)
})
