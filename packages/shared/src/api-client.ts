/**
 * The typed client of the API, made from the endpoint table: one method per endpoint, files as the `Response` that brings them,
 * and the streams as async iterables that reconnect by themselves. For browsers and Node.
 */
import type { z } from 'zod'
import { ApiError, errorOfResponse, NetworkError } from './api-client-error.ts'
import {
  type Endpoint,
  type EndpointBody,
  type EndpointName,
  type EndpointParams,
  type EndpointQuery,
  type EndpointResponse,
  endpoints,
} from './endpoints.ts'
import type { StreamFrame } from './event.ts'
import type { MessageFrame } from './event-stream.ts'
import { type FollowOptions, follow } from './follow.ts'
import { readMessageStream } from './follow-message.ts'
import { StreamCursor } from './stream-cursor.ts'

export interface ApiClientOptions {
  /** Such as `http://127.0.0.1:4242`; in a page its own origin, or nothing. */
  baseUrl?: string
  /** Asked before each request, so that a token can change. */
  token?: string | (() => string | undefined) | undefined
  fetch?: typeof fetch
}

/** What a call of an endpoint takes: only what the endpoint has, and all of it that is required. */
export type CallOptions<N extends EndpointName> = Part<'params', EndpointParams<N>> &
  Part<'query', EndpointQuery<N>> &
  Part<'body', EndpointBody<N>> & {
    signal?: AbortSignal
    /** Sent although the page is being left; for small bodies. */
    keepalive?: boolean
  } & ((typeof endpoints)[N] extends {
    idempotent: true
  }
    ? { idempotencyKey?: string }
    : object)

/** An object without anything in it: fits where nothing is required. */
type Nothing = Record<never, never>

type Part<K extends string, T> = [T] extends [undefined]
  ? object
  : Nothing extends T
    ? { [P in K]?: T }
    : { [P in K]: T }

type CallArguments<N extends EndpointName> =
  Nothing extends CallOptions<N> ? [options?: CallOptions<N>] : [options: CallOptions<N>]

type StreamEndpoint = 'followSession' | 'followAll'

type Calls = {
  [N in Exclude<EndpointName, StreamEndpoint>]: (
    ...args: CallArguments<N>
  ) => Promise<EndpointResponse<N> extends undefined ? void : EndpointResponse<N>>
}

export interface FollowSessionOptions extends FollowOptions {
  /** The id of the last event that the caller has. Absent: begins with a snapshot. */
  lastEventId?: string
}

export interface FollowAllOptions extends FollowOptions {
  /** At most `maxSessionsPerStream`. */
  sessions: readonly string[]
  /** How far the caller has come; sessions that are not in it begin with a snapshot. It is not changed: note every frame in it. */
  cursor?: StreamCursor
}

export interface ApiClient extends Calls {
  /** One session: a snapshot or what was missed, then live. Throws `ApiError` where another try would not help. */
  followSession(id: string, options?: FollowSessionOptions): AsyncIterable<StreamFrame>
  /** Several sessions and the server's own topic on one connection. */
  followAll(options: FollowAllOptions): AsyncIterable<StreamFrame>
  /** Sends a message and streams its turn. Ends with the turn; when the connection breaks, throws `NetworkError`. */
  streamMessage(options: CallOptions<'sendMessage'>): AsyncIterable<MessageFrame>
}

interface Call {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  idempotencyKey?: string
  signal?: AbortSignal
  keepalive?: boolean
}

export function createApiClient(options: ApiClientOptions = {}): ApiClient {
  const request = requester(options)
  const calls = Object.fromEntries(
    Object.entries(endpoints as Record<string, Endpoint>)
      .filter(([, endpoint]) => endpoint.stream !== 'always')
      .map(([name, endpoint]) => [name, (call: Call = {}) => callEndpoint(request, endpoint, call)]),
  ) as unknown as Calls
  return {
    ...calls,
    followSession: (id, options = {}) => followSession(request, id, options),
    followAll: (all) => followAll(request, all),
    streamMessage: (call) =>
      readMessageStream(
        () => request(endpoints.sendMessage, call as Call, { accept: 'text/event-stream' }),
        call.signal,
      ),
  }
}

type Request = (endpoint: Endpoint, call: Call, headers?: Record<string, string>) => Promise<Response>

function followSession(
  request: Request,
  id: string,
  { lastEventId, ...rest }: FollowSessionOptions,
): AsyncIterable<StreamFrame> {
  let last = lastEventId
  return follow(
    {
      open: (signal) => request(endpoints.followSession, { params: { id }, signal }, streamHeaders(last)),
      onFrame: (frame) => {
        last = frame.cursor ?? last
      },
    },
    rest,
  )
}

function followAll(
  request: Request,
  { sessions, cursor, ...rest }: FollowAllOptions,
): AsyncIterable<StreamFrame> {
  const reached = new StreamCursor(cursor)
  const query = { sessions: sessions.join(',') }
  return follow(
    {
      open: (signal) =>
        request(endpoints.followAll, { query, signal }, streamHeaders(reached.lastEventId(sessions))),
      onFrame: (frame) => reached.note(frame),
    },
    rest,
  )
}

function streamHeaders(lastEventId: string | undefined): Record<string, string> {
  return {
    accept: 'text/event-stream',
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  }
}

function requester(options: ApiClientOptions): Request {
  const base = (options.baseUrl ?? '').replace(/\/+$/, '')
  const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args))
  return async (endpoint, call, headers = {}) => {
    const token = typeof options.token === 'function' ? options.token() : options.token
    try {
      return await send(`${base}${pathOf(endpoint.path, call.params)}${queryOf(call.query)}`, {
        method: endpoint.method,
        headers: {
          accept: 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(endpoint.body ? { 'content-type': 'application/json' } : {}),
          ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
          ...headers,
        },
        ...(endpoint.body ? { body: JSON.stringify(call.body ?? {}) } : {}),
        ...(call.signal ? { signal: call.signal } : {}),
        ...(call.keepalive ? { keepalive: true } : {}),
        credentials: 'omit',
        redirect: 'error',
      })
    } catch (error) {
      if (call.signal?.aborted) throw call.signal.reason
      throw new NetworkError(`No answer from ${base || 'the server'}.`, { cause: error })
    }
  }
}

async function callEndpoint(request: Request, endpoint: Endpoint, call: Call): Promise<unknown> {
  const response = await request(endpoint, call)
  if (!response.ok) throw await errorOfResponse(response)
  if (!endpoint.response || response.status === 204) return undefined
  if (endpoint.file) return response
  const value = await jsonOf(response)
  return checked(endpoint.response, value, response.status)
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    throw new NetworkError('The answer broke off.', { cause: error })
  }
}

/** Fields that this version does not know are left out; a shape that does not fit is an error, not a surprise later. */
function checked(schema: z.ZodType, value: unknown, status: number): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new ApiError(
    'internal',
    status,
    'The answer does not fit the contract; client and server may be of different versions.',
    { details: parsed.error.issues },
  )
}

function pathOf(path: string, params: Record<string, string> = {}): string {
  return path.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''))
}

function queryOf(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return search.size === 0 ? '' : `?${search}`
}
