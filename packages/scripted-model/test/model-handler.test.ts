import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { type ModelHandler, type ModelRequest, modelHandler } from '../src/index.ts'

let close: () => void = () => {}
afterEach(() => close())

/** A server of the test's own, in which the handler is mounted. */
async function mount(handle: ModelHandler, readFirst = false): Promise<string> {
  const server = createServer(async (request, response) => {
    if (readFirst) await handle(request, response, await buffer(request))
    else await handle(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  close = () => {
    server.close()
    server.closeAllConnections()
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const body = JSON.stringify({ model: 'claude-test', messages: [{ role: 'user', content: 'hi' }] })

describe('a handler in a server of another', () => {
  it.each([false, true])('answers, where the body was read before: %s', async (readFirst) => {
    const requests: ModelRequest[] = []
    const handle = modelHandler(({ lastUserText }) => `You said ${lastUserText}`, {
      onRequest: (request) => requests.push(request),
    })
    const url = await mount(handle, readFirst)
    const answer = await fetch(`${url}/v1/messages`, { method: 'POST', body })
    expect(await answer.json()).toMatchObject({ content: [{ type: 'text', text: 'You said hi' }] })
    const count = await fetch(`${url}/v1/messages/count_tokens`, { method: 'POST', body })
    expect(await count.json()).toEqual({ input_tokens: expect.any(Number) })
    expect(requests).toHaveLength(1)
  })

  it('drops the connection where the request cannot be answered at all', async () => {
    const url = await mount(modelHandler(['never']))
    const junk = JSON.stringify({ model: 'claude-test', messages: [null] })
    const headers = { 'user-agent': 'claude-cli/2.1.325' }
    await expect(fetch(`${url}/v1/messages`, { method: 'POST', body: junk, headers })).rejects.toThrow()
  })
})
