/** The way to the upstream as the environment has it: through a proxy, and with a certificate of people's own. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ask, realUpstream, startGateway } from './gateway-fixture.ts'

/** What the proxy resolves to this machine. */
const host = 'models.test'
/** For that host, until the year 2126. */
const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url))
const certificate = fixture('models-test-cert.pem')

/** Passes on to this machine, whatever host is asked for, where the password is right. */
async function startProxy(answer: 'passes' | 'refuses' = 'passes') {
  const asked: string[] = []
  const isKnown = ({ headers }: IncomingMessage) =>
    headers['proxy-authorization'] === `Basic ${Buffer.from('me:pass word').toString('base64')}`
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    if (!isKnown(incoming)) return void response.writeHead(407).end()
    const { port, pathname } = new URL(incoming.url ?? '')
    const { 'proxy-authorization': _, ...headers } = incoming.headers
    const onward = request({ host: '127.0.0.1', port, path: pathname, method: incoming.method, headers })
    onward.on('response', (from) => from.pipe(response.writeHead(from.statusCode ?? 500, from.headers)))
    incoming.pipe(onward)
  })
  server.on('connect', (incoming: IncomingMessage, client: Socket) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    if (!isKnown(incoming) || answer === 'refuses') return client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const onward = connect(Number(incoming.url?.split(':')[1]), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(client)
      client.pipe(onward)
    })
    onward.on('error', () => client.destroy())
    client.on('error', () => onward.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    asked,
    url: `http://me:pass%20word@127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** TLS in front of the scripted model, with the certificate that nobody but its file vouches for. */
async function startSecureModel(modelUrl: string) {
  let connections = 0
  const key = readFileSync(fixture('models-test-key.pem'))
  const server = createSecureServer({ key, cert: readFileSync(certificate) }, (incoming, response) => {
    const onward = request(new URL(incoming.url ?? '', modelUrl), {
      method: incoming.method,
      headers: incoming.headers,
    })
    onward.on('response', (from) => from.pipe(response.writeHead(from.statusCode ?? 500, from.headers)))
    incoming.pipe(onward)
  })
  server.on('secureConnection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

it.each(['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'])(
  'calls go through a tunnel, which is kept open, to a host that the file of %s vouches for',
  async (variable) => {
    await using proxy = await startProxy()
    let port = 0
    await using fixture = await startGateway(['one', 'two'], {
      env: { HTTPS_PROXY: proxy.url, [variable]: certificate },
      upstream: () => realUpstream(`https://${host}:${port}`),
    })
    await using model = await startSecureModel(fixture.model.url)
    port = model.port
    for (const words of ['one', 'two']) {
      const answer = await ask(fixture)
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining(words)])
    }
    expect(proxy.asked).toEqual([`CONNECT ${host}:${port}`])
    expect(model.connections()).toBe(1)
  },
)

it('a host whose certificate nobody vouches for is not believed, with a proxy or without', async () => {
  await using proxy = await startProxy()
  let port = 0
  await using fixture = await startGateway(['never'], {
    env: { HTTPS_PROXY: proxy.url },
    upstream: () => realUpstream(`https://${host}:${port}`),
  })
  await using model = await startSecureModel(fixture.model.url)
  port = model.port
  const answer = await ask(fixture)
  expect(answer.status).toBeGreaterThanOrEqual(500)
  expect(fixture.model.requests).toEqual([])
})

it('without TLS the proxy is asked itself', async () => {
  await using proxy = await startProxy()
  let base = ''
  await using fixture = await startGateway(['hello'], {
    env: { http_proxy: proxy.url },
    upstream: () => realUpstream(base),
  })
  base = `http://${host}:${new URL(fixture.model.url).port}`
  const answer = await ask(fixture)
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('hello')])
  expect(proxy.asked).toEqual([`POST ${base}/v1/messages?beta=true`])
  expect(fixture.model.requests[0]?.headers).not.toHaveProperty('proxy-authorization')
})

it('a proxy that refuses is named to people and in the log, and not its password', async () => {
  await using proxy = await startProxy('refuses')
  await using fixture = await startGateway(['never'], {
    env: { HTTPS_PROXY: proxy.url },
    upstream: () => realUpstream(`https://${host}:1`),
  })
  const answer = await ask(fixture)
  expect(answer.status).toBeGreaterThanOrEqual(500)
  const said = JSON.stringify([
    fixture.logs.map(({ fields, message }) => ({ ...fields, message })),
    answer.text,
  ])
  expect(said).toContain(
    `The proxy ${new URL(proxy.url).host} refused the connection to ${host}:1 with status 403`,
  )
  expect(said).not.toContain('pass')
  expect(proxy.asked).toHaveLength(1)
})
