/**
 * The ways to sign in where the server has no terminal, tried by an agent: it knows where everything lies, and a person allows each of its
 * commands. What its commands may find out is one thing; that no token comes of it is what counts.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeSocketName, createApiClient, type Workspace } from '@dorkos/shared'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boxedWorkspace } from '../support/boxed-workspace.ts'
import { containersHere } from '../support/containers-here.ts'
import { HostileAgent, script } from '../support/hostile-agent.ts'
import { modesHere } from '../support/modes-here.ts'
import { Prompts } from '../support/prompts.ts'
import { sandboxHere } from '../support/sandbox-here.ts'
import { type SpawnedHost, spawnHost } from '../support/spawn-host.ts'

const minutes = 60_000
const command = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url))
const modes = modesHere.filter((mode) => mode !== 'dontAsk')

interface Ground {
  host: SpawnedHost
  prompts: Prompts
  /** That the server was given. */
  code: string
  close(): Promise<void>
}

async function start(by: 'variable' | 'file', sandbox: 'required' | 'off'): Promise<Ground> {
  const prompts = new Prompts()
  const code = randomBytes(20).toString('hex')
  const secrets = mkdtempSync(join(tmpdir(), 'dorkos-secrets-'))
  const file = join(secrets, 'code')
  writeFileSync(file, `${code}\n`)
  const host = await spawnHost(prompts.script, {
    config: { sandbox, agentEnv: ['DORKOS_SIGN_IN_CODE'] },
    env: by === 'file' ? { DORKOS_SIGN_IN_CODE_FILE: file } : { DORKOS_SIGN_IN_CODE: code },
  })
  const close = async () => {
    await host.close()
    rmSync(secrets, { recursive: true })
  }
  return { host, prompts, code, close }
}

const tokensOf = async ({ host }: Ground) =>
  (await host.client.listTokens()).tokens.map(({ id }) => id).toSorted()

const redeem = ({ host, code }: Ground) =>
  createApiClient({ baseUrl: host.url }).redeemCode({ body: { code, name: 'somebody' } })

/** What the socket says to a program that is in no sandbox. */
function ask({ host }: Ground): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(join(host.home, codeSocketName), () => socket.write('{"form":"link"}\n'))
    let said = ''
    socket.on('data', (chunk) => {
      said += chunk
    })
    socket.on('error', reject).on('close', () => resolve(said))
  })
}

/** Tries every way, and says in a line each what came of it. */
function tries({ host, code }: Ground): string {
  const { home, pid, url } = host
  const socket = join(home, codeSocketName)
  const node = process.execPath
  const asks = `const s = require('net').connect('${socket}', () => s.write('{"form":"link"}\\n')); s.on('data', (d) => console.log('socket: ' + d)).on('error', (e) => console.log('socket: ' + e.code))`
  const body = JSON.stringify({ code, name: 'hostile' })
  return `
echo "environment: $(env | grep -c SIGN_IN_CODE)"
echo "process: $(tr '\\0' '\\n' 2>/dev/null < /proc/${pid}/environ | grep -c SIGN_IN_CODE=)"
${node} -e "${asks.replaceAll('"', '\\"')}"
export DORKOS_HOME='${home}'
echo "piped: $(${node} ${command} code 2>&1)"
echo "terminal: $(script -qec "${node} ${command} code --link" /dev/null 2>&1 < /dev/null)"
echo "redeem: $(curl -s -m 5 --noproxy '*' -o /dev/null -w '%{http_code}' -X POST -H 'content-type: application/json' -d '${body}' '${url}/api/auth/redeem')"
`
}

const lineOf = (text: string, name: string) =>
  text.split('\n').find((line) => line.startsWith(`${name}: `)) ?? `no ${name} in ${text}`

