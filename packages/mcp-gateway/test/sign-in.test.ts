/** Signing in, against a real authorization server, and against some that mean ill. */
import { type AuthServer, type AuthServerOptions, startAuthServer } from '@dorkos/testkit'
import { afterEach, expect, it } from 'vitest'
import {
  type BegunSignIn,
  beginSignIn,
  canSignIn,
  finishSignIn,
  type OpenSignIn,
  renewSignIn,
  revokeSignIn,
  type SignInRequest,
} from '../src/index.ts'
import { listen } from './support/web-servers.ts'

const redirectUri = 'http://127.0.0.1:9/callback'
const now = 1_000_000
const open: AuthServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function start(options?: AuthServerOptions): Promise<AuthServer> {
  const server = await startAuthServer(options)
  open.push(server)
  return server
}

function begin(server: AuthServer, more: Partial<SignInRequest> = {}): Promise<BegunSignIn> {
  const launch = { type: 'http', url: server.mcpUrl, headers: {} } as const
  return beginSignIn({ launch, redirectUri, state: 'the-state', ...more })
}

async function begun(server: AuthServer, more: Partial<SignInRequest> = {}) {
  const step = await begin(server, more)
  if (step.step !== 'open') throw new Error('a client is needed')
  return step
}

async function returned(server: AuthServer, url: string) {
  const { searchParams } = new URL(await server.approve(url))
  return { code: searchParams.get('code') ?? '', iss: searchParams.get('iss') ?? '' }
}

async function signedIn(server: AuthServer, more: Partial<SignInRequest> = {}) {
  const { url, open: pending } = await begun(server, more)
  return finishSignIn(pending, await returned(server, url), now)
}

async function isLetIn(server: AuthServer, token: string): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(server.mcpUrl, { method: 'POST', headers, body })).ok
}

it('registers, sends the person with PKCE, scope and resource, and gets tokens that work', async () => {
  const server = await start({ tokenSeconds: 60 })
  const step = await begun(server)
  expect(step.host).toBe(new URL(server.issuer).host)
  const asked = new URL(step.url)
  expect(asked.origin).toBe(server.issuer)
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: redirectUri,
    state: 'the-state',
    scope: 'notes:read',
    resource: server.mcpUrl,
  })
  expect(step.url).not.toContain(step.open.codeVerifier)
  const signIn = await finishSignIn(step.open, await returned(server, step.url), now)
  expect(signIn).toMatchObject({ expiresAt: now + 60_000, scope: 'notes:read', resource: server.mcpUrl })
  expect([signIn.accessToken, signIn.refreshToken]).toEqual(server.tokens())
  expect(await isLetIn(server, signIn.accessToken)).toBe(true)

  server.expireAll()
  expect(await isLetIn(server, signIn.accessToken)).toBe(false)
  const renewed = await renewSignIn(signIn, now)
  expect(renewed.refreshToken).not.toBe(signIn.refreshToken)
  expect(await isLetIn(server, renewed.accessToken)).toBe(true)

  expect(await revokeSignIn(renewed)).toBe(true)
  expect(server.revoked().toSorted()).toEqual([renewed.accessToken, renewed.refreshToken].toSorted())
  expect(await isLetIn(server, renewed.accessToken)).toBe(false)
  await expect(renewSignIn(renewed, now)).rejects.toMatchObject({ kind: 'grant' })
})

it('uses an earlier registration where it fits, and makes another where not', async () => {
  const server = await start()
  const first = await signedIn(server)
  const registrations = () => server.requests.filter((each) => each === 'POST /register').length
  const again = await signedIn(server, { known: first.client })
  expect(again.client).toEqual(first.client)
  expect(registrations()).toBe(1)
  const elsewhere = { known: first.client, redirectUri: 'http://127.0.0.1:10/callback' }
  expect((await signedIn(server, elsewhere)).client.id).not.toBe(first.client.id)
  const other = await start()
  expect((await signedIn(other, { known: first.client })).client.issuer).toBe(other.issuer)
})

it('asks for a client where nobody is registered, and uses it', async () => {
  const server = await start({ needsClient: true })
  const { issuer } = server
  expect(await begin(server)).toEqual({ step: 'needs_client', host: new URL(issuer).host, issuer })
  const client = { ...server.client, issuer }
  const signIn = await signedIn(server, { client })
  expect(await isLetIn(server, signIn.accessToken)).toBe(true)
  expect(await isLetIn(server, (await renewSignIn(signIn, now)).accessToken)).toBe(true)
  const wrong = await begun(server, { client: { ...client, secret: 'not the secret' } })
  const refused = finishSignIn(wrong.open, await returned(server, wrong.url), now)
  await expect(refused).rejects.toMatchObject({ kind: 'client' })
  await expect(refused).rejects.not.toThrow('not the secret')
})

