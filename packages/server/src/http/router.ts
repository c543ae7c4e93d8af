/** Paths to handlers and pages, found by Hono's router. Whatever goes wrong on the way is answered here, in the one shape of errors. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Endpoint, endpoints, pagePaths, say } from '@dorkos/shared'
import type { Params } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'
import { AppError } from '../core/app-error.ts'
import type { Logger } from '../core/logger.ts'
import { discardBody } from './body.ts'
import { pathOf } from './guard.ts'
import { type SentFile, sendFile } from './pages/send-file.ts'
import type { WebPage } from './pages/web-page.ts'
import { sendProblem } from './problem.ts'
import { type Handlers, type RouteDeps, type RouteInput, runRoute } from './route.ts'
import type { SourceOf } from './source-address.ts'

export interface RouterOptions {
  handlers: Handlers
  /** By path. */
  docs: ReadonlyMap<string, SentFile>
  page: WebPage
  sourceOf: SourceOf
  logger: Logger
  deps: RouteDeps
}

type Work = (
  request: IncomingMessage,
  response: ServerResponse,
  params: Record<string, string>,
) => Promise<void> | void

/** Never throws: what goes wrong is answered. */
export type Router = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export function createRouter({ handlers, docs, page, sourceOf, logger, deps }: RouterOptions): Router {
  const routes = new TrieRouter<Work>()
  const methods = new Map<string, string[]>()
  for (const [name, endpoint] of Object.entries(endpoints as Record<string, Endpoint>)) {
    const handler = handlers[name as keyof Handlers] as unknown as (input: RouteInput<never>) => unknown
    methods.set(endpoint.path, [...(methods.get(endpoint.path) ?? []), endpoint.method])
    routes.add(endpoint.method, endpoint.path, (request, response, params) => {
      // HEAD comes to the route of GET: fine for a document, senseless for a stream.
      if (request.method !== endpoint.method && endpoint.stream) throw methodNotAllowed([endpoint.method])
      return runRoute(endpoint, handler, { request, response, from: sourceOf(request), params }, deps)
    })
  }
  const documents = [...docs, ...pagePaths.map((path) => [path, page.document] as const)]
  for (const [path, file] of documents) {
    methods.set(path, ['GET'])
    routes.add('GET', path, (request, response) => sendFile(request, response, file))
  }
  for (const [path, allowed] of methods)
    routes.add('ALL', path, () => {
      throw methodNotAllowed(allowed)
    })
  return async (request, response) => {
    try {
      const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '')
      const [[first]] = routes.match(method, pathOf(request)) as [[Work, Params][]]
      if (!first) return await sendRest(request, response, page)
      const [work, params] = first
      await work(request, response, decodedAll(params))
    } catch (error) {
      refuse(request, response, error, logger)
    }
  }
}

function decodedAll(params: Params): Params {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decoded(value)]))
}

/** Once. As it was sent where that is not decodable: it is then refused by whoever reads it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Files of the page; for a person at any other address, the page that says that there is nothing. */
function sendRest(request: IncomingMessage, response: ServerResponse, page: WebPage): Promise<void> {
  const path = pathOf(request)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const file = page.file(path)
  if (file && !isRead) throw methodNotAllowed(['GET'])
  if (file) return sendFile(request, response, file)
  if (isRead && isForPerson(request) && !/^\/api(\/|$)/.test(path))
    return sendFile(request, response, page.missing)
  throw new AppError('not_found', say('path_unknown'))
}

function isForPerson({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-dest'] === 'document' || /\btext\/html\b/.test(headers.accept ?? '')
}

/** Answers with the error. If the answer has begun already, all that is left is to break it off. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  logger: Logger,
): void {
  if (response.headersSent) {
    if (!response.destroyed) logger.warn({ error }, 'an answer broke off')
    response.destroy()
    return
  }
  sendProblem(response, error, logger)
  discardBody(request)
}

function methodNotAllowed(allowed: string[]): AppError {
  return new AppError('method_not_allowed', say('method_not_taken', { allowed }), {
    details: { allow: allowed },
  })
}
