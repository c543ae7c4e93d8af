/** The endpoints of a test authorization server: metadata, registration, the page where a person decides, tokens, revocation. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { readBody, sendJson } from './loopback-server.ts'
import { type Grant, newSecret, type TokenBook, TokenRefusal } from './token-book.ts'

export interface Client {
  id: string
  secret?: string
  /** Where it may be sent back to; undefined: anywhere. */
  redirectUris?: string[]
}

export interface AuthorizationOptions {
  book: TokenBook
  clients: Map<string, Client>
  issuer(): string
  resource(): string
  metadata(): unknown
  takesRegistrations: boolean
  denies: boolean
}

interface Asked {
  grant: Grant
  state: string | undefined
}

export function authorization(options: AuthorizationOptions): RequestListener {
  const asked = new Map<string, Asked>()
  return async (request, response) => {
    const url = new URL(request.url ?? '/', options.issuer())
    try {
      const route = `${request.method} ${url.pathname}`
      if (route === 'GET /.well-known/oauth-authorization-server') {
        return sendJson(response, 200, options.metadata())
      }
      if (route === 'POST /register' && options.takesRegistrations) {
        return await register(options, request, response)
      }
      if (route === 'GET /authorize') return showPage(options, asked, url, response)
      if (route === 'GET /decide') return decide(options, asked, url, response)
      if (route === 'POST /token') return await giveToken(options, request, response)
      if (route === 'POST /revoke') return await revoke(options, request, response)
      response.writeHead(404).end()
    } catch (error) {
      if (!(error instanceof TokenRefusal)) throw error
      const status = error.code === 'invalid_client' ? 401 : 400
      sendJson(response, status, { error: error.code, error_description: error.message })
    }
  }
}

async function register(options: AuthorizationOptions, request: IncomingMessage, response: ServerResponse) {
  const asked = JSON.parse(await readBody(request)) as { redirect_uris?: string[] }
  if (!asked.redirect_uris?.length)
    throw new TokenRefusal('invalid_redirect_uri', 'There is no redirect_uri.')
  const id = newSecret('client')
  options.clients.set(id, { id, redirectUris: asked.redirect_uris })
  sendJson(response, 201, { ...asked, client_id: id, client_id_issued_at: Math.floor(Date.now() / 1000) })
}

/** What is wrong with the client or the way back is shown to the person, never sent to the redirect_uri. */
function showPage(
  options: AuthorizationOptions,
  asked: Map<string, Asked>,
  url: URL,
  response: ServerResponse,
): void {
  const given = (name: string) => url.searchParams.get(name) ?? undefined
  const client = options.clients.get(given('client_id') ?? '')
  const redirectUri = given('redirect_uri') ?? ''
  const challenge = given('code_challenge')
  const isAllowed = client && (client.redirectUris?.includes(redirectUri) ?? URL.canParse(redirectUri))
  const fault = !isAllowed
    ? 'The client or the redirect_uri is unknown.'
    : given('response_type') !== 'code'
      ? 'Only the code flow is supported.'
      : challenge === undefined || given('code_challenge_method') !== 'S256'
        ? 'PKCE with S256 is needed.'
        : given('resource') !== options.resource()
          ? 'The resource is unknown.'
          : undefined
  if (fault !== undefined || !client || challenge === undefined) {
    return sendPage(response, 400, `<h1>Cannot sign in</h1><p>${fault}</p>`)
  }
  const id = newSecret('request')
  const resource = options.resource()
  const grant = { clientId: client.id, redirectUri, challenge, resource, scope: given('scope') }
  asked.set(id, { grant, state: given('state') })
  const link = (label: string, answer: string) =>
    `<a href="/decide?request=${id}&amp;answer=${answer}">${label}</a>`
  sendPage(
    response,
    200,
    `<h1>Test authorization</h1><p>A program asks to sign in as Ada.</p><p>${link('Approve', 'approve')} ${link('Deny', 'deny')}</p>`,
  )
}

function decide(
  options: AuthorizationOptions,
  asked: Map<string, Asked>,
  url: URL,
  response: ServerResponse,
): void {
  const id = url.searchParams.get('request') ?? ''
  const request = asked.get(id)
  asked.delete(id)
  if (!request) return sendPage(response, 400, '<h1>Cannot sign in</h1><p>This was decided before.</p>')
  const back = new URL(request.grant.redirectUri)
  const isApproved = url.searchParams.get('answer') === 'approve' && !options.denies
  if (isApproved) back.searchParams.set('code', options.book.issueCode(request.grant))
  else {
    back.searchParams.set('error', 'access_denied')
    back.searchParams.set('error_description', 'The person said no.')
  }
  if (request.state !== undefined) back.searchParams.set('state', request.state)
  back.searchParams.set('iss', options.issuer())
  response.writeHead(302, { location: back.href }).end()
}

async function giveToken(options: AuthorizationOptions, request: IncomingMessage, response: ServerResponse) {
  const form = new URLSearchParams(await readBody(request))
  const client = authenticate(options, request, form)
  const given = (name: string) => form.get(name) ?? ''
  if (given('grant_type') === 'refresh_token') {
    return sendJson(response, 200, options.book.refresh(given('refresh_token'), client.id, given('resource')))
  }
  if (given('grant_type') !== 'authorization_code') {
    throw new TokenRefusal('unsupported_grant_type', 'Only codes and refresh tokens are taken.')
  }
  const presented = {
    clientId: client.id,
    redirectUri: given('redirect_uri'),
    verifier: given('code_verifier'),
    resource: given('resource'),
  }
  sendJson(response, 200, options.book.redeemCode(given('code'), presented))
}

async function revoke(options: AuthorizationOptions, request: IncomingMessage, response: ServerResponse) {
  const form = new URLSearchParams(await readBody(request))
  options.book.revoke(form.get('token') ?? '', authenticate(options, request, form).id)
  response.writeHead(200).end()
}

function authenticate(
  options: AuthorizationOptions,
  request: IncomingMessage,
  form: URLSearchParams,
): Client {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  const [id, secret] =
    basic === undefined
      ? [form.get('client_id') ?? '', form.get('client_secret') ?? undefined]
      : Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent)
  const client = options.clients.get(id ?? '')
  if (!client || client.secret !== secret) {
    throw new TokenRefusal('invalid_client', 'The client is unknown, or its secret is wrong.')
  }
  return client
}

function sendPage(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
  response.end(`<!doctype html><html lang="en"><title>Test authorization</title><body>${body}</body></html>`)
}
