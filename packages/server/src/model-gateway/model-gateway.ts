import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, ListenOptions } from 'node:net'
import { everyHeader } from '../http/request-headers.ts'
import { createOpenCalls } from './abortable-calls.ts'
import { createCallAnswerer } from './answer-call.ts'
import { sendApiError } from './api-error.ts'
import { createCredentials, type GatewaySession } from './credentials.ts'
import { errorName } from './error-name.ts'
import { createFailureLimit } from './failure-limit.ts'
import { defaultLimits, type GatewayLimits, type ModelGatewayOptions } from './gateway-options.ts'
import { requestRefusal, routeOf } from './routes.ts'

export interface ModelGateway {
  /** For the CLI's `ANTHROPIC_BASE_URL`. */
  readonly url: string
  readonly port: number
  /** A credential for the CLI of this session. It takes the place of the one that the session had. */
  issue(session: GatewaySession): string
  /**
   * A socket for the CLI of this session, in a folder that nobody else can enter. Whoever calls by it is that session: a credential
   * is not needed, and is not checked. It takes the place of what the session had.
   */
  listenFor(session: GatewaySession, path: string): Promise<void>
  /** From now on the session's credential is wrong, its socket closed, and its open calls are cut. */
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

  const handle = async (request: IncomingMessage, response: ServerResponse, known?: GatewaySession) => {
    const refusal = requestRefusal(request, host)
    if (refusal !== undefined) return sendApiError(response, refusal)
    const route = routeOf(request)
    if (route === undefined) return sendApiError(response, NOT_FOUND)
    if (route.kind === 'probe') return void response.writeHead(200).end()
    const session = known ?? credentials.sessionOf(request.headers)
    if (session === undefined) return refuseCredential(response)
    const call = calls.open(session.sessionId)
    response.once('close', () => {
      calls.forget(session.sessionId, call)
      if (!response.writableFinished) call.abort()
    })
    await answerer.answer({ request, response, route, session, signal: call.signal })
  }

  const listen = async (where: ListenOptions, known?: GatewaySession): Promise<Server> => {
    const server = createServer(serverSettings(limits), (request, response) => {
      handle(request, response, known).catch((error: unknown) => {
        const clientIsThere = request.complete && !response.destroyed
        if (clientIsThere) options.logger.error({ error: errorName(error) }, 'the model gateway failed')
        sendApiError(response, FAILED)
      })
    })
    server.keepAliveTimeout = KEEP_ALIVE_MS
    server.maxHeadersCount = everyHeader
    server.listen(where)
    await once(server, 'listening')
    return server
  }

  const sockets = new Map<string, Server>()
  const takeBack = async (sessionId: string) => {
    const socket = sockets.get(sessionId)
    sockets.delete(sessionId)
    credentials.revoke(sessionId)
    calls.cut(sessionId)
    if (socket) await closeServer(socket)
  }

  const server = await listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.address() as AddressInfo
  host = `127.0.0.1:${port}`
  return {
    url: `http://${host}`,
    port,
    issue(session) {
      void takeBack(session.sessionId)
      return credentials.issue(session)
    },
    async listenFor(session, path) {
      await takeBack(session.sessionId)
      sockets.set(session.sessionId, await listen({ path }, { ...session }))
    },
    revoke: (sessionId) => void takeBack(sessionId),
    async close() {
      calls.cutAll()
      await Promise.all([server, ...sockets.values()].map(closeServer))
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

const FAILED = { status: 500, type: 'api_error', message: 'The model gateway failed', retry: true } as const

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
