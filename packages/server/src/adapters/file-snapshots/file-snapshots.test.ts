import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileSnapshotsConformance } from '../../core/ports/file-snapshots.conformance.ts'
import type { FileSnapshots } from '../../core/ports/file-snapshots.ts'
import { createWorkspaceFiles } from '../workspace-files/workspace-files.ts'
import type { Bounds } from './directory-files.ts'
import { createFileSnapshots } from './file-snapshots.ts'

let root: string
let directory: string
let snapshots: FileSnapshots
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-snapshots-')))
  directory = join(root, 'workspace')
  mkdirSync(directory)
  snapshots = open()
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const env = () => ({ PATH: process.env.PATH, HOME: root })

function open(bounds: Partial<Bounds> = {}, PATH = process.env.PATH): FileSnapshots {
  const files = createWorkspaceFiles({ env: { ...env(), PATH }, closed: [join(directory, '.state')] })
  return createFileSnapshots({ folder: join(root, 'kept'), files, bounds })
}

const size = () => {
  const all = readdirSync(join(root, 'kept'), { recursive: true, encoding: 'utf8', withFileTypes: true })
  return all
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

describe.each([
  ['with git', process.env.PATH],
  ['without git', ''],
])('%s', (name, PATH) => {
  beforeEach(() => {
    snapshots = open({}, PATH)
  })
  fileSnapshotsConformance(name, () => ({ snapshots, directory, reopen: () => open({}, PATH), size }))
})

function write(name: string, content = ''): void {
  mkdirSync(dirname(join(directory, name)), { recursive: true })
  writeFileSync(join(directory, name), content)
}

const git = (...parameters: string[]) =>
  execFileSync('git', parameters, { cwd: directory, env: env(), stdio: 'ignore' })

const holder = () => ({ directory, sessionId: 'one' })
const take = async (named: string[] = []) => (await snapshots.take(holder(), named)).tree
const changed = async (before: string, after: string) =>
  (await snapshots.changed(directory, before, after)).map(({ path }) => path)

async function contents(tree: string, ...paths: string[]): Promise<(string | undefined)[]> {
  const versions = await snapshots.inTree(directory, tree, paths)
  return Promise.all(
    versions.map(async (one) => one && (await snapshots.read(directory, one))?.toString('latin1')),
  )
}

describe('in a hostile directory', () => {
  it('runs nothing that the directory names, and keeps the bytes as they are', async () => {
    git('init', '-q')
    const marker = join(root, 'it-ran')
    const script = join(directory, 'evil.sh')
    write('evil.sh', `#!/bin/sh\necho ran >> '${marker}'\ncat\n`)
    chmodSync(script, 0o755)
    write('crlf.txt', 'one\r\n$Id$ \xff\r\n')
    git('add', '.')
    for (const hook of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction', 'pre-commit'])
      symlinkSync(script, join(directory, '.git/hooks', hook))
    for (const [key, value] of [
      ['core.fsmonitor', script],
      ['core.autocrlf', 'input'],
      ['filter.evil.clean', script],
      ['filter.evil.smudge', script],
      ['filter.evil.process', script],
      ['filter.evil.required', 'true'],
    ] as const)
      git('config', key, value)
    write('.gitattributes', '* filter=evil ident text=auto\n')
    rmSync(marker, { force: true })
    const bytes = readFileSync(join(directory, 'crlf.txt'))
    const before = await take()
    write('crlf.txt', 'two\r\n')
    const after = await take()
    const [change] = await snapshots.changed(directory, before, after)
    expect(await snapshots.write(directory, 'crlf.txt', change?.before, change?.after)).toBe(true)
    expect(readFileSync(join(directory, 'crlf.txt'))).toEqual(bytes)
    expect(existsSync(marker)).toBe(false)
    // The trap is a real one: git by itself walks into it.
    expect(() => git('add', 'crlf.txt')).toThrow()
    expect(existsSync(marker)).toBe(true)
  })

  it('reads nothing through a link, neither a file nor a folder', async () => {
    mkdirSync(join(root, 'secret'))
    writeFileSync(join(root, 'secret/token.txt'), 'token')
    write('sub/token.txt', 'mine')
    const before = await take()
    rmSync(join(directory, 'sub'), { recursive: true })
    symlinkSync(join(root, 'secret'), join(directory, 'sub'))
    symlinkSync(join(root, 'secret/token.txt'), join(directory, 'direct'))
    const after = await take(['sub/token.txt', '../secret/token.txt'])
    expect(await contents(after, 'sub/token.txt', 'direct')).toEqual([
      undefined,
      join(root, 'secret/token.txt'),
    ])
    expect(await snapshots.now(directory, ['sub/token.txt', '../secret/token.txt'])).toEqual([
      undefined,
      undefined,
    ])
    // Nor is anything written or removed there.
    const [mine] = await snapshots.inTree(directory, before, ['sub/token.txt'])
    for (const path of ['sub/token.txt', 'sub/new.txt', '../secret/new.txt'])
      expect(await snapshots.write(directory, path, mine, undefined)).toBe(false)
    expect(readdirSync(join(root, 'secret'))).toEqual(['token.txt'])
    expect(readFileSync(join(root, 'secret/token.txt'), 'utf8')).toBe('token')
  })

  it('a folder that becomes a link while something is written is not followed', async () => {
    mkdirSync(join(root, 'secret'))
    write('sub/deep/a.txt', 'a')
    const before = await take()
    write('sub/deep/a.txt', 'b')
    const [change] = await snapshots.changed(directory, before, await take())
    const writing = Promise.all(
      Array.from({ length: 20 }, () =>
        snapshots.write(directory, 'sub/deep/a.txt', change?.before, undefined),
      ),
    )
    renameSync(join(directory, 'sub/deep'), join(directory, 'sub/aside'))
    symlinkSync(join(root, 'secret'), join(directory, 'sub/deep'))
    await writing
    expect(readdirSync(join(root, 'secret'))).toEqual([])
  })

  it('keeps nothing of what is closed to agents, nor of a repository’s own files', async () => {
    git('init', '-q')
    write('.state/token', 'token')
    write('inner/.git/config', 'x')
    write('inner/a.txt', 'a')
    write('plain.txt')
    const tree = await take(['.state/token', '.git/config', 'inner/.git/config'])
    expect(await contents(tree, '.state/token', '.git/config', 'inner/.git/config', 'inner/a.txt')).toEqual([
      undefined,
      undefined,
      undefined,
      'a',
    ])
    const [version] = await snapshots.inTree(directory, tree, ['plain.txt'])
    for (const path of ['.git/hooks/pre-commit', 'a/.git/config', 'new\nline', '/etc/x', 'folder/'])
      expect(await snapshots.write(directory, path, version, undefined)).toBe(false)
  })

  it('does not wait for a pipe', async () => {
    execFileSync('mkfifo', [join(directory, 'pipe')])
    write('a.txt', 'a')
    expect(await contents(await take(['pipe']), 'a.txt', 'pipe')).toEqual(['a', undefined])
  })

  it('a change that sets size and time back is seen', async () => {
    write('a.txt', 'aaaa')
    utimesSync(join(directory, 'a.txt'), 1000, 1000)
    const before = await take()
    write('a.txt', 'bbbb')
    utimesSync(join(directory, 'a.txt'), 1000, 1000)
    expect(await changed(before, await take())).toEqual(['a.txt'])
  })
})

describe('what git ignores', () => {
  beforeEach(() => {
    git('init', '-q')
    write('.gitignore', '.env\n')
    write('.env', 'SECRET=1')
  })

  it('is kept once somebody names it, and from then on', async () => {
    const before = await take(['.env'])
    write('.env', 'SECRET=2')
    expect(await changed(before, await take())).toEqual(['.env'])
  })

  it('is not taken for removed or made where only the list of what is ignored changes', async () => {
    write('old.txt', 'old')
    const since = Date.now() + 10_000
    const tree = await take()
    write('.gitignore', 'old.txt\n')
    const { before, tree: after } = await snapshots.takeAfter(holder(), { tree, since }, [])
    expect(await changed(before, after)).toEqual(['.gitignore'])
    expect(await changed(tree, after)).toEqual(['.env', '.gitignore'])
  })

  it('is in what was before, if it was there unchanged', async () => {
    const tree = await take()
    const later = { tree, since: Date.now() + 10_000 }
    const added = await snapshots.addUnseen(holder(), later, '.env')
    expect(await contents(added, '.env')).toEqual(['SECRET=1'])
    expect(await snapshots.addUnseen(holder(), { tree, since: Date.now() }, '.env')).toBe(tree)
  })
})

describe('bounds', () => {
  it('says when there are more files than are looked at', async () => {
    for (let index = 0; index < 10; index++) write(`${index}.txt`, 'x')
    expect((await open({ maxEntries: 5 }).take(holder(), [])).complete).toBe(false)
    expect((await open().take(holder(), [])).complete).toBe(true)
  })

  it('says when there is more than is read, and takes nothing for changed because of it', async () => {
    for (let index = 0; index < 10; index++) write(`${index}.txt`, 'x'.repeat(100))
    snapshots = open({ maxBytes: 200 })
    const { tree, complete } = await snapshots.take(holder(), [])
    expect(complete).toBe(false)
    await expect(snapshots.changed(directory, tree, tree)).resolves.toEqual([])
  })
})

it('a crash while contents are written leaves nothing that counts', async () => {
  write('a.txt', 'a')
  const tree = await take()
  const [kept = ''] = readdirSync(join(root, 'kept'))
  writeFileSync(join(root, 'kept', kept, 'contents', 'cut-off.pack'), 'half')
  snapshots = open()
  expect(await contents(tree, 'a.txt')).toEqual(['a'])
  expect(existsSync(join(root, 'kept', kept, 'contents', 'cut-off.pack'))).toBe(false)
})
