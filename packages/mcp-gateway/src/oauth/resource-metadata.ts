/** What an MCP server says of itself and of who grants access to it (RFC 9728). */
import type { OAuthProtectedResourceMetadata } from '@modelcontextprotocol/client'
import type { BoundedFetch } from './bounded-fetch.ts'
import { SignInError } from './sign-in-error.ts'

const rootPath = '/.well-known/oauth-protected-resource'

/** Undefined where there is none: then the MCP server's own origin is asked, as in the first revision of the protocol. */
export async function readResourceMetadata(
  url: URL,
  named: URL | undefined,
  boundedFetch: BoundedFetch,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  const sdk = await import('@modelcontextprotocol/client')
  for (const metadataUrl of named ? [named] : usualUrls(url)) {
    let isMissing = false
    const notingStatus: BoundedFetch = async (...request) => {
      const response = await boundedFetch(...request)
      isMissing = response.status >= 400 && response.status < 500
      return response
    }
    try {
      const said = await sdk.discoverOAuthProtectedResourceMetadata(
        url,
        { resourceMetadataUrl: metadataUrl },
        notingStatus,
      )
      if (!URL.canParse(said.resource) || !isOwn(new URL(said.resource), url, metadataUrl))
        throw new SignInError(
          'unsafe',
          `${url.host} names another address than its own as what to sign in to.`,
        )
      return said
    } catch (error) {
      if (!isMissing) throw error
    }
  }
  return undefined
}

function usualUrls({ origin, pathname }: URL): URL[] {
  const path = pathname.replace(/\/$/, '')
  return [...new Set([`${rootPath}${path}`, rootPath])].map((each) => new URL(each, origin))
}

/**
 * It is the server itself. Only what stands at the root of its host may speak for all of it: whoever has a path there must not ask for
 * what is their neighbour's.
 */
function isOwn(resource: URL, url: URL, metadataUrl: URL): boolean {
  if (resource.origin !== url.origin || (resource.search !== '' && resource.search !== url.search))
    return false
  const [own, said] = [withSlash(url.pathname), withSlash(resource.pathname)]
  const isOfRoot = metadataUrl.origin === url.origin && metadataUrl.pathname === rootPath
  return own === said || (isOfRoot && own.startsWith(said))
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}
