/** The web page over a real socket. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { pagePaths } from '@dorkos/shared'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpFixture, startHttp } from '../../../test/support/http-fixture.ts'
import { makePageFolder, type PageFolder, pageTexts } from '../../../test/support/page-folder.ts'
import { openPageFiles } from '../../adapters/page-files/open-page-files.ts'

let page: PageFolder
let http: HttpFixture
beforeAll(async () => {
  page = makePageFolder()
  http = await startHttp({ pageFiles: await openPageFiles(page.folder) })
})
afterAll(async () => {
  await http.close()
  page.remove()
})

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/** As a browser's fetch cannot: any header, and the body as it was sent. */
function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  port = http.port,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { host: '127.0.0.1', port, method, path, agent: false, headers },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes: Buffer.concat(chunks),
          }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
}

const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
const fromElsewhere = { ...navigation, 'sec-fetch-site': 'cross-site' }
const anAddress = (path: string) => path.replace(/:\w+/, 'some%20thing')
const policyOf = ({ headers }: Answer) => String(headers['content-security-policy']).split('; ')

describe('the document', () => {
  it.each(pagePaths.map(anAddress))('answers at %s', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await send(method, path)
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(answer.bytes.toString()).toBe(method === 'GET' ? pageTexts['index.html'] : '')
      expect(answer.headers['content-length']).toBe(String(pageTexts['index.html'].length))
      expect(answer.headers['cache-control']).toBe('no-cache')
    }
    const posted = await send('POST', path)
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET'])
  })

  it('answers with 404 where the page has no address, for people', async () => {
    for (const path of ['/nothing', '/sessions', '/sessions/a/b', '/inbox/', '/index.html', '/apis']) {
      for (const headers of [navigation, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }]) {
        const answer = await send('GET', path, headers)
        expect([path, answer.status, answer.bytes.toString()]).toEqual([path, 404, pageTexts['index.html']])
        expect(policyOf(answer)).toContain("script-src 'self'")
      }
      const repeated = await send('GET', path, { ...navigation, 'if-none-match': '*' })
      expect(repeated.status).toBe(404)
    }
  })

  it.each([
    ['GET', '/nothing', { accept: '*/*' }],
    ['GET', '/assets/none.js', { 'sec-fetch-dest': 'script', accept: '*/*' }],
    ['GET', '/api', navigation],
    ['GET', '/api/nothing', navigation],
    ['POST', '/nothing', navigation],
  ])('leaves %s %s (%o) to the API’s own answer', async (method, path, headers) => {
    const answer = await send(method, path, headers)
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.bytes.toString()).error.code).toBe('not_found')
  })

  it('allows its own code, one Trusted Types policy, and nothing inline', async () => {
    const answer = await send('GET', '/')
    expect(policyOf(answer).toSorted()).toEqual(
      [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "frame-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types dorkos',
      ].toSorted(),
    )
    expect(answer.headers['x-frame-options']).toBe('DENY')
    expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin')
  })
})

describe('files', () => {
  it.each([
    ['/assets/main-1a2b.js', 'text/javascript; charset=utf-8'],
    ['/assets/main-1a2b.css', 'text/css; charset=utf-8'],
    ['/assets/font-1a2b.woff2', 'font/woff2'],
    ['/favicon.svg', 'image/svg+xml'],
    ['/manifest.webmanifest', 'application/manifest+json; charset=utf-8'],
    ['/sw.js', 'text/javascript; charset=utf-8'],
    ['/icon-192.png', 'image/png'],
    ['/diagram/index.html', 'text/html; charset=utf-8'],
  ])('%s is %s', async (path, type) => {
    const answer = await send('GET', path)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, type])
    expect(answer.bytes.toString()).toBe(pageTexts[path.slice(1) as keyof typeof pageTexts])
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect((await send('DELETE', path)).status).toBe(405)
  })

  it('with a hash in their name are kept for ever, the others are asked for again', async () => {
    const kept = await send('GET', '/assets/main-1a2b.js')
    expect(kept.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    for (const path of ['/', '/sw.js', '/favicon.svg', '/diagram/diagram.js']) {
      const first = await send('GET', path)
      const etag = String(first.headers.etag)
      expect([first.headers['cache-control'], etag]).toEqual(['no-cache', expect.stringMatching(/^"/)])
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await send('GET', path, { 'if-none-match': known })
        expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag])
        expect(again.headers.vary).toBe('accept-encoding')
      }
      expect((await send('GET', path, { 'if-none-match': '"other"' })).status).toBe(200)
    }
  })

  it('come compressed as the build left them, each form with its own tag', async () => {
    const path = '/assets/main-1a2b.js'
    const text = pageTexts['assets/main-1a2b.js']
    const br = await send('GET', path, { 'accept-encoding': 'gzip, deflate, br' })
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.bytes).toString()).toBe(text)
    const gzip = await send('GET', path, { 'accept-encoding': 'gzip' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.bytes).toString()).toBe(text)
    const plain = await send('GET', path)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.bytes.toString()).toBe(text)
    expect(new Set([br, gzip, plain].map(({ headers }) => headers.etag)).size).toBe(3)
    for (const { headers } of [br, gzip, plain]) expect(headers.vary).toBe('accept-encoding')
  })

  it.each([
    '/.secret',
    '/odd%20name.js',
    '/link.txt',
    '/linked/outside.txt',
    '/assets/main-1a2b.js.br',
    '/assets/main-1a2b.js.gz',
    '/assets/%2e%2e/index.html',
    '/assets/..%2f..%2foutside.txt',
    '/assets/main-1a2b%2ejs',
    '/ASSETS/main-1a2b.js',
    '/assets',
    '/assets/',
    '/__proto__',
    '/constructor',
  ])('%s is none of them', async (path) => {
    const { status } = await send('GET', path)
    expect([400, 404]).toContain(status)
  })

  it('take no body', async () => {
    const headers = { 'content-length': '0' }
    expect((await send('GET', '/sw.js', headers)).status).toBe(200)
    expect((await send('GET', '/sw.js', { 'transfer-encoding': 'chunked' })).status).toBe(413)
  })
})

