/**
 * One request of the endpoint table, from the checked connection to the answer: who calls, with which right, with what input.
 * Handlers see validated values only.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Endpoint,
  type EndpointName,
  type EndpointResponse,
  type endpoints,
  type ParsedBody,
  type ParsedParams,
  type ParsedQuery,
  type Scope,
  say,
} from '@dorkos/shared'
import type { z } from 'zod'
import type { Actor } from '../core/actor.ts'
import { AppError } from '../core/app-error.ts'
import type { AuthService } from '../core/services.ts'
import { checkContentType, checkLength, readJsonBody } from './body.ts'
import type { FailureLimits } from './failure-limit.ts'
import { invalidRequest } from './problem.ts'
import { sendJson } from './send-json.ts'

type ActorOf<N extends EndpointName> = (typeof endpoints)[N]['scope'] extends 'public' ? undefined : Actor

export interface RouteInput<N extends EndpointName> {
  actor: ActorOf<N>
  /** The address that the request came from. */
  from: string
  params: ParsedParams<N>
  query: ParsedQuery<N>
  body: ParsedBody<N>
  idempotencyKey: string | undefined
  /** By name in lower case. */
  header(name: string): string | undefined
}

/** An answer that a handler writes itself: a stream or a file. What it throws before the head is sent becomes a problem. */
export class RawReply {
  readonly write: (response: ServerResponse, request: IncomingMessage) => Promise<void>

  constructor(write: RawReply['write']) {
    this.write = write
  }
}

type Result<N extends EndpointName> = (typeof endpoints)[N] extends
  | { stream: 'always' }
  | { file: readonly string[] }
  ? RawReply
  : (typeof endpoints)[N] extends { stream: 'accept' }
    ? EndpointResponse<N> | RawReply
    : EndpointResponse<N>

type Handler<N extends EndpointName> = (
  input: RouteInput<N>,
) => EndpointResponse<N> extends undefined ? Promise<void> : Result<N> | Promise<Result<N>>

/** One handler for every endpoint: a missing one does not compile. */
export type Handlers = { [N in EndpointName]: Handler<N> }

export interface RouteDeps {
  auth: AuthService
  failures: FailureLimits
  /** Checks answers against the contract too: for tests and development. */
  validateResponses: boolean
}

export interface RouteRequest {
  request: IncomingMessage
  response: ServerResponse
  from: string
  /** From the path, as they were sent. */
  params: Record<string, string>
}

const standardBodyLimit = 1024 * 1024

export async function runRoute(
  endpoint: Endpoint,
  handler: (input: RouteInput<never>) => unknown,
  { request, response, from, params }: RouteRequest,
  deps: RouteDeps,
): Promise<void> {
  const actor = endpoint.scope === 'public' ? undefined : await authenticate(request, from, deps)
  if (actor && endpoint.scope !== 'public') requireScope(actor, endpoint.scope)
  const input = await readInput(endpoint, request, params)
  const result = await handler({
    ...input,
    actor,
    from,
    header: (name: string) => headerOf(request, name),
  } as unknown as RouteInput<never>)
  if (result instanceof RawReply) return result.write(response, request)
  if (!endpoint.response) return sendJson(response, 204, undefined)
  const value = deps.validateResponses ? endpoint.response.parse(result) : result
  sendJson(response, endpoint.status ?? 200, value)
}

/** Who acts, by the bearer header: the only place where a token is taken from. */
async function authenticate(request: IncomingMessage, from: string, deps: RouteDeps): Promise<Actor> {
  const { authorization } = request.headers
  if (authorization === undefined) {
    throw new AppError('unauthenticated', say('token_missing'))
  }
  const secret = /^Bearer +([!-~]{1,200})$/i.exec(authorization)?.[1]
  const actor =
    secret === undefined ? undefined : await deps.auth.authenticate(secret, from, agentOf(request))
  if (actor) return actor
  const wait = deps.failures.long.fail(from)
  if (wait !== undefined) throw tooManyFailures(wait)
  throw new AppError('unauthenticated', say('token_refused'))
}

/** What the calling program says it is, as far as it can be shown. */
function agentOf({ headers }: IncomingMessage): string | undefined {
  const said = headers['user-agent']?.replace(/[^ -~]+/g, ' ').trim()
  return said ? said.slice(0, 300) : undefined
}

export function tooManyFailures(waitSeconds: number): AppError {
  return new AppError('rate_limited', say('too_many_failures', { seconds: waitSeconds }), {
    details: { retry_after: waitSeconds },
  })
}

export function requireScope(actor: Actor, scope: Scope, saying = say('scope_needed', { scope })): void {
  if (actor.scopes.includes(scope)) return
  throw new AppError('forbidden', saying, {
    details: { needs: scope, has: actor.scopes },
  })
}

interface Issue {
  path: PropertyKey[]
  message: string
}

async function readInput(endpoint: Endpoint, request: IncomingMessage, rawParams: Record<string, string>) {
  const limit = endpoint.body ? (endpoint.bodyLimit ?? standardBodyLimit) : 0
  checkLength(request, limit)
  if (endpoint.body) checkContentType(request)
  const issues: Issue[] = []
  const params = parsePart(endpoint.params, 'params', () => rawParams, issues)
  const query = parsePart(endpoint.query, 'query', () => queryOf(request, issues), issues)
  const idempotencyKey = endpoint.idempotent ? idempotencyKeyOf(request, issues) : undefined
  // A request that is refused anyway does not get to send its body.
  if (issues.length > 0 && limit > standardBodyLimit) throw invalidRequest(issues)
  const raw = endpoint.body ? await readJsonBody(request, limit) : undefined
  const body = parsePart(endpoint.body, 'body', () => raw, issues)
  if (issues.length > 0) throw invalidRequest(issues)
  return { params, query, body, idempotencyKey }
}

function parsePart(
  schema: z.ZodType | undefined,
  part: string,
  read: () => unknown,
  issues: Issue[],
): unknown {
  if (!schema) return undefined
  const parsed = schema.safeParse(read())
  if (parsed.success) return parsed.data
  issues.push(...parsed.error.issues.map(({ path, message }) => ({ path: [part, ...path], message })))
  return undefined
}

function queryOf(request: IncomingMessage, issues: Issue[]): Record<string, string> {
  const { url = '' } = request
  const start = url.indexOf('?')
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(start === -1 ? '' : url.slice(start + 1))) {
    if (name in query) issues.push({ path: ['query', name], message: 'given twice' })
    query[name] = value
  }
  return { ...query }
}

function idempotencyKeyOf(request: IncomingMessage, issues: Issue[]): string | undefined {
  const key = headerOf(request, 'idempotency-key')
  if (key !== undefined && !/^[!-~]{1,200}$/.test(key)) {
    issues.push({ path: ['headers', 'idempotency-key'], message: 'must be 1 to 200 printable characters' })
  }
  return key
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
