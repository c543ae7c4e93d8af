/** Who grants access to an MCP server, as that server (RFC 9728) and the authorization server itself (RFC 8414) say. */
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client'
import type { HttpLaunch } from '../server-entry.ts'
import { addressFault } from './allowed-address.ts'
import { type BoundedFetch, defaultTimeoutMs, type SignInOptions, toReachError } from './bounded-fetch.ts'
import { readResourceMetadata } from './resource-metadata.ts'
import { SignInError } from './sign-in-error.ts'

/** What is kept of its metadata: plain data. */
export interface AuthorizationServer {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  registration_endpoint?: string
  revocation_endpoint?: string
  response_types_supported: string[]
  token_endpoint_auth_methods_supported?: string[]
  authorization_response_iss_parameter_supported?: boolean
}

export interface FoundAuthorization {
  server: AuthorizationServer
  /** What a token is asked for (RFC 8707): what the MCP server says that it is, or else its address. */
  resource: string
  scope: string | undefined
}

const longestUrl = 2000
const longestScope = 2000
const scopePattern = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/

export async function findAuthorization(
  launch: HttpLaunch,
  boundedFetch: BoundedFetch,
  options: SignInOptions,
): Promise<FoundAuthorization> {
  const sdk = await import('@modelcontextprotocol/client')
  const url = new URL(launch.url)
  const challenge = sdk.extractWWWAuthenticateParams(await askedWithoutToken(launch, options))
  const said = await readResourceMetadata(url, challenge.resourceMetadataUrl, boundedFetch)
  const issuer = said?.authorization_servers?.[0] ?? new URL('/', url).href
  const metadata = await sdk.discoverAuthorizationServerMetadata(issuer, { fetchFn: boundedFetch })
  if (!metadata) throw new SignInError('unusable', `${url.host} does not say where to sign in.`)
  const scope = challenge.scope ?? said?.scopes_supported?.join(' ')
  return {
    server: checkedServer(metadata, url),
    // Without the query: that may hold a secret, and this is shown to others.
    resource: said?.resource ?? `${url.origin}${url.pathname}`,
    scope: withOfflineAccess(scope, metadata),
  }
}

/** The MCP server's answer to who brings no token; its body does not matter, and may never end. */
async function askedWithoutToken(launch: HttpLaunch, { timeoutMs }: SignInOptions): Promise<Response> {
  const { LATEST_PROTOCOL_VERSION } = await import('@modelcontextprotocol/client')
  const url = new URL(launch.url)
  const params = {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'dorkos', version: '0.1.0' },
  }
  const accept = 'application/json, text/event-stream'
  const request: RequestInit =
    launch.type === 'http'
      ? {
          method: 'POST',
          headers: { ...launch.headers, accept, 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
        }
      : { headers: { ...launch.headers, accept: 'text/event-stream' } }
  try {
    const signal = AbortSignal.timeout(timeoutMs ?? defaultTimeoutMs)
    const response = await fetch(url, { ...request, redirect: 'manual', signal })
    await response.body?.cancel()
    return response
  } catch (error) {
    throw toReachError(error, url, timeoutMs)
  }
}

function checkedServer(metadata: AuthorizationServerMetadata, server: URL): AuthorizationServer {
  const host = shortHost(metadata.issuer)
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true)
    throw new SignInError(
      'unsafe',
      `${host} does not say that it checks PKCE with S256: codes could be stolen.`,
    )
  if (!metadata.response_types_supported.includes('code'))
    throw new SignInError('unusable', `${host} does not offer the code flow.`)
  const checked = (endpoint: string): string => {
    if (endpoint.length > longestUrl || !URL.canParse(endpoint))
      throw new SignInError('unusable', `An address that ${host} names cannot be used.`)
    const fault = addressFault(new URL(endpoint), server)
    if (fault !== undefined) throw new SignInError('unsafe', `It cannot be signed in to: ${fault}.`)
    return endpoint
  }
  const { registration_endpoint, token_endpoint_auth_methods_supported } = metadata
  const revocation: unknown = (metadata as { revocation_endpoint?: unknown }).revocation_endpoint
  return {
    issuer: checked(metadata.issuer),
    authorization_endpoint: withoutQuery(checked(metadata.authorization_endpoint)),
    token_endpoint: checked(metadata.token_endpoint),
    ...(registration_endpoint !== undefined && { registration_endpoint: checked(registration_endpoint) }),
    ...(typeof revocation === 'string' && { revocation_endpoint: checked(revocation) }),
    response_types_supported: ['code'],
    ...(token_endpoint_auth_methods_supported && {
      token_endpoint_auth_methods_supported: token_endpoint_auth_methods_supported.slice(0, 20),
    }),
    ...(metadata.authorization_response_iss_parameter_supported === true && {
      authorization_response_iss_parameter_supported: true,
    }),
  }
}

/** What a person is sent to a page with is ours alone: a stranger's `prompt=none` would keep them from being asked. */
function withoutQuery(endpoint: string): string {
  const { origin, pathname } = new URL(endpoint)
  return `${origin}${pathname}`
}

/** Some give a token to refresh with only to who asks for it. */
function withOfflineAccess(
  scope: string | undefined,
  { scopes_supported }: AuthorizationServerMetadata,
): string | undefined {
  if (scope === undefined || scope.length > longestScope || !scopePattern.test(scope)) return undefined
  const isOffered = scopes_supported?.includes('offline_access') === true
  return isOffered && !scope.split(' ').includes('offline_access') ? `${scope} offline_access` : scope
}

export function shortHost(address: string): string {
  return URL.canParse(address) ? new URL(address).host.slice(0, 200) : 'an address that is none'
}
