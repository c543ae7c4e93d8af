import { createHash } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { type AuthServer, type AuthServerOptions, startAuthServer } from './auth-server.ts'

const verifier = 'v'.repeat(50)
const redirectUri = 'http://127.0.0.1:9/callback'
const servers: AuthServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function start(options?: AuthServerOptions): Promise<AuthServer> {
  const server = await startAuthServer(options)
  servers.push(server)
  return server
}

function authorizeUrl(server: AuthServer, clientId: string): string {
  const url = new URL('/authorize', server.issuer)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const params = { response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state: 'mine' }
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256', resource: server.mcpUrl }
  url.search = new URLSearchParams({ ...params, ...pkce }).toString()
  return url.href
}

function post(server: AuthServer, path: string, form: Record<string, string>): Promise<Response> {
  return fetch(new URL(path, server.issuer), { method: 'POST', body: new URLSearchParams(form) })
}

async function registered(server: AuthServer): Promise<string> {
  const body = JSON.stringify({ redirect_uris: [redirectUri] })
  const answer = await fetch(new URL('/register', server.issuer), { method: 'POST', body })
  return ((await answer.json()) as { client_id: string }).client_id
}

const pingAs = async (server: AuthServer, token: string) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(server.mcpUrl, { method: 'POST', headers, body })).status
}

it('gives a token for a code, once, to who asked for it', async () => {
  const server = await start()
  const clientId = await registered(server)
  const back = new URL(await server.approve(authorizeUrl(server, clientId)))
  expect(back.searchParams.get('state')).toBe('mine')
  expect(back.searchParams.get('iss')).toBe(server.issuer)
  const form = {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    resource: server.mcpUrl,
  }
  const first = await post(server, '/token', form)
  expect(first.status).toBe(200)
  const tokens = (await first.json()) as { access_token: string; refresh_token: string }
  expect(server.tokens()).toEqual([tokens.access_token, tokens.refresh_token])
  expect((await post(server, '/token', form)).status).toBe(400)
  expect(await pingAs(server, tokens.access_token)).toBe(200)
  expect(await pingAs(server, 'other')).toBe(401)

  server.expireAll()
  expect(await pingAs(server, tokens.access_token)).toBe(401)
  const refresh = {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
    client_id: clientId,
    resource: server.mcpUrl,
  }
  const renewed = (await (await post(server, '/token', refresh)).json()) as { access_token: string }
  expect(await pingAs(server, renewed.access_token)).toBe(200)
  // A refresh token that comes twice ends all.
  expect((await post(server, '/token', refresh)).status).toBe(400)
  expect(await pingAs(server, renewed.access_token)).toBe(401)
})

it.each([
  ['code_verifier', 'w'.repeat(50)],
  ['redirect_uri', 'http://127.0.0.1:9/other'],
  ['resource', 'http://127.0.0.1:9/mcp'],
  ['client_id', 'known-client'],
])('refuses a code with another %s', async (name, value) => {
  const server = await start()
  const clientId = await registered(server)
  const back = new URL(await server.approve(authorizeUrl(server, clientId)))
  const form = {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    resource: server.mcpUrl,
    [name]: value,
  }
  expect((await post(server, '/token', form)).ok).toBe(false)
  expect(server.tokens()).toEqual([])
})

it('says no where the person does, and where it is told to', async () => {
  const server = await start()
  expect(await server.deny(authorizeUrl(server, server.client.id))).toContain('error=access_denied')
  const denying = await start({ denies: true })
  expect(await denying.approve(authorizeUrl(denying, denying.client.id))).toContain('error=access_denied')
})
