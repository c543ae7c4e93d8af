import { authorization, type Client } from './auth-server/authorization.ts'
import { guardedMcp, resourceMetadataPath } from './auth-server/guarded-mcp.ts'
import { listenOnLoopback } from './auth-server/loopback-server.ts'
import { newSecret, TokenBook } from './auth-server/token-book.ts'

export interface AuthServerOptions {
  /** It registers nobody: only `client` of the result is known. */
  needsClient?: boolean
  /** How long an access token is valid; an hour if not given. */
  tokenSeconds?: number
  /** Whatever the person decides, the answer is no. */
  denies?: boolean
  /** The MCP server names no authorization server: it is one itself, at its own origin. */
  isOwnIssuer?: boolean
  /** Changes what the authorization server says of itself (RFC 8414). */
  metadata?: (honest: Record<string, unknown>) => unknown
  /** Changes what the MCP server says of itself (RFC 9728). */
  resourceMetadata?: (honest: Record<string, unknown>) => unknown
  /** Where the MCP server says that is to be found; at its own origin if not given. */
  resourceMetadataUrl?: string
}

export interface AuthServer {
  /** The MCP server that is guarded: streamable HTTP, one tool, `whoami`. */
  mcpUrl: string
  /** On another port than the MCP server, unless it is that itself. */
  issuer: string
  /** What to sign in with where `needsClient` is set; works otherwise too. */
  client: { id: string; secret: string }
  /** Method and path of each request to either server. */
  requests: string[]
  /** Every access and refresh token that was ever issued. */
  tokens(): string[]
  /** The tokens that were revoked by who had them. */
  revoked(): string[]
  /** No access token is valid any more; refresh tokens are. */
  expireAll(): void
  /** No refresh token is valid any more. */
  refuseRefresh(): void
  /** Opens the page of an authorization url and approves, as a person would. Gives the address that the browser is sent to. */
  approve(url: string): Promise<string>
  deny(url: string): Promise<string>
  close(): Promise<void>
}

/** An OAuth authorization server on loopback, strict about what it is sent, and an MCP server that wants its tokens. */
export async function startAuthServer(options: AuthServerOptions = {}): Promise<AuthServer> {
  const book = new TokenBook(options.tokenSeconds ?? 3600)
  const own = { id: 'known-client', secret: newSecret('secret') }
  const clients = new Map<string, Client>([[own.id, own]])
  const requests: string[] = []
  const honest = (value: Record<string, unknown>) => value
  const auth = await listenOnLoopback((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    handleAuth(request, response)
  })
  const mcp = await listenOnLoopback((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const isMcp = options.isOwnIssuer !== true || request.url?.startsWith('/mcp')
    if (isMcp) handleMcp(request, response)
    else handleAuth(request, response)
  })
  const mcpUrl = `${mcp.origin}/mcp`
  const issuer = options.isOwnIssuer ? mcp.origin : auth.origin
  const takesRegistrations = options.needsClient !== true
  const handleAuth = authorization({
    book,
    clients,
    issuer: () => issuer,
    resource: () => mcpUrl,
    metadata: () => (options.metadata ?? honest)(metadataOf(issuer, takesRegistrations)),
    takesRegistrations,
    denies: options.denies === true,
  })
  const handleMcp = guardedMcp({
    isValid: (token) => book.isValid(token, mcpUrl),
    resourceMetadata: () =>
      (options.resourceMetadata ?? honest)({ resource: mcpUrl, authorization_servers: [issuer] }),
    challenge: () => {
      if (options.isOwnIssuer) return 'Bearer scope="notes:read"'
      const metadataUrl = options.resourceMetadataUrl ?? `${mcp.origin}${resourceMetadataPath}`
      return `Bearer resource_metadata="${metadataUrl}", scope="notes:read"`
    },
  })
  return {
    mcpUrl,
    issuer,
    client: own,
    requests,
    tokens: () => [...book.issued],
    revoked: () => [...book.revoked],
    expireAll: () => book.expireAll(),
    refuseRefresh: () => book.refuseRefresh(),
    approve: (url) => decideAt(url, 'Approve'),
    deny: (url) => decideAt(url, 'Deny'),
    async close() {
      await Promise.all([auth.close(), mcp.close()])
    },
  }
}

function metadataOf(issuer: string, takesRegistrations: boolean): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/revoke`,
    ...(takesRegistrations && { registration_endpoint: `${issuer}/register` }),
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
    authorization_response_iss_parameter_supported: true,
  }
}

async function decideAt(url: string, label: string): Promise<string> {
  const page = await (await fetch(url)).text()
  const link = new RegExp(`<a href="([^"]+)">${label}</a>`).exec(page)?.[1]
  if (link === undefined) throw new Error(`The page has no link "${label}": ${page}`)
  const answer = await fetch(new URL(link.replaceAll('&amp;', '&'), url), { redirect: 'manual' })
  return answer.headers.get('location') ?? ''
}
