/** Sign-ins that must not come about: begun by nobody, ended elsewhere, or with somebody who cannot be trusted with a person. */
import { type AuthServer, type AuthServerOptions, startAuthServer } from '@dorkos/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { server } from '../support/mcp-servers.ts'
import { createShiftingClock } from '../support/shifting-clock.ts'
import { begin, callback, cameBack, signIn } from '../support/sign-in.ts'
import { useHost } from '../support/use-host.ts'

const clock = createShiftingClock()
const used = useHost({ demo: true, clock })
const open: AuthServer[] = []
let auth: AuthServer
beforeAll(async () => {
  auth = await add('notes')
})
afterAll(async () => {
  await Promise.all(open.map((one) => one.close()))
})

/** A server that wants to be signed in to. */
async function add(name: string, options?: AuthServerOptions): Promise<AuthServer> {
  const one = await startAuthServer(options)
  open.push(one)
  await used.host.client.addMcpServers({ body: { name, entry: { type: 'http', url: one.mcpUrl } } })
  return one
}

const finish = (body: ReturnType<typeof cameBack>) => used.host.client.finishMcpSignIn({ body })
const isSignedIn = async (name: string) =>
  (await used.host.client.getMcpServer({ params: { name } })).server.signed_in !== undefined

async function back(): Promise<ReturnType<typeof cameBack>> {
  const step = await begin(used.host, 'notes')
  return cameBack(await auth.approve(step.url))
}

describe('what comes back', () => {
  it('with a state that nobody began with, or that was used', async () => {
    const answer = await back()
    await expect(finish({ ...answer, state: 'made-up' })).rejects.toMatchObject({ status: 410 })
    await finish(answer)
    await expect(finish(answer)).rejects.toMatchObject({ status: 410 })
    await used.host.client.endMcpSignIn({ params: { name: 'notes' } })
  })

  it('too late', async () => {
    const step = await begin(used.host, 'notes')
    expect(Date.parse(step.expires_at) - clock.now()).toBeGreaterThan(9 * 60_000)
    const answer = cameBack(await auth.approve(step.url))
    clock.advance(10 * 60_000)
    await expect(finish(answer)).rejects.toMatchObject({ status: 410 })
  })

  it('from another issuer, which uses the state up', async () => {
    const answer = await back()
    const before = auth.tokens().length
    const mixedUp = finish({ ...answer, iss: 'https://evil.example' })
    await expect(mixedUp).rejects.toMatchObject({ status: 409 })
    await expect(mixedUp).rejects.not.toThrow('evil.example')
    await expect(finish(answer)).rejects.toMatchObject({ status: 410 })
    expect(auth.tokens().length).toBe(before)
  })

  it('for a server that is another by now', async () => {
    const { client } = used.host
    const other = await add('moving')
    const step = await begin(used.host, 'moving')
    const answer = cameBack(await other.approve(step.url))
    const entry = { type: 'http' as const, url: auth.mcpUrl }
    await client.changeMcpServer({ params: { name: 'moving' }, body: { entry } })
    await expect(finish(answer)).rejects.toMatchObject({ status: 409 })
    expect(other.tokens()).toEqual([])
  })

  it('with a code that was made up', async () => {
    const answer = await back()
    const refused = finish({ ...answer, code: 'a-code-that-was-made-up' })
    await expect(refused).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('invalid_grant'),
    })
    await expect(refused).rejects.not.toThrow('a-code-that-was-made-up')
    expect(await isSignedIn('notes')).toBe(false)
  })
})

