import type { IncomingMessage, ServerResponse } from 'node:http'
import { demoModel, modelHandler } from '@dorkos/scripted-model'
import { type ModelApiError, sendApiError } from './api-error.ts'
import type { GatewaySession } from './credentials.ts'
import { errorName } from './error-name.ts'
import type { GatewayLimits, ModelGatewayOptions } from './gateway-options.ts'
import { answerByDemo, answerByUpstream, type ModelCall } from './model-call.ts'
import type { GatewayObservation } from './observation.ts'
import { modelOf, readBody } from './request-body.ts'
import type { Route } from './routes.ts'
import { createUpstreamClient } from './upstream-client.ts'

/** A request of a session that is known. */
interface SessionRequest {
  request: IncomingMessage
  response: ServerResponse
  route: Exclude<Route, { kind: 'probe' }>
  session: GatewaySession
  signal: AbortSignal
}

export interface CallAnswerer {
  /** Rejects where the client goes away before it has sent all, or where one of the options fails. */
  answer(asked: SessionRequest): Promise<void>
  close(): void
}

/** Reads a request, asks whether it may be made, and has it answered by the model that is due. */
export function createCallAnswerer(options: ModelGatewayOptions, limits: GatewayLimits): CallAnswerer {
  const client = createUpstreamClient(limits, options.env)
  const script = demoModel()
  const demo = modelHandler(script, { side: script })

  const send = async (call: ModelCall): Promise<GatewayObservation | undefined> => {
    if (call.session.demo) return await answerByDemo(call, demo)
    const upstream = options.upstream()
    if (upstream.kind === 'anthropic') return await answerByUpstream(call, upstream, client, options.logger)
    sendApiError(call.response, NOT_A_DEMO)
    return undefined
  }

  return {
    async answer(asked) {
      const { request, response, route, session, signal } = asked
      const { path, search } = route
      const isCall = route.kind === 'call'
      const body = isCall ? await readCall(request, limits.bodyBytes) : undefined
      if (body !== undefined && !Buffer.isBuffer(body)) return sendApiError(response, body)
      const model = body && modelOf(body)
      const refusal = isCall ? await refusalOfBudget(options, session, { model, path }) : undefined
      if (refusal !== undefined) return sendApiError(response, refusal)
      try {
        if (signal.aborted) return void response.destroy()
        const seen = await send({ session, path, search, model, request, response, body, signal })
        if (isCall && seen !== undefined) report(options, session, seen)
      } finally {
        if (isCall) options.ended?.(session)
      }
    },
    close: client.close,
  }
}

/** A session with a real model is not gone on with by the demo model: its words would be in the transcript for good. */
const NOT_A_DEMO: ModelApiError = {
  status: 403,
  type: 'permission_error',
  message:
    'DorkOS has no key for a model any more, and the demo model does not go on with this session. Configure a key.',
}

async function readCall(request: IncomingMessage, mostBytes: number): Promise<Buffer | ModelApiError> {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    return { status: 415, type: 'invalid_request_error', message: 'Send the body without compression' }
  }
  const body = await readBody(request, mostBytes)
  if (body !== undefined) return body
  const message = `The request is larger than the ${mostBytes} bytes that the model gateway takes`
  return { status: 413, type: 'request_too_large', message, headers: { connection: 'close' } }
}

/**
 * Of all statuses this is the one that ends the turn after one call with our message as it is (CLI 2.1.325): 403 is shown as
 * a failed login, 400 and 404 are tried again, 413 starts a compaction.
 */
const OVER_BUDGET = { status: 402, type: 'budget_exceeded' } as const

async function refusalOfBudget(
  { admit, logger }: ModelGatewayOptions,
  session: GatewaySession,
  call: { model: string | undefined; path: string },
): Promise<ModelApiError | undefined> {
  try {
    const admission = await admit(session, call)
    if (admission.ok) return undefined
    logger.info({ sessionId: session.sessionId, ...call }, 'a model call was refused')
    return { ...OVER_BUDGET, message: admission.message }
  } catch (error) {
    // What cannot be checked is not allowed; the CLI may ask again.
    logger.error({ sessionId: session.sessionId, error: errorName(error) }, 'the budget cannot be checked')
    return { status: 500, type: 'api_error', message: 'DorkOS could not check the budget', retry: true }
  }
}

function report(
  { observe, logger }: ModelGatewayOptions,
  session: GatewaySession,
  seen: GatewayObservation,
): void {
  logger.debug({ sessionId: session.sessionId, ...seen }, 'model call')
  try {
    observe?.(session, seen)
  } catch (error) {
    logger.error({ sessionId: session.sessionId, error: errorName(error) }, 'an observer failed')
  }
}
