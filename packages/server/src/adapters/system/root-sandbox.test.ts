import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SystemUser } from '../../core/ports/agent.ts'
import { createRootSandbox } from './root-sandbox.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'root-sandbox-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** A bubblewrap that prints its arguments. */
async function prepared(user?: SystemUser) {
  writeFileSync(join(home, 'bwrap'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 })
  const sandbox = createRootSandbox(home, { PATH: `${home}:/usr/bin:/bin`, HOME: '/root' })
  await sandbox.prepare(user)
  const run = (...args: string[]) =>
    execFileSync('bwrap', args, { env: { PATH: sandbox.path(user) }, encoding: 'utf8', stdio: 'pipe' }).split(
      '\n',
    )
  return { sandbox, run }
}

it('adds to the arguments just before the command, and changes nothing else', async () => {
  const { run } = await prepared()
  const said = run('--proc', '/proc', '--setenv', 'A', "it's  two\twords", '--', 'sh', '-c', '-- "x"', '--')
  expect(said.slice(0, 5)).toEqual(['--proc', '/proc', '--setenv', 'A', "it's  two\twords"])
  expect(said.slice(-6)).toEqual(['--', 'sh', '-c', '-- "x"', '--', ''])
  const added = said.slice(5, -6).join(' ')
  expect(added).toContain('--ro-bind /proc/sys /proc/sys')
  expect(added).toContain(`--ro-bind ${home}/bin/passwd /etc/passwd`)
  expect(added).toMatch(/--unshare-user --uid \d+ --gid \d+ --cap-drop ALL$/)
})

it.runIf(process.getuid?.() === 0)(
  'has a command be another user, in a namespace of root and that one',
  async () => {
    const { run } = await prepared({ uid: 23_457, gid: 0 })
    const said = run('--setenv', 'A', '', '--unshare-user', '--', 'sh', '--unshare-user')
    expect(said.slice(0, 3)).toEqual(['--setenv', 'A', ''])
    const added = said.slice(3).join(' ')
    expect(added).toContain(
      `--ro-bind ${home}/bin/as-23457-0/passwd /etc/passwd --setenv HOME /tmp/claude-23457`,
    )
    expect(added).toMatch(
      /--cap-drop ALL --cap-add CAP_SETUID --cap-add CAP_SETGID --cap-add CAP_SETPCAP -- setpriv --reuid=23457 --regid=0 .* -- sh --unshare-user $/,
    )
    expect(run('--version')).toEqual(['--version', ''])
    expect(() => run('--ro-bind', '/', '/', 'sh')).toThrow('called in an unknown way')
  },
)

it('starts nothing when it does not find where the command begins', async () => {
  const { run } = await prepared()
  expect(run('--version')).toEqual(['--version', ''])
  for (const args of [['--ro-bind', '/', '/', 'sh'], [], ['--version', 'sh']])
    expect(() => run(...args)).toThrow('called in an unknown way')
})

it('is the owner’s alone, and as it should be before each use', async () => {
  const { sandbox } = await prepared()
  const program = join(home, 'bin', 'bwrap')
  writeFileSync(program, '#!/bin/sh\nexit 0\n')
  chmodSync(program, 0o777)
  await sandbox.prepare()
  expect(statSync(program).mode & 0o777).toBe(0o700)
  expect(() => execFileSync(program, { stdio: 'pipe' })).toThrow('called in an unknown way')
})

it('can be run while others make sure of it, from the first time on', async () => {
  writeFileSync(join(home, 'bwrap'), '#!/bin/sh\n', { mode: 0o755 })
  const sandbox = createRootSandbox(home, { PATH: `${home}:/usr/bin:/bin`, HOME: '/root' })
  for (let times = 0; times < 20; times++) {
    rmSync(join(home, 'bin'), { recursive: true, force: true })
    await Promise.all([0, 1, 2, 3, 4, 5].map((ms) => sleep(ms).then(() => sandbox.prepare())))
  }
})

it('says so where there is no bubblewrap any more', async () => {
  await expect(createRootSandbox(home, { PATH: home }).prepare()).rejects.toThrow('no longer installed')
})
