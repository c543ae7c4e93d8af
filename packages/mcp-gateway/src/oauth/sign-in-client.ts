/** What we are to an authorization server: registered by itself where it takes that (RFC 7591), or by a person, by hand. */
import { isLoopback } from './allowed-address.ts'
import { type AuthorizationServer, shortHost } from './authorization-server.ts'
import type { BoundedFetch } from './bounded-fetch.ts'
import { SignInError } from './sign-in-error.ts'

export interface SignInClient {
  issuer: string
  id: string
  secret?: string
  redirectUri: string
  /** Registered by a person, by hand: good for any way back that they registered. */
  isGiven?: true
}

export interface ClientChoice {
  redirectUri: string
  /** One that a person registered by hand, and with whom: nobody else gets its secret. */
  client?: Pick<SignInClient, 'issuer' | 'id' | 'secret'> | undefined
  /** One of an earlier sign-in; used where it fits. */
  known?: SignInClient | undefined
}

/** Undefined where a person has to register one first. Throws SignInError where one was registered with another. */
export async function clientFor(
  server: AuthorizationServer,
  { client, known, redirectUri }: ClientChoice,
  scope: string | undefined,
  boundedFetch: BoundedFetch,
): Promise<SignInClient | undefined> {
  const { issuer } = server
  if (client && client.issuer !== issuer)
    throw new SignInError(
      'unsafe',
      `The program was registered at ${shortHost(client.issuer)}, but now ${shortHost(issuer)} is named to sign in at. Begin again.`,
    )
  if (client) return { ...client, redirectUri, isGiven: true }
  if (known?.issuer === issuer && (known.isGiven || known.redirectUri === redirectUri)) return known
  return server.registration_endpoint === undefined
    ? undefined
    : register(server, redirectUri, scope, boundedFetch)
}

async function register(
  server: AuthorizationServer,
  redirectUri: string,
  scope: string | undefined,
  boundedFetch: BoundedFetch,
): Promise<SignInClient | undefined> {
  const sdk = await import('@modelcontextprotocol/client')
  const methods = server.token_endpoint_auth_methods_supported
  const method = !methods || methods.includes('none') ? 'none' : (methods[0] ?? 'none')
  const clientMetadata = {
    client_name: 'DorkOS',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: method,
    application_type: isLoopback(new URL(redirectUri)) ? 'native' : 'web',
  }
  try {
    const { client_id, client_secret } = await sdk.registerClient(server.issuer, {
      metadata: { ...server },
      clientMetadata,
      fetchFn: boundedFetch,
      ...(scope !== undefined && { scope }),
    })
    return {
      issuer: server.issuer,
      id: client_id,
      redirectUri,
      ...(client_secret !== undefined && { secret: client_secret }),
    }
  } catch (error) {
    // It registers those only that it knows already.
    if (error instanceof sdk.RegistrationRejectedError && [401, 403].includes(error.status)) return undefined
    throw error
  }
}

export function informationOf({ id, secret }: SignInClient) {
  return { client_id: id, ...(secret !== undefined && { client_secret: secret }) }
}
