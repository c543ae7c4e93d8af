/** A TCP proxy that cuts its connections after a given number of bytes from the server. */
import { connect, createServer, type Socket } from 'node:net'

export interface CuttingProxy {
  port: number
  /** Where the connections go; set before the first one. */
  target: number
  /** Bytes after which each next connection is cut. When the list is empty, connections last. */
  cuts: number[]
  connections: number
  close(): Promise<void>
}

export async function startCuttingProxy(cuts: number[]): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    proxy.connections++
    let left = proxy.cuts.shift() ?? Number.POSITIVE_INFINITY
    const upstream = connect(proxy.target, '127.0.0.1')
    const cut = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', cut)
      socket.on('close', () => {
        sockets.delete(socket)
        cut()
      })
    }
    client.pipe(upstream)
    upstream.on('data', (chunk) => {
      const passed = chunk.subarray(0, Math.max(0, left))
      left -= passed.length
      if (left > 0) client.write(passed)
      else client.write(passed, cut)
    })
  })
  const proxy: CuttingProxy = {
    port: 0,
    target: 0,
    cuts,
    connections: 0,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  proxy.port = typeof address === 'object' && address ? address.port : 0
  return proxy
}
