/** Starting: what the first start leaves behind, and one sentence for each thing that keeps a server from starting. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApiClient, listConfigKeys } from '@dorkos/shared'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../src/start-server.ts'

let root: string
let home: string
const running: RunningServer[] = []
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-start-')))
  home = join(root, 'state')
  mkdirSync(join(root, 'workspace'))
})
afterEach(async () => {
  for (const server of running.splice(0)) await server.close({ graceMs: 0 })
  rmSync(root, { recursive: true, force: true })
})

async function start(
  env: Record<string, string | undefined> = {},
  flags: Record<string, string | boolean> = {},
) {
  const server = await startServer({
    env: { PATH: process.env.PATH, HOME: root, DORKOS_HOME: home, DORKOS_SPARE_PROCESSES: '0', ...env },
    flags: { '--port': '0', ...flags },
    cwd: join(root, 'workspace'),
  })
  running.push(server)
  return server
}

/** Why it does not start. */
async function refusal(...how: Parameters<typeof start>): Promise<string> {
  return start(...how).then(
    () => 'it started',
    (error: Error) => error.message,
  )
}

function configure(config: object | string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const text = typeof config === 'string' ? config : JSON.stringify(config)
  writeFileSync(join(home, 'config.jsonc'), text, { mode: 0o600 })
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

/** Everything in a folder, by path. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).map((entry) =>
    join(entry.parentPath, entry.name),
  )
}

describe('the first start', () => {
  it('makes a folder and files for its owner alone, with a configuration that explains itself', async () => {
    const server = await start()
    expect(server.home).toBe(home)
    expect(modeOf(home)).toBe('700')
    for (const path of filesIn(home))
      expect([path, modeOf(path)]).toEqual([path, statSync(path).isDirectory() ? '700' : '600'])
    const config = readFileSync(join(home, 'config.jsonc'), 'utf8')
    for (const { path, description } of listConfigKeys()) {
      expect(config).toContain(`"${path.split('.').at(-1)}"`)
      expect(config.replace(/\n\s*\/\/\s*/g, ' ')).toContain(description)
    }
    expect(JSON.parse(readFileSync(join(home, 'server.json'), 'utf8'))).toMatchObject({
      url: server.url,
      pid: process.pid,
    })
    await server.close({ graceMs: 0 })
    expect(filesIn(home)).not.toContain(join(home, 'server.json'))
    expect(filesIn(home)).not.toContain(join(home, 'cli-token'))
  })

  it('answers with the demo model where there are no credentials, and says so everywhere', async () => {
    const server = await start()
    const client = createApiClient({ baseUrl: server.url, token: await server.ownToken() })
    expect(await client.getHealth()).toMatchObject({ status: 'ok', product: 'DorkOS', demo: true })
    const status = await client.getStatus()
    expect(status.model).toEqual({ mode: 'demo', source: 'demo', gateway: true })
    expect(status.banners).toContainEqual(
      expect.objectContaining({ code: 'demo_model', message: expect.stringContaining('demo model') }),
    )
    expect(server.banners().map(({ code }) => code)).toContain('demo_model')
    expect(readFileSync(server.logFile, 'utf8')).toContain('"mode":"demo"')
  })

  it('listens where the flag says, over the environment, over the file', async () => {
    configure({ port: 1, log: { level: 'error' }, sessions: { idleMinutes: 3 } })
    const server = await start({ DORKOS_PORT: '2', DORKOS_LOG_LEVEL: 'warn' })
    const client = createApiClient({ baseUrl: server.url, token: await server.ownToken() })
    const { keys } = await client.getConfig()
    const sources = Object.fromEntries(keys.map(({ path, source }) => [path, source]))
    expect(sources).toMatchObject({
      port: 'flag',
      'log.level': 'env',
      'sessions.idleMinutes': 'file',
      host: 'default',
    })
    expect((await client.getStatus()).port).toBe(server.port)
  })
})

