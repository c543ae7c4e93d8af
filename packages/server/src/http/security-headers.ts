/** Headers of every answer. There is no CORS header among them, and none is ever set. */
import type { ServerResponse } from 'node:http'

const common: [string, string][] = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['permissions-policy', 'camera=(), microphone=(self), geolocation=()'],
]

const closed = ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]

const apiPolicy = closed.join('; ')

/** For pages that the server makes itself: no script at all. */
export const docsPolicy = [...closed, "style-src 'self'", "img-src 'self'"].join('; ')

/**
 * For the web page: what the server itself serves, and nothing inline. Styles need no more than the style sheet: React and the libraries
 * set styles of single elements through the CSSOM (`element.style`), which a policy does not cover, and no component makes style elements.
 * Text becomes markup only through the one Trusted Types policy that the page names.
 */
export const pagePolicy = [
  ...closed,
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types dorkos',
].join('; ')

/**
 * For the frame that draws diagrams from what a model wrote. It is of no origin (`sandbox`), so that nothing in it can reach the page or
 * the API, and it can load nothing but its own script. The library in it makes style elements; inside these walls they may be.
 */
export const diagramPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  'sandbox allow-scripts',
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Set before anything else happens, so that refusals and faults carry them too. Pages relax the policy afterwards. */
export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of common) response.setHeader(name, value)
  response.setHeader('content-security-policy', apiPolicy)
  response.setHeader('cache-control', 'no-store')
}
