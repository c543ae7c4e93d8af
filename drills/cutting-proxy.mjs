/** A TCP proxy that cuts connections after as many bytes as it is told, in either direction. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

export class CuttingProxy {
  cuts = 0
  /** Where connections go. */
  targetPort = 0
  #server
  #sockets = new Set()
  #choose

  /** `choose` is asked for each connection: bytes from the server or to it after which it is cut; nothing lets it last. */
  constructor(choose) {
    this.#choose = choose
    this.#server = createServer((client) => this.#join(client, connect(this.targetPort, '127.0.0.1')))
  }

  async listen() {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this.#server.address().port
  }

  close() {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }

  #join(client, upstream) {
    const { fromServer = Number.POSITIVE_INFINITY, toServer = Number.POSITIVE_INFINITY } =
      this.#choose() ?? {}
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    const cut = () => {
      if (client.destroyed) return
      this.cuts++
      end()
    }
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', end)
      socket.on('close', () => {
        this.#sockets.delete(socket)
        end()
      })
    }
    passUpTo(fromServer, upstream, client, cut)
    passUpTo(toServer, client, upstream, cut)
  }
}

function passUpTo(limit, from, to, cut) {
  let left = limit
  from.on('data', (chunk) => {
    const passed = chunk.subarray(0, Math.max(0, left))
    left -= passed.length
    if (left > 0) to.write(passed)
    else to.write(passed, cut)
  })
}
