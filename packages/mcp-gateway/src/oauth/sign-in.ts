/** Signing in to an MCP server: OAuth 2.1 with PKCE, as the protocol wants it. Holds no state: what is to be kept is handed back. */
import type { HttpLaunch } from '../server-entry.ts'
import { isSafeServer } from './allowed-address.ts'
import { type AuthorizationServer, findAuthorization, shortHost } from './authorization-server.ts'
import { createBoundedFetch, type SignInOptions } from './bounded-fetch.ts'
import { granted, type SignIn } from './kept-sign-in.ts'
import { refusal, withRefusals } from './refusal.ts'
import { type ClientChoice, clientFor, informationOf, type SignInClient } from './sign-in-client.ts'
import { SignInError } from './sign-in-error.ts'

/** A sign-in that is under way: everything that it takes to finish it. Holds secrets. */
export interface OpenSignIn {
  serverUrl: string
  server: AuthorizationServer
  client: SignInClient
  redirectUri: string
  resource: string
  scope?: string
  codeVerifier: string
}

export interface SignInRequest extends ClientChoice {
  launch: HttpLaunch
  /** Comes back with the person; must be known to nobody else. */
  state: string
}

export type BegunSignIn =
  /** The person is to go to `url`. `host` is the issuer's; what they grant is redeemed at `tokenHost`. */
  | { step: 'open'; url: string; host: string; tokenHost: string; open: OpenSignIn }
  /** The authorization server registers nobody by itself. A client of it is to be given together with this `issuer`. */
  | { step: 'needs_client'; host: string; issuer: string }

const longestUrl = 8000

/** Whether a person can try to sign in: it is reached by HTTP, safely, and brings no credentials of its own. */
export function canSignIn(launch: { type: string; url?: string; headers?: object }): boolean {
  if (launch.type === 'stdio' || launch.url === undefined || !URL.canParse(launch.url)) return false
  const names = Object.keys(launch.headers ?? {}).map((name) => name.toLowerCase())
  return isSafeServer(new URL(launch.url)) && !names.includes('authorization')
}

/** Rejects with SignInError. */
export async function beginSignIn(request: SignInRequest, options: SignInOptions = {}): Promise<BegunSignIn> {
  const { launch, redirectUri } = request
  if (!canSignIn(launch))
    throw new SignInError(
      'unsafe',
      'It must be reached by https, and bring no Authorization header of its own.',
    )
  const sdk = await import('@modelcontextprotocol/client')
  const boundedFetch = createBoundedFetch(new URL(launch.url), options)
  return withRefusals(launch.url, [], async () => {
    const { server, resource, scope } = await findAuthorization(launch, boundedFetch, options)
    const host = shortHost(server.issuer)
    const client = await clientFor(server, request, scope, boundedFetch)
    if (!client) return { step: 'needs_client', host, issuer: server.issuer }
    const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(server.issuer, {
      metadata: { ...server },
      clientInformation: { client_id: client.id },
      redirectUrl: redirectUri,
      state: request.state,
      ...(scope !== undefined && { scope }),
      resource,
    })
    if (authorizationUrl.href.length > longestUrl)
      throw new SignInError('unusable', `The address that ${host} wants is too long.`)
    const open: OpenSignIn = {
      serverUrl: launch.url,
      server,
      client,
      redirectUri,
      codeVerifier,
      resource,
      ...(scope !== undefined && { scope }),
    }
    const tokenHost = shortHost(server.token_endpoint)
    return { step: 'open', url: authorizationUrl.href, host, tokenHost, open }
  })
}

/** What came back with the person. */
export interface SignInReturn {
  code?: string | undefined
  iss?: string | undefined
  error?: string | undefined
  errorDescription?: string | undefined
}

/** Rejects with SignInError. A code works once: there is no second try. */
export async function finishSignIn(
  open: OpenSignIn,
  returned: SignInReturn,
  now: number,
  options: SignInOptions = {},
): Promise<SignIn> {
  const sdk = await import('@modelcontextprotocol/client')
  const { server, client, codeVerifier, redirectUri, resource, serverUrl } = open
  const { code, iss } = returned
  const boundedFetch = createBoundedFetch(new URL(serverUrl), options)
  return withRefusals(server.issuer, [code, codeVerifier, client.secret], async () => {
    // Before anything of the answer is read: it may come from another (RFC 9207).
    sdk.validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: server.issuer,
      issParameterSupported: server.authorization_response_iss_parameter_supported === true,
    })
    if (returned.error !== undefined)
      throw refusal(shortHost(server.issuer), returned.error, returned.errorDescription)
    if (code === undefined) throw new SignInError('unusable', 'The answer holds no code. Begin again.')
    const tokens = await sdk.exchangeAuthorization(server.issuer, {
      metadata: { ...server },
      clientInformation: informationOf(client),
      authorizationCode: code,
      codeVerifier,
      redirectUri,
      fetchFn: boundedFetch,
      ...(iss !== undefined && { iss }),
      resource,
    })
    return {
      serverUrl,
      server,
      client,
      resource,
      ...(open.scope !== undefined && { scope: open.scope }),
      ...granted(tokens, now),
    }
  })
}
