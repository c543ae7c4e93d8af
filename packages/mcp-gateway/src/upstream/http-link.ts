/** A server behind streamable HTTP, or behind the older HTTP with server-sent events. */
import type { JSONRPCMessage, StreamableHTTPClientTransport, Transport } from '@modelcontextprotocol/client'
import type { HttpLaunch } from '../server-entry.ts'
import { createBearerFetch } from './bearer-fetch.ts'
import type { UpstreamCredentials } from './credentials.ts'
import type { Link } from './link.ts'
import { plainLine } from './plain-text.ts'
import { refusalError, UpstreamError } from './upstream-error.ts'
import { createUpstreamFetch, requestIdHeader, type UpstreamFetch } from './upstream-fetch.ts'

/** For the server to be notified that its session is over. */
const farewellMs = 1000

type Id = string | number

export interface HttpLinkOptions {
  /** Of a sign-in. Where the launch brings an Authorization header of its own, that is sent instead. */
  credentials: UpstreamCredentials | undefined
  onSuspect(): void
}

export async function openHttpLink(launch: HttpLaunch, options: HttpLinkOptions): Promise<Link> {
  const { credentials, onSuspect } = options
  const url = checkedUrl(launch.url)
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  let failure: UpstreamError | undefined
  let isClosed = false
  const fail = (error: UpstreamError) => {
    if (isClosed || failure) return
    failure = error
    void close()
  }
  // Servers without a stream of notifications may refuse a GET however they like.
  const isDecisive = (method: string) => method !== 'GET' || launch.type !== 'http'
  const onRefused = (status: number, method: string) => {
    if (isDecisive(method)) fail(refusalError(status, credentials !== undefined))
  }
  const onRenewFault = (error: unknown) => {
    const why = error instanceof Error ? plainLine(error.message, 300) : 'for a reason that it did not give'
    fail(new UpstreamError('other', `answered HTTP 401, and the sign-in could not be renewed: ${why}`))
  }
  const upstreamFetch = createUpstreamFetch(
    onRefused,
    credentials && createBearerFetch({ origin: url.origin, credentials, isDecisive, onRenewFault }),
  )
  const transportOptions = {
    fetch: upstreamFetch.fetch,
    requestInit: { headers: { ...launch.headers } },
    redirectPolicy: 'same-origin' as const,
  }
  const transport =
    launch.type === 'http'
      ? new StreamableHTTPClientTransport(url, transportOptions)
      : new SSEClientTransport(url, transportOptions)
  const isHttp = transport instanceof StreamableHTTPClientTransport
  const close = async () => {
    if (isClosed) return
    isClosed = true
    if (isHttp && !failure) await endSession(transport)
    await transport.close().catch(() => {})
    upstreamFetch.abort()
  }
  transport.onerror = (error) => {
    const judged = isHttp ? judgeHttp(error, transport.sessionId) : judgeStream(error)
    if (judged) fail(judged)
    else if (isHttp && error.message.startsWith('Maximum reconnection attempts')) onSuspect()
  }
  if (isHttp) followRequests(transport, upstreamFetch, onSuspect)
  return { transport, pid: () => undefined, failure: () => failure, close }
}

function checkedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new UpstreamError('missing', 'the url must begin with http:// or https://')
  }
  if (url.username !== '' || url.password !== '') {
    throw new UpstreamError('missing', 'credentials belong in the headers, not in the url')
  }
  return url
}

/**
 * Each request is answered by a stream of its own. When that ends without an answer, the caller is notified at once;
 * when the caller gives up, the stream is closed, since few servers end the stream of a cancelled request.
 */
function followRequests(transport: Transport, upstreamFetch: UpstreamFetch, onSuspect: () => void): void {
  const open = new Set<Id>()
  const send = transport.send.bind(transport)
  transport.onmessage = (message: JSONRPCMessage) => {
    if (!('method' in message) && message.id !== undefined) open.delete(message.id)
  }
  transport.send = async (message, options) => {
    const id = 'method' in message && 'id' in message ? message.id : undefined
    if (id === undefined || options?.onRequestStreamEnd) {
      await send(message, options)
      const cancelled = cancelledId(message)
      if (cancelled !== undefined && open.delete(cancelled)) upstreamFetch.abortRequest(String(cancelled))
      return
    }
    open.add(id)
    const onRequestStreamEnd = () => {
      if (!open.delete(id)) return
      const error = { code: -32000, message: 'the server ended the connection during the call' }
      transport.onmessage?.({ jsonrpc: '2.0', id, error })
      onSuspect()
    }
    const headers = { ...options?.headers, [requestIdHeader]: String(id) }
    try {
      await send(message, { ...options, headers, onRequestStreamEnd })
    } catch (error) {
      open.delete(id)
      throw error
    }
  }
}

function cancelledId(message: JSONRPCMessage): Id | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined
  const id: unknown = message.params?.requestId
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

function judgeHttp(error: Error, sessionId: string | undefined): UpstreamError | undefined {
  if (error instanceof TypeError) return new UpstreamError('other', `cannot be reached (${codeOf(error)})`)
  // The server has restarted, or has let the session go: a new one is needed.
  if (sessionId !== undefined && (error as { status?: unknown }).status === 404) {
    return new UpstreamError('other', 'has ended the session')
  }
  return undefined
}

/** The stream is the session: what opens it again would get another one, which does not know us. */
function judgeStream(error: Error): UpstreamError | undefined {
  if (error instanceof TypeError) return new UpstreamError('other', `cannot be reached (${codeOf(error)})`)
  if (error.name !== 'SseError' && !error.message.startsWith('SSE error')) return undefined
  const { code } = error as { code?: unknown }
  if (typeof code === 'number') return new UpstreamError('other', `answered HTTP ${code}`)
  return new UpstreamError('other', 'has ended the stream of events, or cannot be reached')
}

function codeOf(error: Error): string {
  const { code } = (error.cause ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : 'the request failed'
}

async function endSession(transport: StreamableHTTPClientTransport): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, farewellMs)
  })
  await Promise.race([transport.terminateSession().catch(() => {}), timeout])
  clearTimeout(timer)
}
