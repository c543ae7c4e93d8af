/** A session that comes by a socket of its own, as one in a container does. */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { hang } from '@dorkos/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ask, question, REAL_KEY, startGateway } from './gateway-fixture.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-socket-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

function askBy(socketPath: string, host: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const asked = request(
      { socketPath, path: '/v1/messages', method: 'POST', agent: false, headers: { host, ...headers } },
      (answer) => text(answer).then((body) => resolve({ status: answer.statusCode, text: body }), reject),
    )
    asked.on('error', reject)
    asked.end(question())
  })
}

const boxed = { sessionId: 'boxed', principal: 'owner', demo: false }

it('is known by it, whatever credential it shows; another’s is not taken for it', async () => {
  await using fixture = await startGateway(() => 'hello')
  const { gateway, asked, model, credential } = fixture
  const path = join(folder, 'a.sock')
  await gateway.listenFor(boxed, path)
  const host = new URL(gateway.url).host
  expect(gateway.port).toBe(Number(new URL(gateway.url).port))
  for (const headers of [{}, { authorization: 'Bearer none' }, { 'x-api-key': credential }])
    expect((await askBy(path, host, headers)).status).toBe(200)
  expect(asked.map(({ sessionId }) => sessionId)).toEqual(['boxed', 'boxed', 'boxed'])
  expect(model.requests[0]?.headers).toMatchObject({ 'x-api-key': REAL_KEY })
  // By loopback it needs a credential, as everybody does.
  expect((await ask(fixture, { headers: { 'x-api-key': 'none' } })).status).toBe(401)
  expect((await askBy(path, 'evil.example')).status).toBe(421)
  expect((await askBy(path, host, { origin: 'http://evil.example' })).status).toBe(403)
})

it('ends with the session: open calls are cut and nobody listens, nor does an older one', async () => {
  await using fixture = await startGateway(() => hang())
  const { gateway, asked } = fixture
  const host = new URL(gateway.url).host
  const [first, second] = [join(folder, 'a.sock'), join(folder, 'b.sock')]
  await gateway.listenFor(boxed, first)
  const open = askBy(first, host)
  open.catch(() => {})
  await expect.poll(() => asked.length).toBe(1)
  await gateway.listenFor(boxed, second)
  await expect(open).rejects.toThrow()
  expect([existsSync(first), existsSync(second)]).toEqual([false, true])
  gateway.revoke('boxed')
  await expect.poll(() => existsSync(second)).toBe(false)
  await expect(askBy(second, host)).rejects.toThrow('ENOENT')
  await gateway.listenFor(boxed, second)
  await gateway.close()
  expect(existsSync(second)).toBe(false)
})