it('gives a client that a person registered to nobody but who it was registered with', async () => {
  const [server, other] = await Promise.all([start({ needsClient: true }), start({ needsClient: true })])
  const client = { ...server.client, issuer: server.issuer }
  const moved = begin(other, { client })
  await expect(moved).rejects.toMatchObject({
    kind: 'unsafe',
    message: expect.stringContaining('registered'),
  })
})

it('says where the code goes, and takes nothing into the link that the stranger wrote there', async () => {
  const server = await start({
    metadata: (own) => ({
      ...own,
      authorization_endpoint: 'https://accounts.example.com/authorize?prompt=none&state=theirs#x',
    }),
  })
  const step = await begun(server)
  const host = new URL(server.issuer).host
  expect(step).toMatchObject({ host, tokenHost: host })
  const { host: linkHost, searchParams, hash } = new URL(step.url)
  expect(linkHost).toBe('accounts.example.com')
  expect(searchParams.has('prompt')).toBe(false)
  expect([searchParams.getAll('state'), hash]).toEqual([['the-state'], ''])
})

it('names the address of the MCP server as what it signs in to where that does not say it, without the query', async () => {
  // No metadata of its own: it is its own authorization server, as in the first revision of the protocol.
  const server = await start({ isOwnIssuer: true })
  const launch = { type: 'http', url: `${server.mcpUrl}?key=of-mine`, headers: {} } as const
  const { url } = await begun(server, { launch })
  expect(new URL(url).searchParams.get('resource')).toBe(server.mcpUrl)
  const signIn = await signedIn(server)
  expect(await isLetIn(server, (await renewSignIn(signIn, now)).accessToken)).toBe(true)
})

it('is not begun by who has a path of a host for the whole of it', async () => {
  const parent = (own: Record<string, unknown>) => ({
    ...own,
    resource: new URL('/', String(own.resource)).href,
  })
  const server = await start({ resourceMetadata: parent })
  await expect(begin(server)).rejects.toMatchObject({ kind: 'unsafe' })
  expect(server.requests.some((each) => each.startsWith('POST /register'))).toBe(false)
})

it('believes no lifetime beyond a year', async () => {
  const server = await start({ tokenSeconds: 1e300 })
  expect((await signedIn(server)).expiresAt).toBe(now + 365 * 24 * 3600 * 1000)
})

it('takes no answer of another issuer, none without one, and no code of another sign-in', async () => {
  const server = await start()
  const one = await begun(server)
  const answer = await returned(server, one.url)
  for (const iss of ['https://evil.example', `${server.issuer}/`, undefined])
    await expect(finishSignIn(one.open, { ...answer, iss }, now)).rejects.toMatchObject({ kind: 'unsafe' })
  // Whoever is not who was asked has nothing to say either.
  const said = finishSignIn(
    one.open,
    { iss: 'https://evil.example', error: 'x', errorDescription: 'go there' },
    now,
  )
  await expect(said).rejects.not.toThrow('go there')
  const unsigned = finishSignIn(one.open, { error: 'x', errorDescription: 'go there' }, now)
  await expect(unsigned).rejects.not.toThrow('go there')
  const other = await begun(server)
  await expect(finishSignIn(other.open, answer, now)).rejects.toMatchObject({ kind: 'grant' })
  expect(server.tokens()).toEqual([])
})

it('reports a refusal in clean words, without what was sent', async () => {
  const server = await start()
  const { url, open: pending } = await begun(server)
  const iss = server.issuer
  const { searchParams } = new URL(await server.deny(url))
  const denied = {
    iss,
    error: searchParams.get('error') ?? '',
    errorDescription: 'no\u202E\u001b[31m\nnever',
  }
  await expect(finishSignIn(pending, denied, now)).rejects.toMatchObject({
    kind: 'refused',
    message: `You, or ${new URL(iss).host}, said no (access_denied: no never). Begin again.`,
  })
  const long = { iss, error: 'e'.repeat(5000), errorDescription: 'd'.repeat(5000) }
  const error: Error = await finishSignIn(pending, long, now).catch((refused) => refused)
  expect(error.message.length).toBeLessThan(600)
})

