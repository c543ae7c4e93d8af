/**
 * The `fetch` for everything but the MCP server itself: only to addresses that are allowed, with a limit of time and size. Redirects are
 * followed within an origin, for GET alone: what else is sent are credentials.
 */
import { addressFault } from './allowed-address.ts'
import { SignInError } from './sign-in-error.ts'

export const defaultTimeoutMs = 15_000
/** Documents of this kind have some kilobytes. */
const mostBytes = 256 * 1024
const mostRedirects = 5

export type BoundedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

export interface SignInOptions {
  /** For each request; 15 s if not given. */
  timeoutMs?: number | undefined
}

export function createBoundedFetch(server: URL, options: SignInOptions = {}): BoundedFetch {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
  return async (url, init = {}) => {
    const isGet = (init.method ?? 'GET').toUpperCase() === 'GET'
    const signal = AbortSignal.timeout(timeoutMs)
    let target = new URL(url)
    for (let followed = 0; ; followed += 1) {
      const fault = addressFault(target, server)
      if (fault !== undefined) throw new SignInError('unsafe', `It cannot be signed in to: ${fault}.`)
      const response = await answered(target, { ...init, redirect: 'manual', signal }, timeoutMs)
      const next = redirectOf(response, target)
      if (!next) return response
      if (!isGet || next.origin !== target.origin || followed === mostRedirects)
        throw new SignInError('unsafe', `${target.host} sends the request elsewhere.`)
      target = next
    }
  }
}

/** The whole answer, read. */
async function answered(url: URL, init: RequestInit, timeoutMs: number): Promise<Response> {
  try {
    const response = await fetch(url, init)
    const { status, headers } = response
    const body = await readBounded(response, url)
    // A response of these kinds cannot be made with a body.
    return new Response([204, 205, 304].includes(status) ? null : body, { status, headers })
  } catch (error) {
    throw toReachError(error, url, timeoutMs)
  }
}

async function readBounded(response: Response, url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > mostBytes)
      throw new SignInError('unusable', `The answer of ${url.host} is longer than ${mostBytes / 1024} KiB.`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** Of a request that got no answer. */
export function toReachError(error: unknown, url: URL, timeoutMs = defaultTimeoutMs): SignInError {
  if (error instanceof SignInError) return error
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new SignInError('unreachable', `${url.host} did not answer within ${timeoutMs / 1000} s.`)
  const { code } = (error instanceof Error ? (error.cause ?? error) : {}) as { code?: unknown }
  const why = typeof code === 'string' ? ` (${code})` : ''
  return new SignInError('unreachable', `${url.host} cannot be reached${why}.`, { cause: error })
}

function redirectOf(response: Response, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(response.status)) return undefined
  const location = response.headers.get('location')
  if (location === null || !URL.canParse(location, from.href))
    throw new SignInError('unusable', `${from.host} answered with a redirect to nowhere.`)
  return new URL(location, from)
}