describe('a server that cannot start says why in one sentence', () => {
  const oneSentence = /^[^\n]+$/

  it('the port is taken; and leaves nothing locked', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    const why = await refusal({}, { '--port': String(port) })
    expect(why).toBe(
      `Port ${port} is in use by another program. Stop that program, or choose another port with --port.`,
    )
    other.close()
    await start()
  })

  it('the state folder is a file, or somebody else’s', async () => {
    writeFileSync(home, '')
    expect(await refusal()).toBe(
      `The state folder ${home} isn’t a folder. Remove it, or set DORKOS_HOME to another one.`,
    )
    rmSync(home)
    mkdirSync(home, { mode: 0o700 })
    // For root every folder is readable: there it is another user's.
    if (process.getuid?.() === 0) chownSync(home, 12345, 12345)
    else chmodSync(home, 0)
    expect(await refusal()).toMatch(
      /the state folder .*(belongs to another user|Check its permissions).*\.$/i,
    )
    if (process.getuid?.() !== 0) chmodSync(home, 0o700)
  })

  it('another server has the state folder', async () => {
    await start()
    expect(await refusal()).toContain(`${home} is in use by another server (process ${process.pid})`)
  })

  it('the CLI is not there', async () => {
    const why = await refusal({ DORKOS_CLI_PATH: join(root, 'nothing') })
    expect(why).toMatch(oneSentence)
    expect(why).toMatch(/^The Claude Code CLI can’t be used: /)
    expect(why).toContain(join(root, 'nothing'))
  })

  it('credentials are demanded, and there are none', async () => {
    const why = await refusal({}, { '--model': 'anthropic' })
    expect(why).toMatch(oneSentence)
    expect(why).toMatch(/^No credentials for the model were found\..*ANTHROPIC_API_KEY/)
  })

  it('a sandbox is demanded, and its tools are not installed', async () => {
    const why = await refusal({ PATH: join(root, 'workspace') }, { '--sandbox': 'required' })
    expect(why).toMatch(oneSentence)
    expect(why).toMatch(/^The configuration requires a sandbox, but there is none: /)
    const server = await start({ PATH: join(root, 'workspace') })
    expect(server.banners().find(({ code }) => code === 'no_sandbox')).toMatchObject({ level: 'danger' })
  })

  it('it would be open to other machines without TLS or without the names that browsers use', async () => {
    const why = await refusal({}, { '--host': '0.0.0.0' })
    expect(why).toMatch(/host is "0\.0\.0\.0", which other machines can reach: .*`tls`.*`publicOrigins`/)
    configure({ publicOrigins: ['https://agents.example.org'] })
    expect(await refusal({}, { '--host': '0.0.0.0' })).toMatch(/other machines can reach: set `tls`/)
    configure({ tls: { cert: '/no/cert.pem', key: '/no/key.pem' } })
    expect(await refusal()).toMatch(/^[^\n]*\/no\/cert\.pem[^\n]*$/)
  })

  it('the configuration has faults: all of them at once, each with its place', async () => {
    configure('{\n  "prot": 4242,\n  "sessions": { "idleMinutes": "soon" },\n  "model": "gpt"\n}\n')
    const why = await refusal({ DORKOS_SANDBOX: 'maybe' })
    const file = join(home, 'config.jsonc')
    const [head, ...lines] = why.split('\n')
    expect(head).toBe('The configuration has 4 errors:')
    expect(lines.map((line) => line.trim()).toSorted()).toEqual([
      expect.stringContaining(`${file}:2:3: there is no key prot; did you mean port?`),
      expect.stringMatching(`^${file}:3:\\d+: sessions.idleMinutes is "soon"`),
      expect.stringMatching(`^${file}:4:\\d+: model is "gpt"`),
      expect.stringMatching('^DORKOS_SANDBOX: sandbox is "maybe"'),
    ])
  })
})

const openssl = hasOpenssl()
if (!openssl) console.warn('skipped for want of openssl: HTTPS with a certificate of one’s own')

describe.skipIf(!openssl)('TLS', () => {
  it('is spoken with the files of the configuration, and nothing else is', async () => {
    const [cert, key] = [join(root, 'cert.pem'), join(root, 'key.pem')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
    const files = ['-keyout', key, '-out', cert, '-days', '2', '-nodes']
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...files, ...subject], {
      stdio: 'ignore',
    })
    configure({ tls: { cert, key } })
    const server = await start()
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    const ca = readFileSync(cert)
    const answer = await new Promise<{ status: number | undefined; hsts: unknown; body: string }>(
      (resolve, reject) => {
        const outgoing = request(`${server.url}/api/health`, { ca }, (response) => {
          let body = ''
          response.setEncoding('utf8').on('data', (text: string) => {
            body += text
          })
          const { statusCode, headers } = response
          response.on('end', () =>
            resolve({ status: statusCode, hsts: headers['strict-transport-security'], body }),
          )
        })
        outgoing.on('error', reject).end()
      },
    )
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining('DorkOS') })
    await expect(fetch(`${server.url.replace('https', 'http')}/api/health`)).rejects.toThrow()
  })
})

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
