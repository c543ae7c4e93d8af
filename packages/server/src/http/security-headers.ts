/** Headers of every answer. There is no CORS header among them, and none is ever set. */
import type { ServerResponse } from 'node:http'

const common: [string, string][] = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['permissions-policy', 'camera=(), microphone=(), geolocation=()'],
]

const apiPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** For pages: what the server itself serves, and nothing inline. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Set before anything else happens, so that refusals and faults carry them too. Pages relax the policy afterwards. */
export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of common) response.setHeader(name, value)
  response.setHeader('content-security-policy', apiPolicy)
  response.setHeader('cache-control', 'no-store')
}
