import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { hang, startOffline, text, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { FakeTerminal } from './support/fake-terminal.ts'
import { serverFileOf } from './support/offline-server.ts'
import { spawnCommand } from './support/spawn-command.ts'

async function takePort() {
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const address = blocker.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { port, [Symbol.dispose]: () => blocker.close() }
}

describe('dorkos serve', () => {
  it('logs JSON where there is no terminal, shows no link, and drains at SIGTERM', async () => {
    await using offline = await startOffline([])
    const serve = spawnCommand(['serve', '--port', '0'], offline)
    await serve.shown(/"msg":"started"/)
    const { url } = await serverFileOf(offline.home)
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
    for (const name of ['server.json', 'cli-token']) {
      expect((await stat(join(offline.home, '.dorkos', name))).mode & 0o777).toBe(0o600)
    }
    serve.child.kill('SIGTERM')
    const { code, stdout } = await serve.exit
    expect(code).toBe(0)
    for (const line of stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg')
    expect(stdout).not.toContain('code=')
    expect(existsSync(join(offline.home, '.dorkos', 'server.json'))).toBe(false)
  })

  it('lists every fault of the configuration, and exits with 2', async () => {
    await using offline = await startOffline([])
    await mkdir(join(offline.home, '.dorkos'), { mode: 0o700 })
    await writeFile(join(offline.home, '.dorkos', 'config.jsonc'), '{ "port": "many", "modle": "demo" }')
    const { code, stderr, stdout } = await spawnCommand(['serve', '--log-level', 'loud'], offline).exit
    expect(code).toBe(2)
    expect(stderr).toMatch(/3 errors/)
    for (const word of ['port', 'modle', '--log-level']) expect(stderr).toContain(word)
    expect(stdout).toBe('')
  })

  it('says in one sentence that a port is taken, or that the folder is in use, and exits with 1', async () => {
    await using offline = await startOffline([])
    using taken = await takePort()
    const first = await spawnCommand(['serve', '--port', String(taken.port)], offline).exit
    expect(first.code).toBe(1)
    expect(first.stderr).toBe(
      `Port ${taken.port} is in use by another program. Stop that program, or choose another port with --port.\n`,
    )
    const serve = spawnCommand(['serve', '--port', '0', '--quiet'], offline)
    await expect
      .poll(() => existsSync(join(offline.home, '.dorkos', 'server.json')), { timeout: 50_000 })
      .toBe(true)
    const second = await spawnCommand(['serve', '--port', '0'], offline).exit
    expect(second.code).toBe(1)
    expect(second.stderr).toMatch(/is in use by another server \(process \d+\)/)
    serve.child.kill('SIGTERM')
    expect(await serve.exit).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

describe('dorkos run without a server', () => {
  it('starts one for itself and leaves nothing behind', async () => {
    await using offline = await startOffline([toolUse('Bash', { command: 'touch x' }), 'Denied, I see.'])
    const { code, stdout, stderr } = await spawnCommand(['run', '-'], { ...offline, input: 'go\n' }).exit
    expect(stdout).toBe('Denied, I see.\n')
    expect(stderr).toContain('There’s no terminal to ask on')
    // What nobody could be asked about was denied.
    expect(existsSync(join(offline.cwd, 'x'))).toBe(false)
    // Nobody was asked, but something that the agent wanted was denied.
    expect(code).toBe(4)
    for (const name of ['server.json', 'cli-token']) {
      expect(existsSync(join(offline.home, '.dorkos', name))).toBe(false)
    }
  })
})

describe('a server that is killed', () => {
  it('is missed: the command exits with 6', async () => {
    await using offline = await startOffline([hang({ blocks: [text('going on')], afterDeltas: 1 })])
    const serve = spawnCommand(['serve', '--port', '0'], offline)
    await serve.shown(/"msg":"started"/)
    const terminal = new FakeTerminal({ ...offline, isTTY: false, reconnectMs: 500 })
    const exit = terminal.run('run', 'go')
    await offline.model.waitForRequest(1, { timeoutMs: 25_000 })
    serve.child.kill('SIGKILL')
    await serve.exit
    expect(await exit).toBe(6)
    expect(terminal.stderr).toContain('Lost the connection to the server')
  })
})

describe('dorkos doctor', () => {
  it('finds what is broken, and exits with 1', async () => {
    await using offline = await startOffline([])
    using taken = await takePort()
    const home = join(offline.home, '.dorkos')
    await mkdir(home, { mode: 0o700 })
    await writeFile(join(home, 'config.jsonc'), JSON.stringify({ port: taken.port }))
    await writeFile(join(home, 'dorkos.db'), 'this is no database, however long it may be'.repeat(100), {
      mode: 0o600,
    })
    await chmod(home, 0o755)
    const { code, stdout } = await spawnCommand(['doctor'], offline).exit
    expect(code).toBe(1)
    expect(stdout).toMatch(new RegExp(`✗ port +${taken.port} is taken by .*process ${process.pid}\\)`))
    expect(stdout).toMatch(/✗ database +/)
    expect(stdout).toMatch(/! state folder +.*open to other users \(755\)/)
    expect((await stat(home)).mode & 0o777).toBe(0o755)
  })
})
