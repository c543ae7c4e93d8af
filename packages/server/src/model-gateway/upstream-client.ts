import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'

interface UpstreamRequest {
  method: string
  url: URL
  headers: OutgoingHttpHeaders
  body: Buffer | undefined
  signal: AbortSignal
}

export interface UpstreamClient {
  /** Resolves with the head of the answer. Rejects where the upstream cannot be reached, or the signal aborts. */
  ask(request: UpstreamRequest): Promise<IncomingMessage>
  close(): void
}

export interface UpstreamTimeouts {
  connectMs: number
  /** Without a byte in either direction. The API itself is never silent for long: it sends pings. */
  idleMs: number
}

/** Connections are kept open: a fresh TLS handshake would come before every answer. Takes nothing from the environment. */
export function createUpstreamClient(timeouts: UpstreamTimeouts): UpstreamClient {
  const settings = { keepAlive: true, maxFreeSockets: 64, scheduling: 'lifo' } as const
  const http = new HttpAgent(settings)
  const https = new HttpsAgent(settings)

  const ask = (asked: UpstreamRequest, fresh: boolean): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method, url, headers, body, signal } = asked
      const length = body === undefined ? {} : { 'content-length': body.length }
      const options = { method, headers: { ...headers, ...length }, signal }
      const request =
        url.protocol === 'https:'
          ? httpsRequest(url, { ...options, agent: fresh ? false : https })
          : httpRequest(url, { ...options, agent: fresh ? false : http })
      request.once('response', resolve)
      request.on('error', (error: NodeJS.ErrnoException) => {
        // The upstream closed an idle connection just as it was taken up again: nobody has read the request. Others may
        // have gone with it, so this one is made anew.
        const stale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
        if (stale && !signal.aborted) resolve(ask(asked, true))
        else reject(error)
      })
      request.once('socket', (socket) => limitConnecting(socket, timeouts.connectMs))
      request.setTimeout(timeouts.idleMs, () => request.destroy(timeoutError()))
      request.end(body)
    })

  return {
    ask: (asked) => ask(asked, false),
    close() {
      http.destroy()
      https.destroy()
    },
  }
}

function limitConnecting(socket: Socket, limitMs: number): void {
  if (!socket.connecting) return
  const timer = setTimeout(() => socket.destroy(timeoutError()), limitMs)
  const stop = () => clearTimeout(timer)
  socket.once('connect', stop)
  socket.once('close', stop)
}

function timeoutError(): Error {
  return Object.assign(new Error('The upstream does not answer'), { code: 'ETIMEDOUT' })
}
