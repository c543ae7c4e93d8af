import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, it } from 'vitest'
import { createApiClient } from './api-client.ts'
import { encodeFrame } from './event-stream.ts'
import { follow } from './follow.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

describe('following a stream', () => {
  // Node's fetch holds on to its signal weakly: after a collection, aborting it does nothing (observed with 20.20).
  it('ends when it is told to, however long it has been quiet', async () => {
    let hungUp: Promise<unknown> = Promise.reject(new Error('nobody came'))
    hungUp.catch(() => undefined)
    const server = createServer((_request, response) => {
      hungUp = once(response, 'close')
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': hello\n\n')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const abort = new AbortController()
    let isOpen = () => {}
    const open = new Promise<void>((resolve) => {
      isOpen = resolve
    })
    const frames = createApiClient({ baseUrl }).followSession('any', {
      signal: abort.signal,
      onState: ({ state }) => state === 'open' && isOpen(),
    })
    const ended = (async () => {
      for await (const _frame of frames) void 0
    })()
    await open
    for (let round = 0; round < 5; round++) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      collectGarbage()
    }
    abort.abort()
    await ended
    await hungUp
    server.close()
  })

  it('ends when it is told to while a frame is being handled', async () => {
    const abort = new AbortController()
    const record = encodeFrame({ frame: 'resync', session: 'any', reason: 'a test' })
    const body = () =>
      new ReadableStream<Uint8Array>({ start: (stream) => stream.enqueue(new TextEncoder().encode(record)) })
    const headers = { 'content-type': 'text/event-stream' }
    const source = { open: async () => new Response(body(), { headers }) }
    for await (const _frame of follow(source, { signal: abort.signal })) abort.abort()
  })
})