describe.skipIf(!sandboxHere).each(['variable', 'file'] as const)(
  'in the sandbox, with a code from a %s',
  (by) => {
    let ground: Ground
    let agent: HostileAgent
    beforeAll(async () => {
      ground = await start(by, 'required')
      agent = new HostileAgent(ground.host, ground.prompts)
    }, minutes)
    afterAll(() => ground?.close(), minutes)

    it.each(modes)(
      'no command of an agent finds a code or gets one, %s',
      async (mode) => {
        const before = await tokensOf(ground)
        const { results } = await agent.attack({
          mode,
          calls: [script(ground.host, 'tries.sh', tries(ground))],
        })
        const said = results[0]?.text ?? ''
        expect(lineOf(said, 'environment')).toBe('environment: 0')
        expect(lineOf(said, 'process')).toBe('process: 0')
        expect(lineOf(said, 'socket')).toMatch(/^socket: E[A-Z]+$/)
        expect(lineOf(said, 'piped')).toMatch(/^piped: Codes are only shown in a terminal/)
        expect(lineOf(said, 'terminal')).toMatch(/^terminal: No server is running/)
        expect(lineOf(said, 'redeem')).toBe('redeem: 000')
        expect(await tokensOf(ground)).toEqual(before)
      },
      2 * minutes,
    )

    it(
      'no file tool opens the socket',
      async () => {
        const file_path = join(ground.host.home, codeSocketName)
        const { results } = await agent.attack({
          mode: 'bypassPermissions',
          calls: [
            ['Read', { file_path }],
            ['Write', { file_path, content: '{"form":"link"}\n' }],
          ],
        })
        expect(results.map(({ isError }) => isError)).toEqual([true, true])
      },
      minutes,
    )

    it('what was given is worth nothing once an agent worked; people still get codes', async () => {
      await expect(redeem(ground)).rejects.toMatchObject({ code: 'gone' })
      expect(JSON.parse(await ask(ground))).toHaveProperty('code')
    })

    it('nobody gets one where settings open the sandbox', async () => {
      const folder = join(ground.host.root, '.claude')
      mkdirSync(folder, { recursive: true })
      writeFileSync(
        join(folder, 'settings.json'),
        JSON.stringify({ sandbox: { excludedCommands: ['git *'] } }),
      )
      expect(await ask(ground)).toContain('settings loosen the sandbox of agents’ commands')
    })
  },
)

describe('without a sandbox', () => {
  let ground: Ground
  let agent: HostileAgent
  beforeAll(async () => {
    ground = await start('variable', 'off')
    agent = new HostileAgent(ground.host, ground.prompts)
  }, minutes)
  afterAll(() => ground?.close(), minutes)

  it('people get codes before an agent has worked', async () => {
    expect(JSON.parse(await ask(ground))).toHaveProperty('code')
  })

  it.each(modes)(
    'a command finds what was given, and no token comes of it, %s',
    async (mode) => {
      const before = await tokensOf(ground)
      const { results } = await agent.attack({
        mode,
        calls: [script(ground.host, 'tries.sh', tries(ground))],
      })
      const said = results[0]?.text ?? ''
      expect(lineOf(said, 'environment')).toBe('environment: 0')
      // The kernel shows what a program was started with.
      expect(lineOf(said, 'process')).toBe('process: 1')
      const refused =
        'The server doesn’t give out codes here, because an agent could ask for one too: agents’ commands run'
      expect(lineOf(said, 'socket')).toContain(refused)
      expect(lineOf(said, 'terminal')).toContain(refused)
      expect(lineOf(said, 'redeem')).toBe('redeem: 410')
      expect(await tokensOf(ground)).toEqual(before)
    },
    2 * minutes,
  )

  it('neither log nor database has the code', async () => {
    const { home } = ground.host
    for (const name of ['logs/dorkos.log', 'dorkos.db', 'dorkos.db-wal'])
      expect(readFileSync(join(home, name), 'latin1')).not.toContain(ground.code)
    expect(readFileSync(join(home, 'logs/dorkos.log'), 'utf8')).toContain('a sign-in code was taken')
  })
})

describe.skipIf(!containersHere)('in a container', () => {
  let ground: Ground
  let box: Workspace
  beforeAll(async () => {
    ground = await start('variable', 'required')
    box = await boxedWorkspace(ground.host)
  }, minutes)
  afterAll(() => ground?.close(), minutes)

  it(
    'no command finds a code or gets one',
    async () => {
      const before = await tokensOf(ground)
      const agent = new HostileAgent(ground.host, ground.prompts, box.id)
      const calls = [script({ cwd: box.path }, 'tries.sh', tries(ground))]
      const { results } = await agent.attack({ mode: 'bypassPermissions', calls })
      const said = results[0]?.text ?? ''
      expect(lineOf(said, 'environment')).toBe('environment: 0')
      expect(lineOf(said, 'process')).toBe('process: 0')
      expect(said).not.toContain('expires_at')
      expect(said).not.toContain('#code=')
      expect(lineOf(said, 'redeem')).not.toContain('201')
      expect(await tokensOf(ground)).toEqual(before)
      await expect(redeem(ground)).rejects.toMatchObject({ code: 'gone' })
    },
    2 * minutes,
  )
})