describe('what another site may do', () => {
  it.each([...pagePaths.map(anAddress), '/api/docs', '/?a=b', '/sessions/a?message=b'])(
    'opens %s by a link, and in no other way',
    async (path) => {
      expect((await send('GET', path, fromElsewhere)).status).toBe(200)
      for (const other of [
        { ...fromElsewhere, 'sec-fetch-dest': 'iframe' },
        { ...fromElsewhere, 'sec-fetch-dest': 'script', 'sec-fetch-mode': 'no-cors' },
        { ...fromElsewhere, 'sec-fetch-mode': 'cors' },
        { ...fromElsewhere, origin: 'null' },
        { ...fromElsewhere, origin: 'https://evil.test' },
      ])
        expect((await send('GET', path, other)).status).toBe(403)
      expect((await send('POST', path, fromElsewhere)).status).toBe(403)
    },
  )

  it.each([
    '/nothing',
    '/api/status',
    '/sw.js',
    '/assets/main-1a2b.js',
    '/diagram/index.html',
    '/sessions/a/b',
  ])('does not open %s', async (path) => {
    expect((await send('GET', path, fromElsewhere)).status).toBe(403)
  })
})

describe('the frame of the diagrams', () => {
  const load = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }

  it('has no origin, can be framed by the page alone, and may load its script only', async () => {
    const answer = await send('GET', '/diagram/index.html')
    expect(policyOf(answer)).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'unsafe-inline'",
      'img-src data:',
      'font-src data:',
      'sandbox allow-scripts',
      "frame-ancestors 'self'",
      "base-uri 'none'",
      "form-action 'none'",
    ])
    expect(answer.headers['x-frame-options']).toBe('SAMEORIGIN')
    expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin')
  })

  it('gets its script, though it looks like a foreign site', async () => {
    for (const headers of [load, { ...load, origin: 'null' }]) {
      const answer = await send('GET', '/diagram/diagram.js', headers)
      expect([answer.status, answer.bytes.toString()]).toEqual([200, pageTexts['diagram/diagram.js']])
      expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin')
      expect(answer.headers['x-frame-options']).toBe('DENY')
      expect(Object.keys(answer.headers).join()).not.toContain('access-control')
    }
  })

  it.each([
    ['another file', 'GET', '/assets/main-1a2b.js', load],
    ['its own document', 'GET', '/diagram/index.html', load],
    ['a script that is not there', 'GET', '/diagram/none.js', load],
    ['the API', 'GET', '/api/health', load],
    ['its script by fetch', 'GET', '/diagram/diagram.js', { ...load, 'sec-fetch-mode': 'cors' }],
    ['its script as an image', 'GET', '/diagram/diagram.js', { ...load, 'sec-fetch-dest': 'image' }],
    ['its script for a named origin', 'GET', '/diagram/diagram.js', { ...load, origin: 'https://evil.test' }],
    ['its script by HEAD', 'HEAD', '/diagram/diagram.js', load],
    ['its script by POST', 'POST', '/diagram/diagram.js', load],
  ])('gets nothing else: %s', async (_what, method, path, headers) => {
    expect((await send(method, path, headers)).status).toBe(403)
  })

  it('is the only thing that is open so', async () => {
    for (const path of Object.keys(pageTexts).map((name) => `/${name}`)) {
      const { headers } = await send('GET', path)
      const isScript = path === '/diagram/diagram.js'
      expect([path, headers['cross-origin-resource-policy']]).toEqual([
        path,
        isScript ? 'cross-origin' : 'same-origin',
      ])
      if (path !== '/diagram/index.html') expect(headers['x-frame-options']).toBe('DENY')
    }
  })
})

it('a page that is not built says how to build it, and the API goes on', async () => {
  const bare = await startHttp()
  try {
    for (const path of ['/', '/inbox', '/nothing']) {
      const answer = await send('GET', path, navigation, bare.port)
      expect([path, answer.status]).toEqual([path, 503])
      expect(answer.bytes.toString()).toContain('npm run build')
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(policyOf(answer)).toContain("style-src 'self'")
    }
    expect((await send('GET', '/api/health', {}, bare.port)).status).toBe(200)
    expect((await send('GET', '/api/docs.css', {}, bare.port)).status).toBe(200)
    expect((await send('GET', '/favicon.svg', {}, bare.port)).status).toBe(404)
  } finally {
    await bare.close()
  }
})

it('a file that went missing is said to be, and nothing else breaks', async () => {
  const own = makePageFolder()
  const other = await startHttp({ pageFiles: await openPageFiles(own.folder) })
  own.remove()
  const answer = await send('GET', '/sw.js', {}, other.port)
  expect(answer.status).toBe(503)
  expect(answer.bytes.toString()).not.toContain(own.folder)
  expect((await send('GET', '/api/health', {}, other.port)).status).toBe(200)
  await other.close()
})
