/**
 * The HTTP application: guard first, then the endpoint table and the pages, and an honest error for everything else, on
 * Node's own requests and responses.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { heartbeatMs } from '@dorkos/shared'
import type { Logger } from '../core/logger.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { EventLog } from '../core/ports/coordination.ts'
import type { PageFiles } from '../core/ports/page-files.ts'
import type { Services } from '../core/services.ts'
import { createFailureLimits, type FailureLimits } from './failure-limit.ts'
import { createEventFrames, type FollowDeps } from './follow-sessions.ts'
import { type OwnNames, pathOf, refusalOf } from './guard.ts'
import { ownOrigins } from './own-names.ts'
import { docsFiles } from './pages/docs-files.ts'
import { createWebPage, isOpenPage, type WebPage } from './pages/web-page.ts'
import type { Handlers } from './route.ts'
import { createRouter, refuse } from './router.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { authRoutes } from './routes/auth.ts'
import { changeRoutes } from './routes/changes.ts'
import { costRoutes } from './routes/costs.ts'
import { draftRoutes } from './routes/drafts.ts'
import { fileRoutes } from './routes/files.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { messageRoutes } from './routes/messages.ts'
import { profileRoutes } from './routes/profiles.ts'
import { serverRoutes } from './routes/server.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { workspaceRoutes } from './routes/workspaces.ts'
import { setSecurityHeaders } from './security-headers.ts'
import { createDrivingCheck } from './session-rights.ts'
import { createSourceOf } from './source-address.ts'
import { type MostStreams, Streams } from './streams.ts'

export interface AppOptions {
  events: EventLog
  clock: Clock
  logger: Logger
  version: string
  /** The built web page; without it, `/` says how to build it. */
  pageFiles?: PageFiles | undefined
  /** Every valid `Host` header; asked on each request, since the port is known only after listening. See `ownHosts`. */
  allowedHosts: () => readonly string[]
  publicOrigins?: readonly string[]
  /** Addresses or subnets whose `X-Forwarded-For` is believed. */
  trustedProxies?: readonly string[]
  /** The server speaks TLS itself. */
  tls?: boolean
  heartbeatMs?: number
  mostStreams: () => MostStreams
  /** What may wait for a client that reads slowly. */
  maxQueuedBytes?: number
  maxQueuedFrames?: number
  /** How long a replay waits for a client that does not read. */
  stallMs?: number
  /** Failed attempts per source and minute. */
  maxFailures?: number
  /** Check answers against the contract: for tests and development. */
  validateResponses?: boolean
}

export interface App {
  /** For `node:http` or `node:https`. */
  listener: RequestListener
  /** How many event streams are open. */
  readonly openStreams: number
  /** Ends all event streams, and sends their clients a delay to reconnect after. New ones are refused from then on. */
  closeStreams(): void
}

export function createApp(services: Services, options: AppOptions): App {
  const { logger, clock, events } = options
  const failures = createFailureLimits(clock, options.maxFailures)
  const streams = createStreams(services, options)
  const frames = createEventFrames(events.id)
  const follow = { hub: services.hub, events, sessions: services.sessions, streams, frames }
  const page = createWebPage(options.pageFiles)
  const router = createRouter({
    handlers: createHandlers(services, follow, failures),
    docs: docsFiles(options.version),
    page,
    sourceOf: createSourceOf(options.trustedProxies ?? []),
    logger,
    deps: { auth: services.auth, failures, validateResponses: options.validateResponses ?? false },
  })
  const ownNames = createOwnNames(options, page)
  return {
    get openStreams() {
      return streams.size
    },
    closeStreams: () => streams.close(),
    listener(request, response) {
      setSecurityHeaders(response)
      logWhenDone(request, response, options)
      const refusal = refusalOf(request, ownNames())
      if (refusal) return refuse(request, response, refusal, logger)
      void router(request, response)
    },
  }
}

/** The handler of every endpoint in the table. One that is missing, or of the wrong shape, does not compile. */
function createHandlers(services: Services, follow: FollowDeps, failures: FailureLimits): Handlers {
  const checkDriving = createDrivingCheck(services.sessions, services.config)
  return {
    ...serverRoutes(services.status, services.config),
    ...authRoutes(services.auth, failures),
    ...workspaceRoutes(services.workspaces, services.hooks, services.commands),
    ...profileRoutes(services.profiles),
    ...fileRoutes(services.files, services.sessions),
    ...changeRoutes(services.changes, services.sessions),
    ...sessionRoutes(services.sessions, services.config, checkDriving),
    ...messageRoutes(services.sessions, follow, checkDriving),
    ...draftRoutes(services.drafts),
    ...approvalRoutes(services.approvals, services.rules, services.audit),
    ...costRoutes(services.costs),
    ...mcpRoutes(services.mcp),
  }
}

function createStreams(services: Services, options: AppOptions): Streams {
  return new Streams(services.auth, {
    clock: options.clock,
    logger: options.logger,
    heartbeatMs: options.heartbeatMs ?? heartbeatMs,
    most: options.mostStreams,
    limits: {
      maxBytes: options.maxQueuedBytes ?? 1024 * 1024,
      maxFrames: options.maxQueuedFrames ?? 1000,
      stallMs: options.stallMs ?? 30_000,
    },
  })
}

/** The origins are worked out again only when the hosts are others. */
function createOwnNames(
  { allowedHosts, tls = false, publicOrigins = [] }: AppOptions,
  { isFrameScript }: WebPage,
): () => OwnNames {
  let known = ''
  let origins: readonly string[] = []
  return () => {
    const hosts = allowedHosts()
    const names = hosts.join(' ')
    if (names !== known) origins = ownOrigins(hosts, tls, publicOrigins)
    known = names
    return { hosts, origins, isOpenPage, isFrameScript }
  }
}

/** The path only: a query or a header could hold what must not be in a log. */
function logWhenDone(
  request: IncomingMessage,
  response: ServerResponse,
  { logger, clock }: Pick<AppOptions, 'logger' | 'clock'>,
): void {
  const start = clock.monotonic()
  response.once('close', () => {
    const path = pathOf(request).slice(0, 200)
    const ms = Math.round(clock.monotonic() - start)
    logger.debug({ method: request.method, path, status: response.statusCode, ms }, 'request')
  })
}