describe('to begin', () => {
  it.each([
    'https://evil.example/mcp-sign-in',
    'http://127.0.0.1:9/mcp-sign-in',
    'http://127.0.0.1:9/callback/more',
    'http://192.168.1.9:9/callback',
  ])('with %s as the way back', async (redirect_uri) => {
    const before = auth.requests.length
    await expect(begin(used.host, 'notes', { redirect_uri })).rejects.toMatchObject({ status: 400 })
    expect(auth.requests.length).toBe(before)
  })

  it('is possible with the page of this server as the way back', async () => {
    const redirect_uri = `${used.host.server.url}/mcp-sign-in`
    const { finished } = await signIn(used.host, auth, 'notes', { redirect_uri })
    expect(finished.details.server.health?.state).toBe('connected')
  })

  it('with a server that nobody can sign in to', async () => {
    const { client } = used.host
    const headers = { Authorization: 'Bearer of-the-entry' }
    const entry = { type: 'http' as const, url: auth.mcpUrl }
    await client.addMcpServers({ body: { name: 'local', entry: server() } })
    await client.addMcpServers({ body: { name: 'own-header', entry: { ...entry, headers } } })
    await client.addMcpServers({ body: { name: 'left', entry: { ...entry, passthrough: true } } })
    await client.addMcpServers({
      body: { name: 'plain', entry: { ...entry, url: 'http://example.com/mcp' } },
    })
    for (const name of ['local', 'own-header', 'left', 'plain']) {
      await expect(begin(used.host, name)).rejects.toMatchObject({ status: 409 })
      const shown = (await client.getMcpServer({ params: { name } })).server
      expect(shown).not.toHaveProperty('can_sign_in')
    }
    await expect(begin(used.host, 'unknown')).rejects.toMatchObject({ status: 404 })
  })

  it.each<[string, AuthServerOptions]>([
    ['a script', { metadata: (own) => ({ ...own, authorization_endpoint: 'javascript:alert(1)' }) }],
    ['plain HTTP', { metadata: (own) => ({ ...own, token_endpoint: 'http://example.com/token' }) }],
    ['no PKCE', { metadata: ({ code_challenge_methods_supported, ...rest }) => rest }],
    ['10 MB', { metadata: (own) => ({ ...own, more: 'x'.repeat(10 << 20) }) }],
  ])('where the authorization server has %s', async (what, options) => {
    const name = `evil-${what.replaceAll(/\W/g, '')}`
    const evil = await add(name, options)
    await expect(begin(used.host, name)).rejects.toMatchObject({ status: 409 })
    expect(evil.requests).not.toContain('POST /register')
  })
})

it('is with a program that a person registered, where the authorization server wants one; it is asked for once', async () => {
  const { client } = used.host
  const strict = await add('strict', { needsClient: true })
  const params = { name: 'strict' }
  const step = await client.beginMcpSignIn({ params, body: { redirect_uri: callback } })
  const { issuer } = strict
  expect(step).toEqual({ step: 'needs_client', host: new URL(issuer).host, issuer })
  const client_id = strict.client.id
  const own = { client_id, client_secret: strict.client.secret, issuer }
  await expect(begin(used.host, 'strict', { client_id })).rejects.toMatchObject({ status: 400 })
  // The server names another by now: it must not get the secret of this one.
  const moved = begin(used.host, 'strict', { ...own, issuer: auth.issuer })
  await expect(moved).rejects.toMatchObject({ status: 409 })
  const { finished } = await signIn(used.host, strict, 'strict', own)
  expect(finished.details.server.health?.state).toBe('connected')
  const again = await signIn(used.host, strict, 'strict')
  expect(again.finished.details.server.health?.state).toBe('connected')
  const said = JSON.stringify([
    finished,
    await client.listMcpServers(),
    await client.listAudit({ query: {} }),
  ])
  expect(said).not.toContain(strict.client.secret)
})

it('is begun with a new registration when one was not finished: it may be that the old one is not known any more', async () => {
  const one = await add('again')
  const clientOf = async () => new URL((await begin(used.host, 'again')).url).searchParams.get('client_id')
  await signIn(used.host, one, 'again')
  const first = await clientOf()
  const second = await clientOf()
  expect(second).not.toBe(first)
})
