/** What is kept of a sign-in: renewed once for all who need it, and forgotten when it is over. */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { ServerEntry } from '@dorkos/mcp-gateway'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  openTestStore,
  silentLogger,
  type TestStore,
} from '../../src/adapters/sqlite/test-store.conformance.ts'
import { signInKeyOf } from '../../src/core/mcp/sign-in-key.ts'
import { SignIns } from '../../src/core/mcp/sign-ins.ts'
import type { McpSignIn, McpStore } from '../../src/core/ports/mcp-store.ts'
import { createFakeClock } from '../support/fake-clock.ts'

type Answer = (form: URLSearchParams, request: IncomingMessage, response: ServerResponse) => void

const clock = createFakeClock()
let test: TestStore
let server: Server
let origin: string
let answer: Answer
let asked: string[]
beforeEach(async () => {
  test = await openTestStore({ clock })
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
  return { name: 'notes', launch, sharing: 'until_asked', timeoutMs: 1000 }
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
    key: signInKeyOf(entry()),
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
      resource: `${origin}/mcp`,
      accessToken: 'access-token-0',
      refreshToken: 'refresh-token-0',
      expiresAt: clock.now() + 60_000,
    },
  }
}

async function open(store: Partial<McpStore> = {}, shortLived = test.store.coordination.shortLived) {
  let changes = 0
  const { mcp } = test.store.records
  const signIns = await SignIns.open({
    store: {
      signIns: () => mcp.signIns(),
      setSignIn: (one) => mcp.setSignIn(one),
      removeSignIn: (key) => mcp.removeSignIn(key),
      ...store,
    },
    shortLived,
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

async function opened(store?: Partial<McpStore>) {
  await test.store.records.mcp.setSignIn(kept())
  return open(store)
}

/** The one that a person makes anew. */
function anew(change: Partial<McpSignIn['client']> = {}): McpSignIn {
  const { signIn, ...rest } = kept()
  if (!signIn) throw new Error('there is none')
  const client = { ...rest.client, ...change }
  return {
    ...rest,
    client,
    signIn: { ...signIn, client, accessToken: 'access-token-9', refreshToken: 'refresh-token-9' },
  }
}

function gate() {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
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
  expect(await signIns.signOut(signInKeyOf(entry()))).toEqual({ host: new URL(origin).host })
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
  await signIns.signOut(signInKeyOf(entry()))
  expect(await credentials.token()).toBeUndefined()
  expect(await test.store.records.mcp.signIns()).toEqual([])
})

it('has in the store what is in memory when one signs in while another is renewed', async () => {
  const [reached, storing] = [gate(), gate()]
  const { mcp } = test.store.records
  const { credentials, signIns } = await opened({
    async setSignIn(one) {
      if (one.signIn?.accessToken === 'access-token-1') {
        reached.open()
        await storing.passed
      }
      await mcp.setSignIn(one)
    },
  })
  answer = (_form, _request, response) => json(response, 200, tokens(1))
  const renewal = credentials.renew('access-token-0')
  await reached.passed
  const keeping = signIns.keep(anew())
  storing.open()
  await Promise.all([renewal, keeping])
  expect(await credentials.token()).toBe('access-token-9')
  expect(await (await open()).credentials.token()).toBe('access-token-9')
})

it('lets a renewal that comes too late end nothing of what a person signed in with since', async () => {
  const { credentials, signIns } = await opened()
  const [arrived, release] = [gate(), gate()]
  answer = async (_form, _request, response) => {
    arrived.open()
    await release.passed
    json(response, 200, tokens(1))
  }
  const renewal = credentials.renew('access-token-0')
  await arrived.passed
  await signIns.keep(anew())
  release.open()
  expect(await renewal).toBe(true)
  expect(await credentials.token()).toBe('access-token-9')
  // What is revoked here comes after whatever would have been.
  await signIns.signOut(signInKeyOf(entry()))
  const revoked = asked.filter((each) => each.startsWith('/revoke'))
  expect(revoked.toSorted()).toEqual(['/revoke access-token-9', '/revoke refresh-token-9'])
})

it('revokes what a sign-in replaces, where that cannot end the new one', async () => {
  const { signIns } = await opened()
  await signIns.keep(anew({ id: 'another client' }))
  await expect.poll(() => asked).toContain('/revoke refresh-token-0')
  expect(asked).not.toContain('/revoke refresh-token-9')
})

it('is signed out, and can be once more, where the disk does not let go of the tokens', async () => {
  let isFull = true
  const { mcp } = test.store.records
  const { credentials, signIns } = await opened({
    removeSignIn: async (key) => {
      if (isFull) throw new Error('the disk is full')
      return mcp.removeSignIn(key)
    },
  })
  const key = signInKeyOf(entry())
  const { host } = new URL(origin)
  expect(await signIns.signOut(key)).toMatchObject({ host, fault: { message: 'the disk is full' } })
  expect(await credentials.token()).toBeUndefined()
  expect(asked).toContain('/revoke access-token-0')
  expect(JSON.stringify(signIns.get(key))).not.toContain('-token-0')
  // Whoever looks sees that it is not over.
  expect(signIns.view(entry()).signed_in).toMatchObject({ host })
  isFull = false
  expect(await signIns.signOut(key)).toEqual({ host })
  expect(signIns.view(entry())).toEqual({ can_sign_in: true })
  expect(await mcp.signIns()).toEqual([])
  expect(await signIns.signOut(key)).toEqual({})
})

it('leaves nothing of a token in the file', async () => {
  const { signIns } = await opened()
  await signIns.signOut(signInKeyOf(entry()))
  await test.reopen()
  expect(readFileSync(test.path, 'latin1')).not.toContain('access-token-0')
})

it('goes with the workspace that it is for', async () => {
  const { signIns } = await opened()
  await signIns.keep({ ...kept(), key: 'theirs', audience: 'ws_1' })
  await signIns.forgetWorkspace('ws_1')
  expect(signIns.all().map(({ key }) => key)).toEqual([signInKeyOf(entry())])
})

it('is for one entry only: its name, address, headers and workspace', async () => {
  const { signIns } = await opened()
  const { launch, ...rest } = entry()
  const url = `${origin}/mcp`
  const others: Partial<ServerEntry>[] = [
    { name: 'other' },
    { launch: { type: 'http', url: `${origin}/elsewhere`, headers: {} } },
    { launch: { type: 'http', url: `${url}?team=other`, headers: {} } },
    { launch: { type: 'http', url, headers: { 'x-team': 'other' } } },
    { launch: { type: 'sse', url, headers: {} } },
    { audience: 'ws_1' },
  ]
  for (const other of others) {
    const credentials = signIns.credentialsOf({ ...rest, launch, ...other })
    expect(await credentials?.token(), JSON.stringify(other)).toBeUndefined()
  }
  const withHeader = { type: 'http', url, headers: { authorization: 'x' } } as const
  expect(signIns.credentialsOf({ ...rest, launch: withHeader })).toBeUndefined()
})

it('gives no token to another address than that which was signed in to, whatever the key says', async () => {
  const { signIn, ...rest } = kept()
  if (!signIn) throw new Error('there is none')
  await test.store.records.mcp.setSignIn({ ...rest, signIn: { ...signIn, serverUrl: `${origin}/other` } })
  expect(await (await open()).credentials.token()).toBeUndefined()
})

it('takes over what another process signed in, renewed or signed out, once it rereads', async () => {
  const [here, there] = [await open(), await open()]
  await there.signIns.keep(kept())
  expect(await here.credentials.token()).toBeUndefined()
  await here.signIns.reread()
  expect(await here.credentials.token()).toBe('access-token-0')
  answer = (_form, _request, response) => json(response, 200, tokens(1))
  expect(await there.credentials.renew('access-token-0')).toBe(true)
  await here.signIns.reread()
  expect(await here.credentials.token()).toBe('access-token-1')
  await there.signIns.signOut(kept().key)
  await here.signIns.reread()
  expect(await here.credentials.token()).toBeUndefined()
  expect(here.changes()).toBe(3)
  await here.signIns.reread()
  expect(here.changes()).toBe(3)
})

it('is renewed by one of several servers at a time, and the others go on with what that one stored', async () => {
  const [arrived, tried, release] = [gate(), gate(), gate()]
  const { shortLived } = test.store.coordination
  const there = await opened()
  const here = await open(undefined, {
    ...shortLived,
    async put(...args) {
      const isMine = await shortLived.put(...args)
      if (!isMine) tried.open()
      return isMine
    },
  })
  answer = async (_form, _request, response) => {
    arrived.open()
    await release.passed
    json(response, 200, tokens(1))
  }
  const first = there.credentials.renew('access-token-0')
  await arrived.passed
  const second = here.credentials.renew('access-token-0')
  await tried.passed
  release.open()
  expect(await first).toBe(true)
  expect(await withTime(second)).toBe(true)
  expect(here.signIns.get(kept().key)?.signIn?.accessToken).toBe('access-token-1')
  expect(asked).toEqual(['/token refresh-token-0'])
})

it('is renewed all the same when a server has died meanwhile, and when it was too slow', async () => {
  const { credentials } = await opened()
  const { shortLived } = test.store.coordination
  const dead = { kind: 'MCP sign-in renewal', id: 'dead', source: kept().key, value: '{}' }
  await shortLived.put({ ...dead, expiresAt: clock.now() + 30_000 }, { ofKind: 9, ofSource: 1 })
  answer = async (_form, _request, response) => {
    // It comes to life, and has used the same token.
    const { signIn, ...rest } = kept()
    if (signIn)
      await test.store.records.mcp.setSignIn({
        ...rest,
        signIn: { ...signIn, accessToken: 'access-token-1' },
      })
    json(response, 400, { error: 'invalid_grant' })
  }
  expect(await withTime(credentials.renew('access-token-0'))).toBe(true)
  expect(await credentials.token()).toBe('access-token-1')
})

it('that was renewed and could not be stored is renewed from what is in memory', async () => {
  const { credentials } = await opened({ setSignIn: () => Promise.reject(new Error('disk full')) })
  for (const n of [1, 2]) {
    answer = (_form, _request, response) => json(response, 200, tokens(n))
    expect(await credentials.renew(`access-token-${n - 1}`)).toBe(true)
  }
  expect(asked).toEqual(['/token refresh-token-0', '/token refresh-token-1'])
})

/** The clock goes on until it is done. */
async function withTime<T>(work: Promise<T>): Promise<T> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    clock.advance(100)
    await setImmediate()
  }
  return done
}
