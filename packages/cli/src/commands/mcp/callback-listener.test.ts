import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { type CallbackListener, listenForCallback } from './callback-listener.ts'

const open: CallbackListener[] = []
afterEach(() => {
  for (const listener of open.splice(0)) listener.close()
})

async function start(port = 0): Promise<CallbackListener> {
  const listener = await listenForCallback(port)
  open.push(listener)
  return listener
}

interface Wanted {
  method?: string
  /** As it stands in the request. */
  path?: string
  host?: string
}

async function get({ redirectUri }: CallbackListener, { method = 'GET', path = '/callback', host }: Wanted) {
  const { port, host: own } = new URL(redirectUri)
  const sent = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: { host: host ?? own },
    agent: false,
  })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return { status: response.statusCode, headers: response.headers, text }
}

it('takes one answer with the right state, and echoes nothing of it', async () => {
  const listener = await start()
  expect(listener.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  const path = '/callback?code=c0de&state=st4te&iss=https%3A%2F%2Fissuer.example.org'
  // Before anything is waited for.
  expect((await get(listener, { path })).status).toBe(400)
  const answer = listener.answer('st4te')
  expect((await get(listener, { path: '/callback?code=evil&state=guess' })).status).toBe(400)
  const page = await get(listener, { path })
  expect(page).toMatchObject({
    status: 200,
    text: 'You can close this tab. See the terminal for the result.\n',
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  })
  expect(await answer).toEqual({ code: 'c0de', state: 'st4te', iss: 'https://issuer.example.org' })
  expect((await get(listener, { path })).status).toBe(400)
})

it.each([
  [{ host: 'evil.example.org' }, 421],
  [{ host: 'localhost' }, 421],
  [{ method: 'POST' }, 405],
  [{ method: 'HEAD' }, 405],
  [{ method: 'OPTIONS' }, 405],
  [{ path: '/' }, 404],
  [{ path: '/callback/' }, 404],
  [{ path: '/CALLBACK?code=c&state=s' }, 404],
  [{ path: '//evil.example.org/callback?code=c&state=s' }, 404],
  [{ path: 'http://evil.example.org/callback?code=c&state=s' }, 404],
  [{ path: 'http://[/callback?code=c&state=s' }, 400],
])('refuses %j with %d', async (wanted: Wanted, status) => {
  const listener = await start()
  const answer = listener.answer('s')
  const path = wanted.path ?? '/callback?code=c&state=s'
  const refused = await get(listener, { ...wanted, path })
  expect(refused.status).toBe(status)
  expect(refused.text).not.toContain('evil')
  // And goes on waiting.
  await get(listener, { path: '/callback?code=right&state=s' })
  expect(await answer).toMatchObject({ code: 'right' })
})

it('listens on 127.0.0.1 only, on the port that is wanted, and says when that is taken', async () => {
  const first = await start()
  const port = Number(new URL(first.redirectUri).port)
  await expect(listenForCallback(port)).rejects.toThrow(`127.0.0.1:${port}, where the browser returns`)
  first.close()
  const second = await start(port)
  expect(second.redirectUri).toBe(first.redirectUri)
  const other = connect({ host: '127.0.0.2', port })
  const [error] = await once(other, 'error')
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
})

it('leaves nobody connected when it is closed', async () => {
  const listener = await start()
  const silent = connect({ host: '127.0.0.1', port: Number(new URL(listener.redirectUri).port) })
  await once(silent, 'connect')
  silent.write('GET /callback HTTP/1.1\r\n')
  silent.on('error', () => undefined)
  const gone = once(silent, 'close')
  // The server has seen it once it answers another.
  await get(listener, {})
  listener.close()
  await gone
})
