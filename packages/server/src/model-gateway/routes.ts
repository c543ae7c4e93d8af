import type { IncomingMessage } from 'node:http'
import { headersFault, headerValues, sayHeadersFault } from '../http/request-headers.ts'

/** What a request is for. `call` has a body and is answered by a model, `models` lists them, `probe` only looks who is there. */
export type Route = { kind: 'call' | 'models'; path: string; search: string } | { kind: 'probe' }

const CALLS = ['/v1/messages', '/v1/messages/count_tokens']

/** All that CLI 2.1.325 was seen to ask an API for. The probe comes without a credential. Undefined is a 404. */
export function routeOf({ method, url = '' }: IncomingMessage): Route | undefined {
  const question = url.indexOf('?')
  const path = question < 0 ? url : url.slice(0, question)
  const search = question < 0 ? '' : url.slice(question)
  if (method === 'POST' && CALLS.includes(path)) return { kind: 'call', path, search }
  if (method === 'GET' && path === '/v1/models') return { kind: 'models', path, search }
  if (method === 'HEAD' && (path === '/' || path === '/api/hello')) return { kind: 'probe' }
  return undefined
}

export interface RequestRefusal {
  status: 400 | 403 | 421 | 431
  type: 'permission_error' | 'invalid_request_error'
  message: string
}

/** A page in a browser can reach loopback too, under a name of its own (DNS rebinding) or from its own origin. */
export function requestRefusal(
  { headers, rawHeaders }: IncomingMessage,
  host: string,
): RequestRefusal | undefined {
  const fault = headersFault(rawHeaders)
  if (fault !== undefined) {
    const { message } = sayHeadersFault(fault)
    return { status: fault === 'too_many' ? 431 : 400, type: 'invalid_request_error', message }
  }
  if (headerValues(rawHeaders, 'host').length !== 1 || headers.host !== host) {
    return { status: 421, type: 'invalid_request_error', message: 'This address is not served here' }
  }
  if (headers.origin !== undefined) {
    return { status: 403, type: 'permission_error', message: 'Web pages may not use the model gateway' }
  }
  return undefined
}
