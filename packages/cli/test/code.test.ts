/** Signing in where the server has no terminal: `dorkos code`, `dorkos service install --now`, and a code that was given at the start. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApiClient, type Scope } from '@dorkos/shared'
import { type Offline, startOffline } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { FakeTerminal } from './support/fake-terminal.ts'
import { serverFileOf, startOfflineServer } from './support/offline-server.ts'
import { spawnCommand } from './support/spawn-command.ts'

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const all: Scope[] = ['read', 'chat', 'approve', 'admin']

const codeIn = (screen: string, pattern: RegExp) => pattern.exec(screen)?.[1] ?? `no code in ${screen}`

/** What the code is good for. */
async function rightsOf(url: string, code: string): Promise<Scope[]> {
  const { token } = await createApiClient({ baseUrl: url }).redeemCode({ body: { code, name: 'phone' } })
  return token.scopes
}

describe('dorkos code', () => {
  it('shows a code or a link that signs in once; both are in the audit log, and so is who came', async () => {
    await using offline = await startOfflineServer([])
    const { server, page } = offline
    const typed = offline.terminal()
    expect(await typed.run('code')).toBe(0)
    const code = codeIn(typed.stdout, /^Code: ([0-9A-Z]{5}-[0-9A-Z]{5}) {2}\(works once/)
    const linked = offline.terminal()
    expect(await linked.run('code', '--link')).toBe(0)
    const link = codeIn(linked.stdout, /http:\/\/127\.0\.0\.1:\d+\/#code=(\S+)\n/)
    for (const one of [code, link]) {
      expect(await rightsOf(server.url, one)).toEqual(all)
      await expect(rightsOf(server.url, one)).rejects.toMatchObject({ code: 'gone' })
    }
    const { entries } = await page.listAudit({ query: { action: 'code_created' } })
    expect(entries.map(({ detail }) => detail)).toEqual(Array(2).fill({ scopes: all, asked_by: 'terminal' }))
    const { tokens } = await page.listTokens()
    expect(tokens.filter(({ name }) => name === 'phone')).toHaveLength(2)
  })

  it('shows nothing to a pipe or a file, and says so where no server runs', async () => {
    await using offline = await startOfflineServer([])
    const { env, cwd } = offline.offline
    const piped = await spawnCommand(['code'], { env, cwd }).exit
    expect(piped).toMatchObject({ code: 2, stdout: '' })
    expect(piped.stderr).toContain('Codes are only shown in a terminal')
    const elsewhere = offline.terminal()
    expect(await elsewhere.run('--home', join(cwd, 'none'), 'code')).toBe(6)
    expect(elsewhere.stderr).toContain('No server is running')
  })
})

/** A `systemctl` that does what the unit says, as far as a start goes. */
function fakeSystemctl({ home }: Offline, enable: string): string {
  const bin = join(home, 'bin')
  mkdirSync(bin)
  const file = join(bin, 'systemctl')
  writeFileSync(
    file,
    `#!/bin/sh
unit='${home}/.config/systemd/user/dorkos.service'
echo "$*" >> '${home}/systemctl.log'
case "$2" in
  enable) ${enable} ;;
  is-failed) test -e '${home}/failed' ;;
esac
`,
  )
  chmodSync(file, 0o755)
  return bin
}

const startUnit = `cd "$(sed -n 's/^WorkingDirectory=//p' "$unit")"
    eval set -- "$(sed -n 's/^ExecStart=//p' "$unit")"
    setsid "$@" > "$HOME/service.log" 2>&1 < /dev/null &`

function installer(offline: Offline, enable: string, isTTY = true) {
  const PATH = `${fakeSystemctl(offline, enable)}:${offline.env.PATH}`
  const env = { ...offline.env, PATH, DORKOS_PORT: '0' }
  const terminal = new FakeTerminal({ env, cwd: offline.cwd, isTTY, reconnectMs: isTTY ? 50_000 : 1000 })
  return Object.assign(terminal, { context: Object.assign(terminal.context, { script: main }) })
}

async function stopService({ home }: Offline): Promise<void> {
  const { pid } = await serverFileOf(home)
  process.kill(pid, 'SIGTERM')
  await expect.poll(() => isThere(pid)).toBe(false)
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('dorkos service install --now', () => {
  it('waits for the server, and shows the link there and then', async () => {
    await using offline = await startOffline([])
    const terminal = installer(offline, startUnit)
    expect(await terminal.run('service', 'install', '--now')).toBe(0)
    try {
      expect(terminal.stderr).toContain('Waiting for the server…')
      const { url } = await serverFileOf(offline.home)
      const link = codeIn(terminal.stdout, /http:\/\/127\.0\.0\.1:\d+\/#code=(\S+)\n/)
      expect(await rightsOf(url, link)).toEqual(all)
      const log = readFileSync(join(offline.home, 'service.log'), 'utf8')
      expect(log).toContain('run `dorkos code` in a')
      expect(log).not.toContain(link)
    } finally {
      await stopService(offline)
    }
  })

  it('says where to look when the service fails', async () => {
    await using offline = await startOffline([])
    const terminal = installer(offline, `touch '${offline.home}/failed'`)
    expect(await terminal.run('service', 'install', '--now')).toBe(6)
    expect(terminal.stderr).toContain(
      'The service didn’t start. See its log: journalctl --user -u dorkos.service',
    )
  })

  it('does not wait for ever', async () => {
    await using offline = await startOffline([])
    const terminal = installer(offline, 'true', false)
    expect(await terminal.run('service', 'install', '--now')).toBe(6)
    expect(terminal.stderr).toMatch(/server…\.+\nThe service didn’t start/)
  })
})

describe('a code that is given at the start', () => {
  const given = '4f1d0a6be2c97583b0a1c3d5e7f9'

  it('signs in once, and never again after a restart with the same environment', async () => {
    await using offline = await startOffline([])
    const env = { ...offline.env, DORKOS_SIGN_IN_CODE: given }
    const serve = async () => {
      const command = spawnCommand(['serve', '--port', '0'], { env, cwd: offline.cwd })
      await command.shown(/"msg":"started"/)
      return { ...command, url: (await serverFileOf(offline.home)).url }
    }
    const stop = async ({ child, exit }: Awaited<ReturnType<typeof serve>>) => {
      child.kill('SIGTERM')
      return exit
    }
    // Unused, it waits for the next start.
    await stop(await serve())
    const second = await serve()
    expect(await rightsOf(second.url, given)).toEqual(all)
    await expect(rightsOf(second.url, given)).rejects.toMatchObject({ code: 'gone' })
    await stop(second)
    const third = await serve()
    await expect(rightsOf(third.url, given)).rejects.toMatchObject({ code: 'gone' })
    const { stdout, stderr } = await stop(third)
    expect(stdout).toContain('the sign-in code was given before')
    expect(`${stdout}${stderr}`).not.toContain(given)
  })

  it('that is too short keeps the server from starting', async () => {
    await using offline = await startOffline([])
    const env = { ...offline.env, DORKOS_SIGN_IN_CODE: 'letmein' }
    const { code, stderr } = await spawnCommand(['serve', '--port', '0'], { env, cwd: offline.cwd }).exit
    expect(code).toBe(2)
    expect(stderr).toContain('DORKOS_SIGN_IN_CODE: the code must be random')
    expect(stderr).not.toContain('letmein')
  })
})
