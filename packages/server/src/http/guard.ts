/**
 * What every request passes first, whatever its path: it must be meant for this server, and must not come from a page of
 * someone else's. A web page can make a browser send requests to loopback; these checks are what it meets.
 */

import type { IncomingMessage } from 'node:http'
import { say } from '@dorkos/shared'
import { AppError } from '../core/app-error.ts'
import { headersFault, headerValues, sayHeadersFault } from './request-headers.ts'

export interface OwnNames {
  hosts: readonly string[]
  origins: readonly string[]
  /** Whether a link on another site may open the page at this path. */
  isOpenPage(path: string): boolean
  /** Whether a frame of no origin may load the script at this path. */
  isFrameScript(path: string): boolean
}

/** The reason to refuse the request; undefined when it may go on. */
export function refusalOf(request: IncomingMessage, own: OwnNames): AppError | undefined {
  return (
    headersRefusal(request) ??
    hostRefusal(request, own) ??
    targetRefusal(request) ??
    originRefusal(request, own)
  )
}

function headersRefusal({ rawHeaders }: IncomingMessage): AppError | undefined {
  const fault = headersFault(rawHeaders)
  if (fault === undefined) return undefined
  return new AppError(fault === 'too_many' ? 'too_many_headers' : 'invalid_request', sayHeadersFault(fault))
}

function hostRefusal(request: IncomingMessage, { hosts }: OwnNames): AppError | undefined {
  const sent = headerValues(request.rawHeaders, 'host')
  const [host] = sent
  if (sent.length === 1 && host !== undefined && hosts.includes(host.toLowerCase())) return undefined
  return new AppError('wrong_host', say('host_unknown'))
}

/** Only paths, as they are: no proxy requests, no `*`, and no `..` that would lead to another route. */
function targetRefusal(request: IncomingMessage): AppError | undefined {
  const path = pathOf(request)
  const isPlain = path.startsWith('/') && !path.startsWith('//')
  if (isPlain && !/\/(\.|%2e){1,2}(\/|$)|\\/i.test(path)) return undefined
  return new AppError('invalid_request', say('target_not_plain'))
}

function originRefusal(request: IncomingMessage, { origins, ...own }: OwnNames): AppError | undefined {
  const path = pathOf(request)
  if (isFrameLoad(request) && own.isFrameScript(path)) return undefined
  const { origin } = request.headers
  if (origin !== undefined && !origins.includes(origin)) {
    return new AppError('origin_refused', say('origin_foreign'))
  }
  const site = request.headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined
  if (isNavigation(request) && own.isOpenPage(path)) return undefined
  return new AppError('origin_refused', say('site_foreign'))
}

function isNavigation(request: IncomingMessage): boolean {
  const { headers } = request
  return (
    request.method === 'GET' &&
    headers.origin === undefined &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  )
}

/**
 * A plain `<script src>` of a frame without an origin: it brings no credentials, and what it loads stays hidden from the page that
 * loads it. Chromium 150 sends `Origin: null` along, others send none.
 */
function isFrameLoad({ method, headers }: IncomingMessage): boolean {
  const { origin } = headers
  return (
    method === 'GET' &&
    (origin === undefined || origin === 'null') &&
    headers['sec-fetch-site'] === 'cross-site' &&
    headers['sec-fetch-mode'] === 'no-cors' &&
    headers['sec-fetch-dest'] === 'script'
  )
}

/** As it was sent, without the query. */
export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?')[0] ?? ''
}
