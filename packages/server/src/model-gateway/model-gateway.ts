import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCallAnswerer } from './answer-call.ts'
import { sendApiError } from './api-error.ts'
import { createCredentials, type GatewaySession } from './credentials.ts'
import { errorName } from './error-name.ts'
import { createFailureLimit } from './failure-limit.ts'
import { defaultLimits, type GatewayLimits, type ModelGatewayOptions } from './gateway-options.ts'
import { createOpenCalls } from './open-calls.ts'
import { refusalOf, routeOf } from './routes.ts'

export interface ModelGateway {
  /** For the CLI's `ANTHROPIC_BASE_URL`. */
  readonly url: string
  /** A credential for the CLI of this session. It takes the place of the one that the session had. */
  issue(session: GatewaySession): string
  /** From now on the session's credential is wrong, and its open calls are cut. */
  revoke(sessionId: string): void
  /** Stops listening and cuts what is open. Safe to call twice. */
  close(): Promise<void>
}

/**
 * The loopback endpoint through which live sessions reach the model. It knows who calls by a credential of the session's
 * own, asks whether the call may be made, adds the real key, and passes the answer on as it comes.
 */
export async function startModelGateway(options: ModelGatewayOptions): Promise<ModelGateway> {
  const limits = { ...defaultLimits, ...options.limits }
  const credentials = createCredentials()
  const answerer = createCallAnswerer(options, limits)
  const calls = createOpenCalls()
  const refuseCredential = createCredentialRefusal(options, limits)
  let host = ''

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const refusal = refusalOf(request, host)
    if (refusal !== undefined) return sendApiError(response, refusal)
    const route = routeOf(request)
    if (route === undefined) return sendApiError(response, NOT_FOUND)
    if (route.kind === 'probe') return void response.writeHead(200).end()
    const session = credentials.sessionOf(request.headers)
    if (session === undefined) return refuseCredential(response)
    const call = calls.open(session.sessionId)
    response.once('close', () => {
      calls.forget(session.sessionId, call)
      if (!response.writableFinished) call.abort()
    })
    await answerer.answer({ request, response, route, session, signal: call.signal })
  }

  const server = createServer(serverSettings(limits), (request, response) => {
    handle(request, response).catch((error: unknown) => {
      const clientIsThere = request.complete && !response.destroyed
      if (clientIsThere) options.logger.error({ error: errorName(error) }, 'the model gateway failed')
      sendApiError(response, {
        status: 500,
        type: 'api_error',
        message: 'The model gateway failed',
        retry: true,
      })
    })
  })
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    issue(session) {
      calls.cut(session.sessionId)
      return credentials.issue(session)
    },
    revoke(sessionId) {
      credentials.revoke(sessionId)
      calls.cut(sessionId)
    },
    async close() {
      calls.cutAll()
      await closeServer(server)
      answerer.close()
    },
  }
}

const KEEP_ALIVE_MS = 120_000
const HEADER_BYTES = 32 * 1024

function serverSettings({ headersMs, requestMs }: GatewayLimits) {
  return {
    maxHeaderSize: HEADER_BYTES,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(headersMs, 5_000),
  }
}

const NOT_FOUND = {
  status: 404,
  type: 'not_found_error',
  message: 'The model gateway serves nothing here',
} as const

/** Says that a credential is wrong, until there were too many such: then only that there were. */
function createCredentialRefusal({ logger }: ModelGatewayOptions, limits: GatewayLimits) {
  const failures = createFailureLimit(limits.failures, limits.failureWindowMs, () => performance.now())
  return (response: ServerResponse): void => {
    if (!failures.allow()) {
      return sendApiError(response, {
        status: 429,
        type: 'rate_limit_error',
        message: 'Too many calls with a wrong credential',
        headers: { connection: 'close' },
      })
    }
    logger.warn({}, 'a model call came with a wrong credential')
    sendApiError(response, {
      status: 401,
      type: 'authentication_error',
      message: 'This is not the credential of a live DorkOS session',
    })
  }
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
