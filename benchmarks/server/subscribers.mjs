/** Many subscribers, as light as they can be: they count frames and keep nothing. Started by fanout.mjs. */
import { connect } from 'node:net'
import { sharedClock } from './stream-cli.mjs'

const lineFeed = 10

/** @type {Subscriber[]} */
const subscribers = []
/** Subscribers that have not yet got as many frames as are waited for. */
let missing = 0
let awaited = 0
let firstAt = 0
/** @type {(() => void) | undefined} */
let onComplete

process.on('message', async (/** @type {any} */ request) => {
  if ('open' in request) {
    await open(request.open)
    process.send?.({ opened: subscribers.length })
  }
  if ('frames' in request) {
    expect(request.frames)
    process.send?.({ expecting: request.frames })
  }
  if ('complete' in request) {
    if (missing > 0) await new Promise((resolve) => (onComplete = () => resolve(undefined)))
    const lost = subscribers.filter(({ ended }) => ended).length
    process.send?.({ seconds: (sharedClock() - firstAt) / 1e9, lost })
  }
})

/** @param {{ port: number, path: string, tokens: string[], count: number, firstFrames: number }} options */
async function open({ port, path, tokens, count, firstFrames }) {
  expect(firstFrames)
  missing = count
  for (let number = 0; number < count; number++) {
    const token = tokens[number % tokens.length] ?? ''
    subscribers.push(new Subscriber(port, path, token))
    // All at once they would overrun the server's queue of new connections.
    if (number % 50 === 49) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  if (missing > 0) await new Promise((resolve) => (onComplete = () => resolve(undefined)))
}

/** Counting begins anew. @param {number} frames */
function expect(frames) {
  awaited = frames
  missing = subscribers.length
  firstAt = 0
  for (const subscriber of subscribers) subscriber.frames = 0
}

class Subscriber {
  frames = 0
  ended = false
  #endsInLineFeed = false
  #socket

  /** @param {number} port @param {string} path @param {string} token */
  constructor(port, path, token) {
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.on('data', (chunk) => this.#take(chunk))
    this.#socket.on('close', () => this.#end())
    this.#socket.on('error', () => this.#end())
    this.#socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nAccept: text/event-stream\r\n\r\n`,
    )
  }

  /** @param {Buffer} chunk */
  #take(chunk) {
    if (firstAt === 0) firstAt = sharedClock()
    const before = this.frames
    let from = 0
    if (this.#endsInLineFeed && chunk[0] === lineFeed) {
      this.frames++
      from = 1
    }
    for (let at = chunk.indexOf('\n\n', from); at >= 0; at = chunk.indexOf('\n\n', from)) {
      this.frames++
      from = at + 2
    }
    this.#endsInLineFeed = from < chunk.length && chunk[chunk.length - 1] === lineFeed
    if (before < awaited && this.frames >= awaited) this.#complete()
  }

  #complete() {
    if (--missing === 0) onComplete?.()
  }

  #end() {
    if (this.ended) return
    this.ended = true
    if (this.frames < awaited) this.#complete()
  }
}
