/**
 * The `fetch` that servers are reached by. Each request has a signal of its own: the transports hand one long-lived signal to every
 * request, and what listens to it would pile up. What a server sends is bounded.
 */
import { setMaxListeners } from 'node:events'
import { DepthScan } from './depth-scan.ts'

/** Of one message. */
const mostBytes = 4 * 1024 * 1024
/** Of the body of a refusal: it is read for its text alone. */
const mostBytesOfRefusal = 64 * 1024

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** Names a request between a transport and this `fetch`; it does not go out. */
export const requestIdHeader = 'x-dorkos-request-id'

export interface UpstreamFetch {
  fetch: Fetch
  /** Ends one request, by what its `requestIdHeader` said. */
  abortRequest(id: string): void
  /** Ends every request that is under way. */
  abort(): void
}

/** `onRefused` hears of each answer 401 or 403, with the method that was refused. `send` is what requests go out by. */
export function createUpstreamFetch(
  onRefused: (status: number, method: string) => void,
  send: Fetch = fetch,
): UpstreamFetch {
  const underWay = new Set<AbortController>()
  const named = new Map<string, AbortController>()
  const upstreamFetch: Fetch = async (url, init = {}) => {
    const controller = new AbortController()
    const headers = new Headers(init.headers)
    const id = headers.get(requestIdHeader)
    headers.delete(requestIdHeader)
    if (id !== null) named.set(id, controller)
    const given = init.signal ?? undefined
    const abort = () => controller.abort(given?.reason)
    if (given?.aborted) abort()
    if (given) setMaxListeners(0, given)
    given?.addEventListener('abort', abort)
    underWay.add(controller)
    const release = () => {
      given?.removeEventListener('abort', abort)
      underWay.delete(controller)
      if (id !== null && named.get(id) === controller) named.delete(id)
    }
    try {
      const response = await send(url, { ...init, headers, signal: controller.signal })
      if (response.status === 401 || response.status === 403) onRefused(response.status, init.method ?? 'GET')
      return boundedResponse(response, release)
    } catch (error) {
      release()
      throw error
    }
  }
  return {
    fetch: upstreamFetch,
    abortRequest(id) {
      named.get(id)?.abort()
    },
    abort() {
      for (const controller of underWay) controller.abort()
    },
  }
}

function boundedResponse(response: Response, release: () => void): Response {
  if (!response.body) {
    release()
    return response
  }
  const body = boundedBody(response.body, boundOf(response), release)
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}

/** Takes a chunk; says whether it may pass. */
type Bound = (chunk: Uint8Array) => 'pass' | 'end' | { fault: string }

function boundOf(response: Response): Bound {
  let bytes = 0
  if (!response.ok) {
    return (chunk) => {
      bytes += chunk.length
      return bytes > mostBytesOfRefusal ? 'end' : 'pass'
    }
  }
  const scan = new DepthScan()
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true
  return (chunk) => {
    // Within a stream each message counts for itself: it ends with an empty line.
    const end = isStream ? lastEmptyLine(chunk) : -1
    bytes = end === -1 ? bytes + chunk.length : chunk.length - end
    if (bytes > mostBytes) return { fault: `is longer than ${mostBytes / 1024 / 1024} MiB` }
    let isDeep = scan.push(end === -1 ? chunk : chunk.subarray(0, end))
    if (end !== -1) {
      scan.reset()
      isDeep ||= scan.push(chunk.subarray(end))
    }
    return isDeep ? { fault: 'is nested too deeply' } : 'pass'
  }
}

/** Where the last empty line of the chunk is, or -1. One that two chunks share is missed: the next is found. */
function lastEmptyLine(chunk: Uint8Array): number {
  for (let at = chunk.lastIndexOf(0x0a); at > 0; at = chunk.lastIndexOf(0x0a, at - 1)) {
    const before = chunk[at - 1] === 0x0d ? at - 2 : at - 1
    if (chunk[before] === 0x0a) return at
  }
  return -1
}

function boundedBody(
  body: ReadableStream<Uint8Array>,
  bound: Bound,
  release: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        const verdict = done ? 'end' : bound(value)
        if (verdict === 'pass' && value) return controller.enqueue(value)
        release()
        if (verdict === 'end') controller.close()
        else if (verdict !== 'pass') controller.error(new Error(`the message ${verdict.fault}`))
        if (!done) await reader.cancel()
      } catch (error) {
        release()
        controller.error(error)
      }
    },
    async cancel(reason) {
      release()
      await reader.cancel(reason)
    },
  })
}
