import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ModelHandler } from '@dorkos/scripted-model'
import { sendApiError } from './api-error.ts'
import type { GatewaySession } from './credentials.ts'
import { errorName } from './error-name.ts'
import { toUpstreamHeaders } from './forwarded-headers.ts'
import type { GatewayLogger, ModelUpstream } from './gateway-options.ts'
import {
  type CallOutcome,
  type GatewayObservation,
  readRateLimits,
  requestIdOf,
  type TokenUsage,
} from './observation.ts'
import { ProxyError } from './proxy-choice.ts'
import { relay } from './relay.ts'
import type { UpstreamClient } from './upstream-client.ts'

/** A request that has passed every check, on its way to a model. */
export interface ModelCall {
  session: GatewaySession
  path: string
  search: string
  model: string | undefined
  request: IncomingMessage
  response: ServerResponse
  body: Buffer | undefined
  /** Aborts when the client goes away, the session's credential is revoked, or the gateway closes. */
  signal: AbortSignal
}

interface CallResult {
  outcome: CallOutcome
  headers?: IncomingMessage['headers']
  usage?: TokenUsage | undefined
  model?: string | undefined
}

/** Answers a call by the demo model, in this process. */
export async function answerByDemo(call: ModelCall, demo: ModelHandler): Promise<GatewayObservation> {
  const startedAt = performance.now()
  const { request, response, body, signal } = call
  const stop = () => response.destroy()
  signal.addEventListener('abort', stop, { once: true })
  await demo(request, response, body)
  signal.removeEventListener('abort', stop)
  return observation(call, { outcome: signal.aborted ? 'aborted' : 'complete' }, startedAt)
}

/** Sends a call on with the real key, and its answer back. Neither the key nor the upstream's own errors reach a log. */
export async function answerByUpstream(
  call: ModelCall,
  upstream: Extract<ModelUpstream, { kind: 'anthropic' }>,
  client: UpstreamClient,
  logger: GatewayLogger,
): Promise<GatewayObservation> {
  const startedAt = performance.now()
  const { request, response, body, signal } = call
  let answer: IncomingMessage
  try {
    const url = upstreamUrl(upstream.baseUrl, call)
    const headers = toUpstreamHeaders(request.headers, await upstream.headers())
    answer = await client.ask({ method: request.method ?? 'POST', url, headers, body, signal })
  } catch (error) {
    return observation(call, { outcome: notReached(call, upstream, error, logger) }, startedAt)
  }
  const { end, usage, model } = await relay(answer, response, signal)
  return observation(call, { outcome: end, headers: answer.headers, usage, model }, startedAt)
}

function notReached(
  { session, path, response, signal }: ModelCall,
  { baseUrl }: { baseUrl: string },
  error: unknown,
  logger: GatewayLogger,
): CallOutcome {
  if (signal.aborted) {
    response.destroy()
    return 'aborted'
  }
  const code = errorName(error)
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : 'its address'
  const reason = error instanceof ProxyError ? error.message : code
  logger.warn({ sessionId: session.sessionId, path, host, code, reason }, 'the model cannot be reached')
  sendApiError(response, {
    status: 502,
    type: 'api_error',
    message: `DorkOS cannot reach the model at ${host} (${reason}). Check the network and the server's model settings.`,
    retry: true,
  })
  return 'unreachable'
}

/** The base can have a path of its own. What it has of a query or a fragment is left out. */
function upstreamUrl(baseUrl: string, { path, search }: ModelCall): URL {
  const base = new URL(baseUrl)
  if (base.protocol !== 'https:' && base.protocol !== 'http:') {
    throw Object.assign(new Error('Not an HTTP address'), { code: 'ERR_INVALID_PROTOCOL' })
  }
  base.pathname = base.pathname.replace(/\/+$/, '') + path
  base.search = search
  base.hash = ''
  return base
}

function observation(call: ModelCall, result: CallResult, startedAt: number): GatewayObservation {
  const { path, response } = call
  const headers = result.headers ?? {}
  return {
    path,
    model: result.model ?? call.model,
    status: response.headersSent ? response.statusCode : undefined,
    outcome: result.outcome,
    requestId: requestIdOf(headers),
    durationMs: Math.round(performance.now() - startedAt),
    rateLimits: readRateLimits(headers),
    usage: result.usage,
  }
}
