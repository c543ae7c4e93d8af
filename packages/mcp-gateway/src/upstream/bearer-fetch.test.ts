import { afterEach, beforeEach, expect, it } from 'vitest'
import { listen, type WebServer } from '../../test/support/web-servers.ts'
import { createBearerFetch } from './bearer-fetch.ts'

const seen: (string | undefined)[] = []
let server: WebServer
let other: WebServer
beforeEach(async () => {
  seen.length = 0
  const note = (at: string, header: string | undefined) => seen.push(header && `${at}: ${header}`)
  server = await listen((request, response) => {
    note('own', request.headers.authorization)
    if (request.url === '/elsewhere') response.setHeader('location', other.url)
    response.writeHead(request.url === '/elsewhere' ? 307 : 401).end('no')
  })
  other = await listen((request, response) => {
    note('other', request.headers.authorization)
    response.writeHead(401).end()
  })
})
afterEach(() => Promise.all([server.close(), other.close()]))

function make(renew: () => Promise<boolean>) {
  const asked: (string | undefined)[] = []
  const faults: unknown[] = []
  let tokens = 0
  const credentials = {
    token: async () => `token-${tokens}`,
    async renew(refused: string | undefined) {
      asked.push(refused)
      tokens += 1
      return renew()
    },
    secrets: () => [],
  }
  const origin = new URL(server.url).origin
  const bearerFetch = createBearerFetch({
    origin,
    credentials,
    isDecisive: (method) => method !== 'HEAD',
    onRenewFault: (error) => faults.push(error),
  })
  return { bearerFetch, asked, faults }
}

it('sends the token to the server alone, and does not follow it elsewhere', async () => {
  const { bearerFetch, asked } = make(async () => true)
  expect((await bearerFetch(other.url)).status).toBe(401)
  expect((await bearerFetch(new URL('/elsewhere', server.url))).status).toBe(307)
  expect(seen).toEqual([undefined, 'own: Bearer token-0'])
  expect(asked).toEqual([])
})

it('leaves a header alone that is there', async () => {
  const { bearerFetch, asked } = make(async () => true)
  await bearerFetch(server.url, { headers: { Authorization: 'Basic eA==' } })
  expect(seen).toEqual(['own: Basic eA=='])
  expect(asked).toEqual([])
})

it('tries once more with a token that was renewed, and not at all without', async () => {
  const { bearerFetch, asked } = make(async () => true)
  expect((await bearerFetch(server.url, { method: 'POST', body: 'x' })).status).toBe(401)
  expect(seen).toEqual(['own: Bearer token-0', 'own: Bearer token-1'])
  expect(asked).toEqual(['token-0'])
  const without = make(async () => false)
  expect(await (await without.bearerFetch(server.url)).text()).toBe('no')
  expect(seen).toHaveLength(3)
})

it('renews nothing for a refusal that says nothing', async () => {
  const { bearerFetch, asked } = make(async () => true)
  expect((await bearerFetch(server.url, { method: 'HEAD' })).status).toBe(401)
  expect(asked).toEqual([])
})

it('says when it could not be renewed, and hands the refusal on', async () => {
  const fault = new Error('nobody there')
  const { bearerFetch, faults } = make(() => Promise.reject(fault))
  expect((await bearerFetch(server.url)).status).toBe(401)
  expect(faults).toEqual([fault])
  expect(seen).toHaveLength(1)
})
