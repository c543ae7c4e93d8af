import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findProgram, findSandbox, noNamespaces } from './find-sandbox.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'find-sandbox-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function add(name: string, body = 'exit 0'): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  return path
}
const find = (platform: NodeJS.Platform = 'linux') => findSandbox({ PATH: folder }, platform)

describe('findSandbox', () => {
  it('needs bubblewrap and socat on Linux, and says what to install', async () => {
    expect((await find()).reason?.message).toBe(
      'bubblewrap and socat not installed; on Debian, run apt-get install bubblewrap socat',
    )
    add('bwrap')
    expect((await find()).reason?.message).toBe('socat not installed; on Debian, run apt-get install socat')
    add('socat')
    expect(await find()).toEqual({ available: true, reason: undefined })
  })

  it('does not take a bubblewrap that cannot work here', async () => {
    add('socat')
    add('bwrap', 'echo "No permissions to create a new namespace" >&2; exit 1')
    const { available, reason } = await find()
    expect(available).toBe(false)
    expect(reason?.message).toContain('No permissions to create a new namespace')
  })

  it('tries it with namespaces of its own', async () => {
    add('socat')
    add('bwrap', '[ "$1" = --unshare-all ] || exit 1')
    expect((await find()).available).toBe(true)
  })

  it('says so where the program cannot even be started', async () => {
    add('socat')
    writeFileSync(join(folder, 'bwrap'), 'no program at all', { mode: 0o755 })
    expect((await find()).available).toBe(false)
  })

  it('needs nothing on macOS, and has nothing elsewhere', async () => {
    expect(await find('darwin')).toEqual({ available: true, reason: undefined })
    expect((await find('win32')).reason?.message).toBe('there’s no sandbox for win32')
  })
})

it.each([
  ['kernel/apparmor_restrict_unprivileged_userns', '1', 'AppArmor denies them to users'],
  ['kernel/unprivileged_userns_clone', '0', 'sysctl kernel.unprivileged_userns_clone=1'],
  ['user/max_user_namespaces', '0', 'sysctl user.max_user_namespaces='],
])('where the system forbids namespaces by %s, says what to do', (setting, value, words) => {
  const said = (found: string) => noNamespaces('no', (name) => (name === setting ? found : undefined)).message
  expect(said(value)).toMatch(/^bubblewrap can’t create namespaces here \(no\) because /)
  expect(said(value)).toContain(words)
  expect(said('5')).toBe('bubblewrap can’t create namespaces here (no)')
})

describe('findProgram', () => {
  it('takes the first on the PATH that can be run', async () => {
    const path = add('tool')
    expect(await findProgram('tool', { PATH: `/nowhere:${folder}:/usr/bin` })).toBe(path)
    chmodSync(path, 0o644)
    expect(await findProgram('tool', { PATH: folder })).toBeUndefined()
    expect(await findProgram('tool', {})).toBeUndefined()
  })

  it('never looks in relative folders: a workspace could bring its own', async () => {
    add('tool')
    expect(await findProgram('tool', { PATH: `.::${relative(process.cwd(), folder)}` })).toBeUndefined()
  })
})
