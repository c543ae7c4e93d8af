import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { say } from '@dorkos/shared'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { containerConfigDirs, createContainers } from './containers.ts'
import { type FoundContainerTools, findContainerTools } from './find-container-tools.ts'

const found = await findContainerTools({ PATH: process.env.PATH })
const none: FoundContainerTools = {
  tools: undefined,
  reason: say('cli_words', { text: 'socat not installed' }),
}
let root: string
let home: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-containers-')))
  home = join(root, 'state')
  mkdirSync(home)
})
afterEach(() => rmSync(root, { recursive: true }))

const make = (tools: FoundContainerTools = none, state = home) =>
  createContainers({ home: state, demo: false, found: tools, closedFolders: [join(root, 'owner')] })

describe('folders', () => {
  it('are found again, apart for the demo model, and only under names of workspaces', async () => {
    const containers = make()
    expect(containers.configDirOf('ws_1')).toBeUndefined()
    const made = await containers.prepare('ws_1')
    expect(made).toBe(`${home}-containers/ws_1/config`)
    expect(containers.configDirOf('ws_1')).toBe(made)
    expect(containers.configDirOf(undefined)).toBeUndefined()
    expect(containers.configDirOf('../state')).toBeUndefined()
    await expect(containers.prepare('../state')).rejects.toThrow()
    mkdirSync(`${home}-containers/other/config`, { recursive: true })
    expect(containerConfigDirs(home, false)).toEqual([made])
    expect(containerConfigDirs(home, true)).toEqual([])
  })

  it('sockets of an earlier run are removed, and a state folder too deep for them is a fault', async () => {
    mkdirSync(join(home, 'run'))
    writeFileSync(join(home, 'run', 'left.sock'), '')
    if (!found.tools) return
    expect(make(found).fault).toBeUndefined()
    expect(() => rmSync(join(home, 'run'))).toThrow('ENOENT')
    expect(make(found, join(root, 'x'.repeat(90))).fault?.message).toContain('too long')
  })
})

it('without the tools, nothing is checked or wrapped, and the reason is reported', async () => {
  const containers = make()
  await expect(containers.check(join(root, 'work'))).rejects.toThrow('socat not installed')
  const gateway = { socket: '/x', port: 1 }
  const spec = { workspacePath: root, closed: [], configDir: root, outputs: root, gateway }
  await expect(containers.wrap(spec)).rejects.toThrow('socat not installed')
})

describe.skipIf(!found.tools)('the container', () => {
  let server: Server
  afterEach(() => server?.close())

  async function run(
    before: (workspace: string) => void,
    between: (workspace: string) => void,
    command: string,
  ) {
    const workspacePath = join(root, 'work')
    mkdirSync(workspacePath)
    before(workspacePath)
    const containers = make(found)
    const configDir = await containers.prepare('ws_1')
    const socket = await containers.freeSocket('s')
    server = createServer((connection) => connection.end('hello from outside'))
    await new Promise<void>((resolve) => server.listen(socket, resolve))
    const wrap = await containers.wrap({
      workspacePath,
      closed: [join(workspacePath, 'deep', 'down', 'script.sh')],
      configDir,
      outputs: await containers.freeOutputs('ws_1', 's'),
      gateway: { socket, port: 4321 },
    })
    between(workspacePath)
    // A shell stands for the CLI: its only argument must look like one.
    const cli = { command: '/bin/sh', args: ['-c', command], cwd: workspacePath, env: {} }
    const wrapped = wrap(cli)
    // Beside this thread, which must answer at the socket.
    return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) =>
      execFile(wrapped.command, wrapped.args, { env: { PATH: '/usr/bin:/bin' } }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      ),
    )
  }

  it('runs a command in the workspace, and brings it to the socket', async () => {
    const read = 'for i in 1 2 3 4 5 6 7 8 9; do socat -u TCP:127.0.0.1:4321 - && break; sleep 0.2; done'
    const { stdout, code } = await run(
      () => {},
      () => {},
      `pwd; cat /etc/hosts; ${read} 2>/dev/null`,
    )
    expect(code).toBe(0)
    expect(stdout).toBe(
      `${join(root, 'work')}\n127.0.0.1 localhost container\n::1 localhost\nhello from outside`,
    )
  })

  it.each([
    ['the workspace', (work: string) => [work, join(root, 'secret')]],
    ['what is closed in it', (work: string) => [join(work, '.git', 'hooks'), join(root, 'secret')]],
  ])('starts nothing when %s was replaced after it was looked at', async (_what, paths) => {
    const { code, stdout, stderr } = await run(
      (work) => mkdirSync(join(work, '.git', 'hooks'), { recursive: true }),
      (work) => {
        const [path = '', target = ''] = paths(work)
        mkdirSync(join(target, '.git', 'hooks'), { recursive: true })
        writeFileSync(join(target, 'key'), 'CANARY')
        renameSync(path, join(root, 'moved'))
        symlinkSync(target, path)
      },
      'cat key .git/hooks/key; echo ran',
    )
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/was replaced|bwrap:/)
  })

  it('lets nobody change or move what is closed', async () => {
    const { stdout } = await run(
      (work) => {
        mkdirSync(join(work, 'deep', 'down'), { recursive: true })
        writeFileSync(join(work, 'deep', 'down', 'script.sh'), 'as it was')
      },
      () => {},
      `exec 2>/dev/null; cd deep; echo x > down/script.sh; rm down/script.sh; mv down d; cd ..; mv deep e
       echo free > deep/down/other; cat deep/down/*`,
    )
    expect(stdout).toBe('free\nas it was')
  })

  it('takes no script for the CLI', async () => {
    const containers = make(found)
    const gateway = { socket: '/x', port: 1 }
    const wrap = await containers.wrap({
      workspacePath: root,
      closed: [],
      configDir: root,
      outputs: root,
      gateway,
    })
    const script = { command: process.execPath, args: ['/x/cli.js', '--verbose'], cwd: root, env: {} }
    expect(() => wrap(script)).toThrow('/x/cli.js')
  })
})

it('finds out what bubblewrap can do', async () => {
  const bin = join(root, 'bin')
  mkdirSync(bin)
  const find = () => findContainerTools({ PATH: bin }, 'linux')
  const add = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  }
  expect(await find()).toMatchObject({ reason: { message: expect.stringContaining('bubblewrap and socat') } })
  add('socat', 'exit 0')
  add('bwrap', 'echo no rights >&2; exit 1')
  expect(await find()).toMatchObject({ reason: { message: expect.stringContaining('no rights') } })
  add('bwrap', 'case "$*" in *--disable-userns*) exit 1;; esac; exit 0')
  expect((await find()).tools?.flags).not.toContain('--disable-userns')
  add('bwrap', 'exit 0')
  expect((await find()).tools?.flags).toContain('--disable-userns')
  expect(await findContainerTools({ PATH: bin }, 'darwin')).toMatchObject({
    reason: { message: expect.stringContaining('Linux') },
  })
})
