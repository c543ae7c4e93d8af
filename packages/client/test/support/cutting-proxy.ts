/** A TCP proxy between browsers and the server, as bad as a test wants the network to be. */
import { connect, createServer, type Socket } from 'node:net'

export interface CuttingProxy {
  readonly origin: string
  /** Where connections go: the server's port. */
  target: number
  /** `away`: nothing gets through. `deaf`: requests arrive, and no answer comes back. What is open is cut with every change. */
  mode: 'open' | 'away' | 'deaf'
  /** Requests that reached the server while it was deaf. */
  readonly lostAnswers: number
  /** Ends the connections that are open now; new ones get through. */
  cut(): void
  close(): Promise<void>
}

export async function startCuttingProxy(): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  const state = { target: 0, mode: 'open' as CuttingProxy['mode'], lostAnswers: 0 }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((client) => {
    if (state.mode === 'away') return client.destroy()
    const upstream = connect(state.target, '127.0.0.1')
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    client.pipe(upstream)
    if (state.mode === 'open') return upstream.pipe(client)
    upstream.once('data', () => {
      state.lostAnswers++
      end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    origin: `http://127.0.0.1:${port}`,
    get target() {
      return state.target
    },
    set target(port) {
      state.target = port
    },
    get mode() {
      return state.mode
    },
    set mode(mode) {
      state.mode = mode
      cut()
    },
    get lostAnswers() {
      return state.lostAnswers
    },
    cut,
    close: () =>
      new Promise((resolve) => {
        cut()
        server.close(() => resolve())
      }),
  }
}
