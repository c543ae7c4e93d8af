import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

/** What the CLI says about a call, and nothing else: no credential, no cookie, nothing of the connection. */
const REQUEST_HEADERS = new Set([
  'accept',
  'anthropic-beta',
  'anthropic-dangerous-direct-browser-access',
  'anthropic-version',
  'content-type',
  'user-agent',
  'x-app',
  'x-client-request-id',
])
const REQUEST_PREFIXES = ['x-stainless-', 'x-claude-code-']

/** About one connection, or about a host that is not ours to speak for. */
const NOT_RETURNED = new Set([
  'alt-svc',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'set-cookie',
  'strict-transport-security',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export function toUpstreamHeaders(
  incoming: IncomingHttpHeaders,
  key: Record<string, string>,
): OutgoingHttpHeaders {
  const passed: OutgoingHttpHeaders = {}
  for (const [name, value] of Object.entries(incoming)) {
    const known = REQUEST_HEADERS.has(name) || REQUEST_PREFIXES.some((prefix) => name.startsWith(prefix))
    if (known && value !== undefined) passed[name] = value
  }
  // The way back is loopback, and usage is read from the stream: compression would only cost.
  passed['accept-encoding'] = 'identity'
  for (const [name, value] of Object.entries(key)) passed[name.toLowerCase()] = value
  return passed
}

export function toClientHeaders(incoming: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = (incoming.connection ?? '').toLowerCase().split(/\s*,\s*/)
  return Object.fromEntries(
    Object.entries(incoming).filter(([name]) => !NOT_RETURNED.has(name) && !named.includes(name)),
  )
}
