/** What is left of a sign-in once it is done: tokens that are renewed, and in the end revoked. */
import { plainLine } from '../upstream/plain-text.ts'
import { type AuthorizationServer, shortHost } from './authorization-server.ts'
import { createBoundedFetch, type SignInOptions } from './bounded-fetch.ts'
import { withRefusals } from './refusal.ts'
import { informationOf, type SignInClient } from './sign-in-client.ts'
import { SignInError } from './sign-in-error.ts'

/** What signing in gave. Holds secrets; plain data, to be kept. */
export interface SignIn {
  serverUrl: string
  server: AuthorizationServer
  client: SignInClient
  resource: string
  scope?: string
  accessToken: string
  refreshToken?: string
  /** Epoch milliseconds; absent where it was not said. */
  expiresAt?: number
}

const longestToken = 16_384
const longestSeconds = 365 * 24 * 3600
const tokenPattern = /^[\x21-\x7e]+$/

/** A new access token for one that is not valid any more. Rejects with SignInError. */
export async function renewSignIn(signIn: SignIn, now: number, options: SignInOptions = {}): Promise<SignIn> {
  const sdk = await import('@modelcontextprotocol/client')
  const { server, client, refreshToken, resource } = signIn
  if (refreshToken === undefined)
    throw new SignInError('grant', `${shortHost(server.issuer)} gave nothing to renew the sign-in with.`)
  const boundedFetch = createBoundedFetch(new URL(signIn.serverUrl), options)
  return withRefusals(server.issuer, [refreshToken, client.secret, signIn.accessToken], async () => {
    const tokens = await sdk.refreshAuthorization(server.issuer, {
      metadata: { ...server },
      clientInformation: informationOf(client),
      refreshToken,
      fetchFn: boundedFetch,
      resource,
    })
    const { expiresAt, ...kept } = signIn
    return { ...kept, ...granted(tokens, now) }
  })
}

/** Notifies the authorization server that the tokens are not needed any more (RFC 7009). False where that cannot be, or was refused. */
export async function revokeSignIn(signIn: SignIn, options: SignInOptions = {}): Promise<boolean> {
  const { server, client, serverUrl } = signIn
  const endpoint = server.revocation_endpoint
  if (endpoint === undefined) return false
  const { selectClientAuthMethod } = await import('@modelcontextprotocol/client')
  const method = selectClientAuthMethod(
    informationOf(client),
    server.token_endpoint_auth_methods_supported ?? [],
  )
  const boundedFetch = createBoundedFetch(new URL(serverUrl), options)
  const revoke = async (token: string, hint: string): Promise<boolean> => {
    const body = new URLSearchParams({ token, token_type_hint: hint })
    const headers: Record<string, string> = {}
    if (method === 'client_secret_basic') headers.authorization = basic(client)
    else body.set('client_id', client.id)
    if (method === 'client_secret_post') body.set('client_secret', client.secret ?? '')
    const response = await boundedFetch(endpoint, { method: 'POST', headers, body })
    return response.ok
  }
  const { accessToken, refreshToken } = signIn
  const done = await Promise.allSettled([
    revoke(accessToken, 'access_token'),
    ...(refreshToken === undefined ? [] : [revoke(refreshToken, 'refresh_token')]),
  ])
  return done.every((each) => each.status === 'fulfilled' && each.value)
}

/** Of the authorization server, as in a URL. */
export function hostOfSignIn({ server }: Pick<SignIn, 'server'>): string {
  return shortHost(server.issuer)
}

interface Tokens {
  access_token: string
  token_type: string
  refresh_token?: string | undefined
  expires_in?: number | undefined
  scope?: string | undefined
}

/** Throws SignInError for tokens that cannot be used. */
export function granted(
  tokens: Tokens,
  now: number,
): Pick<SignIn, 'accessToken' | 'refreshToken' | 'expiresAt' | 'scope'> {
  const { access_token, refresh_token, expires_in, scope } = tokens
  const isToken = (text: string) => text.length <= longestToken && tokenPattern.test(text)
  if (tokens.token_type.toLowerCase() !== 'bearer' || !isToken(access_token))
    throw new SignInError('unusable', 'The token that was granted is of a kind that cannot be used.')
  return {
    accessToken: access_token,
    ...(refresh_token !== undefined && isToken(refresh_token) && { refreshToken: refresh_token }),
    ...(expires_in !== undefined &&
      Number.isFinite(expires_in) && {
        expiresAt: now + Math.min(Math.max(1, expires_in), longestSeconds) * 1000,
      }),
    ...(scope !== undefined && { scope: plainLine(scope, 2000) }),
  }
}

function basic({ id, secret = '' }: SignInClient): string {
  const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}