const remote = 'https://accounts.example.com'
const evil: [string, AuthServerOptions, RegExp][] = [
  ['PKCE of no kind', { metadata: ({ code_challenge_methods_supported, ...rest }) => rest }, /PKCE/],
  [
    'PKCE without a hash',
    { metadata: (own) => ({ ...own, code_challenge_methods_supported: ['plain'] }) },
    /PKCE/,
  ],
  [
    'a script as its page',
    { metadata: (own) => ({ ...own, authorization_endpoint: 'javascript:alert(1)' }) },
    /./,
  ],
  [
    'a page of plain HTTP',
    { metadata: (own) => ({ ...own, authorization_endpoint: 'http://example.com/' }) },
    /https/,
  ],
  [
    'tokens over plain HTTP',
    { metadata: (own) => ({ ...own, token_endpoint: 'http://example.com/token' }) },
    /https/,
  ],
  [
    'registration over FTP',
    { metadata: (own) => ({ ...own, registration_endpoint: 'ftp://example.com/' }) },
    /https/,
  ],
  [
    'revocation over plain HTTP',
    { metadata: (own) => ({ ...own, revocation_endpoint: 'http://example.com/' }) },
    /https/,
  ],
  ['another issuer', { metadata: (own) => ({ ...own, issuer: remote }) }, /not who it says/],
  ['no document', { metadata: () => 'nothing' }, /cannot be used/],
  ['10 MB', { metadata: (own) => ({ ...own, more: 'x'.repeat(10 << 20) }) }, /longer than/],
  ['nobody', { resourceMetadata: () => ({}) }, /cannot be used/],
  [
    'an address of this network as where it describes itself',
    { resourceMetadataUrl: 'http://169.254.169.254/latest/meta-data' },
    /169\.254\.169\.254 is not https/,
  ],
  ['no code flow', { metadata: (own) => ({ ...own, response_types_supported: ['token'] }) }, /code flow/],
  [
    'another resource',
    { resourceMetadata: (own) => ({ ...own, resource: remote }) },
    /as what to sign in to/,
  ],
  [
    'an authorization server of plain HTTP',
    { resourceMetadata: (own) => ({ ...own, authorization_servers: ['http://example.com'] }) },
    /https/,
  ],
]

it.each(evil)('is not begun with a server that names %s', async (_what, options, words) => {
  const server = await start(options)
  const error: Error = await begin(server).then(
    () => new Error('it was begun'),
    (refused) => refused,
  )
  expect(error.name).toBe('SignInError')
  expect(error.message).toMatch(words)
  expect(error.message.length).toBeLessThan(500)
  expect(server.requests.some((each) => each.startsWith('POST /register'))).toBe(false)
})

it('is for servers that are reached safely and bring no credentials', async () => {
  const http = (url: string, headers = {}) => ({ type: 'http', url, headers })
  expect(canSignIn(http('https://example.com/mcp'))).toBe(true)
  expect(canSignIn(http('http://127.0.0.1:1/mcp', { 'x-team': 'a' }))).toBe(true)
  expect(canSignIn(http('http://example.com/mcp'))).toBe(false)
  expect(canSignIn(http('https://example.com/mcp', { AUTHORIZATION: 'Bearer x' }))).toBe(false)
  expect(canSignIn({ type: 'stdio' })).toBe(false)
  const launch = { type: 'http', url: 'http://example.com/mcp', headers: {} } as const
  await expect(beginSignIn({ launch, redirectUri, state: 's' })).rejects.toMatchObject({ kind: 'unsafe' })
})

it('is begun with a server of the older kind, too', async () => {
  const server = await start()
  const launch = { type: 'sse', url: server.mcpUrl, headers: {} } as const
  const { url } = await begun(server, { launch })
  expect(new URL(url).searchParams.get('scope')).toBe('notes:read')
  expect(server.requests).toContain('GET /mcp')
})

it('waits for no server that never answers', async () => {
  const silent = await listen(() => {})
  const launch = { type: 'http', url: silent.url, headers: {} } as const
  const never = beginSignIn({ launch, redirectUri, state: 's' }, { timeoutMs: 200 })
  await expect(never).rejects.toMatchObject({ kind: 'unreachable' })
  await silent.close()
})

it('says so where nobody is', async () => {
  const server = await start()
  const step = await begun(server)
  const answer = await returned(server, step.url)
  await server.close()
  await expect(begin(server)).rejects.toMatchObject({ kind: 'unreachable' })
  const pending: OpenSignIn = step.open
  await expect(finishSignIn(pending, answer, now)).rejects.toMatchObject({ kind: 'unreachable' })
})
