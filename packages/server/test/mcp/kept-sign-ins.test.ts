/** What is kept of a sign-in: renewed once for all who need it, and forgotten when it is over. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServerEntry } from '@dorkos/mcp-gateway'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  openTestStore,
  silentLogger,
  type TestStore,
} from '../../src/adapters/sqlite/test-store.conformance.ts'
import { pinKeyOf } from '../../src/core/mcp/pin-key.ts'
import { SignIns } from '../../src/core/mcp/sign-ins.ts'
import type { McpSignIn } from '../../src/core/ports/mcp-store.ts'
import { createFakeClock } from '../support/fake-clock.ts'

type Answer = (form: URLSearchParams, request: IncomingMessage, response: ServerResponse) => void

const clock = createFakeClock()
let test: TestStore
let server: Server
let origin: string
let answer: Answer
let asked: string[]
beforeEach(async () => {
  test = await openTestStore()
  asked = []
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    asked.push(`${request.url} ${form.get('refresh_token') ?? form.get('token')}`)
    if (request.url === '/revoke') return void response.end()
    answer(form, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await test.close()
})

const json = (response: ServerResponse, status: number, value: unknown) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
const tokens = (n: number) => ({
  access_token: `access-token-${n}`,
  refresh_token: `refresh-token-${n}`,
  token_type: 'bearer',
  expires_in: 60,
})
const refuse =
  (error: string): Answer =>
  (_form, _request, response) =>
    json(response, 400, { error })

function entry(): ServerEntry {
  const launch = { type: 'http', url: `${origin}/mcp`, headers: {} } as const
  return { name: 'notes', launch, sharing: 'auto', timeoutMs: 1000 }
}

/** One whose first token is valid for a minute. */
function kept(): McpSignIn {
  const client = {
    issuer: origin,
    id: 'client',
    secret: 'client-secret',
    redirectUri: 'http://127.0.0.1:9/callback',
  }
  return {
    key: pinKeyOf(entry()),
    server: 'notes',
    scope: 'dorkos',
    client,
    by: 'owner',
    at: '2026-01-01T00:00:00.000Z',
    signIn: {
      serverUrl: `${origin}/mcp`,
      server: {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        revocation_endpoint: `${origin}/revoke`,
        response_types_supported: ['code'],
      },
      client,
      accessToken: 'access-token-0',
      refreshToken: 'refresh-token-0',
      expiresAt: clock.now() + 60_000,
    },
  }
}

async function open() {
  let changes = 0
  const signIns = await SignIns.open({
    store: test.store.records.mcp,
    clock,
    logger: silentLogger,
    onChange: () => {
      changes += 1
    },
  })
  const credentials = signIns.credentialsOf(entry())
  if (!credentials) throw new Error('nobody can sign in')
  return { signIns, credentials, changes: () => changes }
}

async function opened() {
  await test.store.records.mcp.setSignIn(kept())
  return open()
}

it('gives the token while it is valid, and one new one to all who ask when it is not', async () => {
  const { credentials } = await opened()
  expect(await credentials.token()).toBe('access-token-0')
  expect(asked).toEqual([])
  answer = (_form, _request, response) => json(response, 200, tokens(1))
  clock.advance(60_000)
  const given = await Promise.all(Array.from({ length: 10 }, () => credentials.token()))
  expect(new Set(given)).toEqual(new Set(['access-token-1']))
  expect(asked).toEqual(['/token refresh-token-0'])
  expect(credentials.secrets()).toEqual(
    expect.arrayContaining(['access-token-0', 'access-token-1', 'refresh-token-1', 'client-secret']),
  )
  // What was renewed is what the next start has.
  expect(await (await open()).credentials.token()).toBe('access-token-1')
})

it('renews one that is refused, once: who was refused with an older one has a new one already', async () => {
  const { credentials } = await opened()
  answer = (_form, _request, response) => json(response, 200, tokens(1))
  const refused = Array.from({ length: 5 }, () => credentials.renew('access-token-0'))
  expect(await Promise.all(refused)).toEqual([true, true, true, true, true])
  expect(await credentials.renew('access-token-0')).toBe(true)
  expect(asked).toHaveLength(1)
  expect(await (await open()).credentials.token()).toBe('access-token-1')
})

it('keeps what it has while the authorization server does not answer', async () => {
  const { credentials, signIns, changes } = await opened()
  answer = (_form, _request, response) => void response.writeHead(503).end('<html>later</html>')
  clock.advance(60_000)
  expect(await credentials.token()).toBe('access-token-0')
  await expect(credentials.renew('access-token-0')).rejects.toThrow('refused: server_error')
  expect(signIns.view(entry()).signed_in).toBeDefined()
  expect(changes()).toBe(0)
  answer = (_form, _request, response) => json(response, 200, tokens(1))
  expect(await credentials.renew('access-token-0')).toBe(true)
})

it('forgets what is not valid any more, but not who we are there', async () => {
  const { credentials, signIns, changes } = await opened()
  answer = refuse('invalid_grant')
  expect(await credentials.renew('access-token-0')).toBe(false)
  expect(await credentials.token()).toBeUndefined()
  expect(signIns.view(entry())).toEqual({ can_sign_in: true })
  expect(changes()).toBe(1)
  const [stored] = await test.store.records.mcp.signIns()
  expect(stored).toMatchObject({ client: { id: 'client' } })
  expect(JSON.stringify(stored)).not.toContain('-token-0')
})

it('forgets that, too, when the authorization server does not know us', async () => {
  const { credentials } = await opened()
  answer = refuse('invalid_client')
  expect(await credentials.renew('access-token-0')).toBe(false)
  expect(await test.store.records.mcp.signIns()).toEqual([])
})

it('stays signed out when a renewal was under way', async () => {
  const { credentials, signIns } = await opened()
  let release = () => {}
  const arrived = new Promise<void>((resolve) => {
    answer = (_form, _request, response) => {
      release = () => json(response, 200, tokens(1))
      resolve()
    }
  })
  const renewal = credentials.renew('access-token-0')
  await arrived
  expect(await signIns.signOut(pinKeyOf(entry()))).toBe(new URL(origin).host)
  release()
  expect(await renewal).toBe(false)
  expect(await credentials.token()).toBeUndefined()
  expect(await test.store.records.mcp.signIns()).toEqual([])
  // What came too late is of no use to anybody either.
  await expect.poll(() => asked).toContain('/revoke access-token-1')
  expect(asked).toContain('/revoke refresh-token-0')
})

it('is signed out here even where nothing can be revoked', async () => {
  const { signIns, credentials } = await opened()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await signIns.signOut(pinKeyOf(entry()))
  expect(await credentials.token()).toBeUndefined()
  expect(await test.store.records.mcp.signIns()).toEqual([])
})

it('is for one name and address only', async () => {
  const { signIns } = await opened()
  const { launch, ...rest } = entry()
  const other = signIns.credentialsOf({ ...rest, name: 'other', launch })
  const elsewhere = signIns.credentialsOf({
    ...rest,
    launch: { type: 'http', url: `${origin}/elsewhere`, headers: {} },
  })
  expect(await other?.token()).toBeUndefined()
  expect(await elsewhere?.token()).toBeUndefined()
  const withHeader = { type: 'http', url: `${origin}/mcp`, headers: { authorization: 'x' } } as const
  expect(signIns.credentialsOf({ ...rest, launch: withHeader })).toBeUndefined()
})
