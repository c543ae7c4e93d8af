/** Writes a JSON answer straight to Node's response. */
import type { ServerResponse } from 'node:http'

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent || response.destroyed) return
  if (value === undefined) {
    response.writeHead(status, headers).end()
    return
  }
  const body = Buffer.from(JSON.stringify(value))
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
      ...headers,
    })
    .end(body)
}
