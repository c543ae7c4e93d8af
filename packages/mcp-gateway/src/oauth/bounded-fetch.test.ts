import { afterEach, beforeEach, expect, it } from 'vitest'
import { listen, type WebServer } from '../../test/support/web-servers.ts'
import { createBoundedFetch } from './bounded-fetch.ts'

let server: WebServer
let other: WebServer
beforeEach(async () => {
  other = await listen((_, response) => response.end('of another'))
  server = await listen((request, response) => {
    const to = (location: string, status = 302) => response.writeHead(status, { location }).end()
    if (request.url === '/silent') return
    if (request.url === '/slow') return void response.write('begin')
    if (request.url === '/long') return void response.end('x'.repeat(10 << 20))
    if (request.url === '/loop') return void to('/loop')
    if (request.url === '/moved') return void to('/here')
    if (request.url === '/elsewhere') return void to(other.url, 307)
    if (request.url === '/nowhere') return void to('http://')
    if (request.url === '/empty') return void response.writeHead(204).end()
    response.writeHead(request.url === '/no' ? 400 : 200, { 'x-kind': 'own' }).end('fine')
  })
})
afterEach(() => Promise.all([server.close(), other.close()]))

const local = (timeoutMs?: number) => createBoundedFetch(new URL(server.url), { timeoutMs })
const at = (path: string) => new URL(path, server.url)

it('gives what came, also where it is a refusal', async () => {
  const fine = await local()(at('/here'))
  expect([fine.status, fine.headers.get('x-kind'), await fine.text()]).toEqual([200, 'own', 'fine'])
  expect((await local()(at('/no'))).status).toBe(400)
  expect((await local()(at('/empty'))).status).toBe(204)
})

it.each([
  ['/long', 'unusable', 'longer than 256 KiB'],
  ['/loop', 'unsafe', 'elsewhere'],
  ['/elsewhere', 'unsafe', 'elsewhere'],
  ['/nowhere', 'unusable', 'to nowhere'],
])('gives up on %s', async (path, kind, words) => {
  await expect(local()(at(path))).rejects.toMatchObject({ kind, message: expect.stringContaining(words) })
  expect(other.requests).toEqual([])
})

it.each(['/silent', '/slow'])('does not wait for %s for ever', async (path) => {
  await expect(local(200)(at(path))).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('did not answer within 0.2 s'),
  })
})

it('follows a redirect within the origin, but not with what was posted', async () => {
  expect(await (await local()(at('/moved'))).text()).toBe('fine')
  const posted = local()(at('/moved'), { method: 'POST', body: 'secret' })
  await expect(posted).rejects.toMatchObject({ kind: 'unsafe' })
  expect(server.requests).toEqual(['GET /moved', 'GET /here', 'POST /moved'])
})

it('asks nobody on this machine for a server elsewhere', async () => {
  const remote = createBoundedFetch(new URL('https://mcp.example.com/mcp'))
  await expect(remote(at('/here'))).rejects.toMatchObject({ kind: 'unsafe' })
  expect(server.requests).toEqual([])
})

it('says where nobody is', async () => {
  const { url } = other
  await other.close()
  await expect(local()(url)).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('cannot be reached (ECONNREFUSED)'),
  })
})
