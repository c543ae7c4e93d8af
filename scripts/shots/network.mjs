// What lies between the browser and the server, so that it can be cut.
import { connect, createServer } from 'node:net'

export async function startNetwork() {
  const open = new Set()
  let away = false
  let port = 0
  const server = createServer((browser) => {
    if (away) return browser.destroy()
    const upstream = connect(port, '127.0.0.1')
    for (const [socket, other] of [
      [browser, upstream],
      [upstream, browser],
    ]) {
      open.add(socket)
      socket.pipe(other)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    /** @param {string} url the server's */
    leadTo(url) {
      port = Number(new URL(url).port)
    },
    async goAway() {
      away = true
      cut()
    },
    async comeBack() {
      away = false
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        cut()
      }),
  }
}
