import { readFileSync } from 'node:fs'
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { rootCertificates } from 'node:tls'
import { createProxyChoice } from './proxy-choice.ts'
import { proxyAuthorization, TunnelAgent } from './tunnel-agent.ts'

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

/**
 * Connections are kept open: a fresh TLS handshake would come before every answer. Proxies and further certificates are those that
 * the environment names for all programs.
 */
export function createUpstreamClient(timeouts: UpstreamTimeouts, env: NodeJS.ProcessEnv): UpstreamClient {
  const ways = createWays(timeouts, env)

  const ask = (asked: UpstreamRequest, fresh: boolean): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method, url, headers, body, signal } = asked
      const length = body === undefined ? {} : { 'content-length': body.length }
      const way = ways.to(url, fresh)
      const options = { method, headers: { ...headers, ...length, ...way.headers }, signal, ...way.options }
      const request = way.secure ? httpsRequest(way.url, options) : httpRequest(way.url, options)
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
    close: ways.close,
  }
}

interface Way {
  url: URL
  secure: boolean
  headers: OutgoingHttpHeaders
  options: RequestOptions
}

const settings = { keepAlive: true, maxFreeSockets: 64, scheduling: 'lifo' } as const

/** Straight, through a tunnel, or (without TLS) by asking the proxy itself. `fresh`: on a connection that nobody has used. */
function createWays({ connectMs }: UpstreamTimeouts, env: NodeJS.ProcessEnv) {
  const proxyFor = createProxyChoice(env)
  const trusted = { ...settings, ...furtherCertificates(env) }
  const http = new HttpAgent(settings)
  const https = new HttpsAgent(trusted)
  const tunnels = new Map<string, TunnelAgent>()
  const newTunnel = (proxy: URL) => new TunnelAgent({ ...trusted, proxy, connectMs })
  const tunnel = (proxy: URL) => {
    const known = tunnels.get(proxy.href) ?? newTunnel(proxy)
    tunnels.set(proxy.href, known)
    return known
  }
  return {
    to(url: URL, fresh: boolean): Way {
      const proxy = proxyFor(url)
      if (url.protocol === 'https:') {
        const agent = proxy ? tunnel(proxy) : https
        const once = proxy ? newTunnel(proxy) : new HttpsAgent({ ...trusted, keepAlive: false })
        return { url, secure: true, headers: {}, options: { agent: fresh ? once : agent } }
      }
      const secure = proxy?.protocol === 'https:'
      const agent = fresh ? false : secure ? https : http
      if (!proxy) return { url, secure: false, headers: {}, options: { agent } }
      const headers = { host: url.host, ...proxyAuthorization(proxy) }
      return { url: proxy, secure, headers, options: { agent, path: url.href } }
    },
    close() {
      for (const agent of [http, https, ...tunnels.values()]) agent.destroy()
    },
  }
}

/** Node reads `NODE_EXTRA_CA_CERTS` itself, and OpenSSL's own variable not at all. Both count, beside what Node trusts. */
function furtherCertificates(env: NodeJS.ProcessEnv): { ca?: string[] } {
  const files = [env.NODE_EXTRA_CA_CERTS, env.SSL_CERT_FILE].filter(
    (file) => file !== undefined && file !== '',
  )
  if (files.length === 0) return {}
  return { ca: [...rootCertificates, ...files.map((file) => readFileSync(file as string, 'utf8'))] }
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
