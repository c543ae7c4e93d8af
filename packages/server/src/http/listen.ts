/** A server of `node:http` or `node:https` around the application, with limits that slow and careless clients meet. */
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { everyHeader } from './request-headers.ts'

export interface ListenOptions {
  host: string
  port: number
  /** PEM texts. */
  tls?: { cert: string; key: string }
}

export interface Listening {
  readonly server: Server
  readonly port: number
  /** Takes no new connections, lets running answers end within `graceMs`, then cuts what is left. */
  close(graceMs?: number): Promise<void>
}

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  /** For the whole of a request with its body. */
  requestTimeout: 120_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
  /** We check the Host header ourselves, and answer a missing one like any wrong one. */
  requireHostHeader: false,
}

/** Rejects with Node's own error (`EADDRINUSE`, `EACCES`, …). */
export function listen(listener: RequestListener, { host, port, tls }: ListenOptions): Promise<Listening> {
  const server = tls ? createTlsServer({ ...limits, ...tls }, listener) : createServer(limits, listener)
  server.maxRequestsPerSocket = 0
  server.maxHeadersCount = everyHeader
  const unused = unusedConnections(server)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      resolve({
        server,
        port: typeof address === 'object' && address ? address.port : port,
        close: (graceMs = 2000) => closeServer(server, unused, graceMs),
      })
    })
  })
}

/** Connections that never carried a request: browsers and clients open them ahead, and Node does not count them as idle. */
function unusedConnections(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>()
  server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => unused.delete(socket))
  return unused
}

function closeServer(server: Server, unused: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
    for (const socket of unused) socket.destroy()
  })
}
