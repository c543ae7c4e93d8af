import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { listen, type WebServer } from '../../test/support/web-servers.ts'
import { createUpstreamFetch, requestIdHeader } from './upstream-fetch.ts'

let server: WebServer
const seen: unknown[] = []
beforeEach(async () => {
  seen.length = 0
  server = await listen((request, response) => {
    seen.push(request.headers[requestIdHeader])
    if (request.url === '/refused') return void response.writeHead(403).end('x'.repeat(1 << 20))
    if (request.url === '/endless') return void response.write('begin')
    if (request.url?.startsWith('/deep')) {
      const isStream = request.url === '/deep-stream'
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
      return void response.end(`${isStream ? ': a "\n\ndata: ' : ''}${'['.repeat(20_000)}`)
    }
    if (request.url === '/long') return void response.end('x'.repeat((4 << 20) + 1))
    response.end('fine')
  })
})
afterEach(() => server.close())

const at = (path: string) => new URL(path, server.url)

it('leaves nothing at a signal that outlives its requests', async () => {
  const { fetch } = createUpstreamFetch(() => {})
  const { signal } = new AbortController()
  const texts = await Promise.all(
    Array.from({ length: 30 }, async () => (await fetch(at('/'), { signal })).text()),
  )
  expect(new Set(texts)).toEqual(new Set(['fine']))
  await fetch('http://127.0.0.1:1/', { signal }).catch(() => {})
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

it('ends with the signal, by name, and all at once', async () => {
  const upstream = createUpstreamFetch(() => {})
  const controller = new AbortController()
  const ends = [
    { init: { signal: controller.signal }, end: () => controller.abort() },
    { init: { headers: { [requestIdHeader]: '7' } }, end: () => upstream.abortRequest('7') },
    { init: {}, end: () => upstream.abort() },
  ]
  for (const { init, end } of ends) {
    const body = (await upstream.fetch(at('/endless'), init)).text()
    end()
    await expect(body).rejects.toThrow()
  }
  expect(seen).toEqual([undefined, undefined, undefined])
})

it('reports a refusal, and reads little of it', async () => {
  const refused: unknown[] = []
  const { fetch } = createUpstreamFetch((...refusal) => refused.push(refusal))
  const text = await (await fetch(at('/refused'), { method: 'POST' })).text()
  expect(text.length).toBeLessThanOrEqual(64 * 1024)
  expect(refused).toEqual([[403, 'POST']])
})

it.each([
  ['/deep', 'nested too deeply'],
  ['/deep-stream', 'nested too deeply'],
  ['/long', 'longer than 4 MiB'],
])('ends what would take long to read: %s', async (path, fault) => {
  const { fetch } = createUpstreamFetch(() => {})
  await expect((await fetch(at(path))).text()).rejects.toThrow(fault)
})
