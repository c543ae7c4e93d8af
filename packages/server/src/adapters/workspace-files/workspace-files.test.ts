import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspaceFiles, type WorkspaceFilesOptions } from './workspace-files.ts'

let root: string
let directory: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-files-')))
  directory = join(root, 'workspace')
  mkdirSync(directory)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const withGit = () => ({ PATH: process.env.PATH, HOME: root })
const withoutGit = { PATH: '' }

function write(name: string, content = ''): void {
  mkdirSync(dirname(join(directory, name)), { recursive: true })
  writeFileSync(join(directory, name), content)
}

function git(...parameters: string[]): void {
  const own = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...own, ...parameters], { cwd: directory, env: withGit(), stdio: 'ignore' })
}

async function list(options: Partial<WorkspaceFilesOptions> = {}) {
  const files = createWorkspaceFiles({ env: withGit(), closed: [], ...options })
  const found = await files.list(directory)
  return {
    files: found.files.toSorted(),
    directories: found.directories.toSorted(),
    complete: found.complete,
  }
}

/** Names that could forge what a person or a model reads. */
const hostileNames = [
  'line\nbreak.txt',
  'bell\u0007.txt',
  'esc\u001b[31m.txt',
  'tab\t.txt',
  'rtl\u202egpj.exe',
  'no\u200broom.txt',
  'join\u200der.txt',
  'mark\ufeff.txt',
  'soft\u00adhyphen.txt',
  'arabic\u061cmark.txt',
  'tag\u{e0041}.txt',
]

describe('in a git work tree', () => {
  beforeEach(() => {
    git('init', '-q')
  })

  it('lists what is tracked and what is new, without what is ignored', async () => {
    write('.gitignore', 'dist\n*.log\n')
    write('src/core/a.ts')
    git('add', '.')
    write('src/new.ts')
    write('dist/out.js')
    write('debug.log')
    expect(await list()).toEqual({
      files: ['.gitignore', 'src/core/a.ts', 'src/new.ts'],
      directories: ['src', 'src/core'],
      complete: true,
    })
  })

  it('lists a folder of a repository by paths from that folder', async () => {
    write('packages/one/src/a.ts')
    write('packages/two/b.ts')
    git('add', '.')
    const files = createWorkspaceFiles({ env: withGit(), closed: [] })
    expect(await files.list(join(directory, 'packages/one'))).toEqual({
      files: ['src/a.ts'],
      directories: ['src'],
      complete: true,
    })
  })

  it('walks a folder that the repository around it ignores, and repositories inside', async () => {
    write('.gitignore', 'ignored\n')
    write('ignored/a.ts')
    write('inner/src/b.ts')
    execFileSync('git', ['init', '-q', 'inner'], { cwd: directory, env: withGit() })
    expect(await list()).toMatchObject({
      files: ['.gitignore', 'inner/src/b.ts'],
      directories: ['inner', 'inner/src'],
    })
    const files = createWorkspaceFiles({ env: withGit(), closed: [] })
    expect((await files.list(join(directory, 'ignored'))).files).toEqual(['a.ts'])
  })

  it('runs nothing that the workspace names', async () => {
    const marker = join(root, 'it-ran')
    const script = join(directory, 'evil.sh')
    write('evil.sh', `#!/bin/sh\necho ran >> '${marker}'\n`)
    chmodSync(script, 0o755)
    write('a.ts')
    git('add', '.')
    for (const hook of ['post-index-change', 'fsmonitor-watchman', 'query-watchman'])
      symlinkSync(script, join(directory, '.git/hooks', hook))
    for (const [key, value] of [
      ['core.fsmonitor', script],
      ['core.pager', script],
      ['pager.ls-files', script],
      ['core.sshCommand', script],
      ['core.gitProxy', script],
      ['core.editor', script],
      ['core.untrackedCache', 'true'],
      ['alias.ls-files', `!${script}`],
      ['protocol.ext.allow', 'always'],
      ['filter.evil.clean', script],
      ['filter.evil.process', script],
      ['credential.helper', script],
    ] as const)
      git('config', key, value)
    write('.gitattributes', '* filter=evil\n')
    rmSync(marker, { force: true })
    expect((await list()).files).toEqual(['.gitattributes', 'a.ts', 'evil.sh'])
    expect(existsSync(marker)).toBe(false)
    // The trap is a real one: git by itself walks into it.
    git('ls-files', '--cached', '--others', '--exclude-standard')
    expect(existsSync(marker)).toBe(true)
  })

  it('fetches nothing, though the index is of a partial clone and needs trees that are missing', async () => {
    const marker = join(root, 'it-ran')
    const script = join(root, 'evil.sh')
    writeFileSync(script, `#!/bin/sh\necho ran >> '${marker}'\n`, { mode: 0o755 })
    write('top.ts')
    write('folder/below.ts')
    git('add', '.')
    git('commit', '-q', '-m', 'x')
    git('sparse-checkout', 'init', '--cone', '--sparse-index')
    const tree = execFileSync('git', ['rev-parse', 'HEAD:folder'], { cwd: directory, env: withGit() })
    const hash = tree.toString().trim()
    rmSync(join(directory, '.git/objects', hash.slice(0, 2), hash.slice(2)))
    for (const [key, value] of [
      ['core.repositoryFormatVersion', '1'],
      ['extensions.partialClone', 'evil'],
      ['remote.evil.promisor', 'true'],
      ['remote.evil.url', `ext::${script}`],
      ['protocol.ext.allow', 'always'],
    ] as const)
      git('config', key, value)
    const { files } = await list()
    expect(files).toContain('top.ts')
    expect(existsSync(marker)).toBe(false)
    git('ls-files', '--cached')
    expect(existsSync(marker)).toBe(true)
  })

  it('leaves out names that forge, and links count as files that lead nowhere', async () => {
    for (const name of hostileNames) write(name)
    write('plain.txt')
    write('ünï code.txt')
    write('👩‍💻.txt')
    symlinkSync('/etc', join(directory, 'link'))
    git('add', 'plain.txt')
    expect(await list()).toEqual({
      files: ['link', 'plain.txt', 'ünï code.txt', '👩‍💻.txt'],
      directories: [],
      complete: true,
    })
  })

  it('lists nothing of a folder that is closed, tracked or not', async () => {
    write('.state/config.jsonc')
    write('.state/deep/token')
    write('.state-of-mind.md')
    git('add', '.state/config.jsonc')
    const closed = [join(directory, '.state'), join(root, 'elsewhere')]
    expect(await list({ closed })).toMatchObject({ files: ['.state-of-mind.md'], directories: [] })
    symlinkSync(join(directory, '.state'), join(root, 'by-link'))
    expect((await list({ closed: [join(root, 'by-link')] })).files).toEqual(['.state-of-mind.md'])
  })

  /** Git makes no such index, but reads it. */
  function forgeIndex(path: string): void {
    const stand = 'x'.repeat(Buffer.byteLength(path))
    const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], {
      cwd: directory,
      env: withGit(),
      input: '',
    })
    git('update-index', '--add', '--cacheinfo', `100644,${blob.toString().trim()},${stand}`)
    const index = join(directory, '.git/index')
    const bytes = readFileSync(index)
    const at = bytes.indexOf(stand)
    expect(at).toBeGreaterThan(0)
    bytes.write(path, at)
    writeFileSync(index, bytes)
  }

  it.each([
    '../secret/token.txt',
    '../secret/',
    'a/../../secret/',
    './.state/',
    'a//b.txt',
    '/etc/hostname',
    '.git/config',
    'sub/.GIT/config',
    '.state/',
    'to-secret/',
    'to-state/',
  ])('takes no path out of the index that leads elsewhere: %s', async (path) => {
    mkdirSync(join(root, 'secret'))
    writeFileSync(join(root, 'secret/token.txt'), '')
    write('.state/token')
    write('a.ts')
    symlinkSync(join(root, 'secret'), join(directory, 'to-secret'))
    symlinkSync('.state', join(directory, 'to-state'))
    forgeIndex(path)
    const raw = execFileSync('git', ['ls-files', '-z'], { cwd: directory, env: withGit() })
    expect(raw.toString()).toBe(`${path}\0`)
    const { files, directories } = await list({ closed: [join(directory, '.state')] })
    expect({ files, directories }).toEqual({ files: ['a.ts', 'to-secret', 'to-state'], directories: [] })
  })

  it.each(['to-secret/token.txt', 'to-state/token', '../secret/token.txt', '.state/token'])(
    'reveals nothing of what lies elsewhere: %s',
    async (path) => {
      mkdirSync(join(root, 'secret'))
      writeFileSync(join(root, 'secret/token.txt'), '')
      write('.state/token')
      symlinkSync(join(root, 'secret'), join(directory, 'to-secret'))
      symlinkSync('.state', join(directory, 'to-state'))
      const files = createWorkspaceFiles({ env: withGit(), closed: [join(directory, '.state')] })
      expect(await files.inspect(directory, [path])).toEqual([undefined])
    },
  )

  it('lists the directory, and not the one that its configuration names', async () => {
    const secret = join(root, 'secret')
    mkdirSync(secret)
    writeFileSync(join(secret, 'token.txt'), '')
    write('sub/a.ts')
    git('config', 'core.worktree', secret)
    expect((await list()).files).toEqual(['sub/a.ts'])
    const files = createWorkspaceFiles({ env: withGit(), closed: [] })
    expect((await files.list(join(directory, 'sub'))).files).toEqual(['a.ts'])
  })

  it('says when there are more than are listed', async () => {
    for (let index = 0; index < 30; index++) write(`file-${index}.txt`)
    const { files, complete } = await list({ maxEntries: 10 })
    expect([files.length, complete]).toEqual([10, false])
  })
})

describe('without git', () => {
  it('walks, without .git and node_modules', async () => {
    write('.git/config')
    write('node_modules/pkg/index.js')
    write('src/a.ts')
    write('src/deep/node_modules/x.js')
    mkdirSync(join(directory, 'empty'))
    expect(await list({ env: withoutGit })).toEqual({
      files: ['src/a.ts'],
      directories: ['empty', 'src', 'src/deep'],
      complete: true,
    })
  })

  it('is what happens outside of repositories too', async () => {
    write('a.ts')
    expect((await list()).files).toEqual(['a.ts'])
  })

  it('follows no link: not round in circles, and not out', async () => {
    write('a/b/c.ts')
    symlinkSync('..', join(directory, 'a/b/up'))
    symlinkSync(directory, join(directory, 'a/root'))
    symlinkSync('/etc', join(directory, 'etc'))
    symlinkSync('self', join(directory, 'self'))
    expect(await list({ env: withoutGit })).toEqual({
      files: ['a/b/c.ts', 'a/b/up', 'a/root', 'etc', 'self'],
      directories: ['a', 'a/b'],
      complete: true,
    })
  })

  it('leaves out names that forge, whole folders of them too', async () => {
    for (const name of hostileNames) write(name)
    write('new\nline/inside.txt')
    writeFileSync(Buffer.concat([Buffer.from(`${directory}/`), Buffer.from([0x66, 0xff])]), '')
    write('plain.txt')
    expect(await list({ env: withoutGit })).toEqual({ files: ['plain.txt'], directories: [], complete: true })
  })

  it('lists nothing of a folder that is closed', async () => {
    write('.state/token')
    write('sub/.state/other')
    const found = await list({ env: withoutGit, closed: [join(directory, '.state')] })
    expect(found).toMatchObject({ files: ['sub/.state/other'], directories: ['sub', 'sub/.state'] })
  })

  it('goes broad before deep, and says when it stops early', async () => {
    for (let index = 0; index < 20; index++) write(`a/b/c/deep-${index}.txt`)
    write('top.txt')
    const { files, complete } = await list({ env: withoutGit, maxEntries: 5 })
    expect([files.includes('top.txt'), complete]).toEqual([true, false])
    expect(await list({ env: withoutGit, maxMs: -1 })).toMatchObject({ files: [], complete: false })
  })

  it('leaves out what it may not read', async () => {
    write('a.txt')
    const files = createWorkspaceFiles({ env: withoutGit, closed: [] })
    expect(await files.list(join(directory, 'gone'))).toMatchObject({ files: [], complete: true })
  })
})

it('a git that does not answer is ended, and the directory walked', async () => {
  const folder = join(root, 'bin')
  mkdirSync(folder)
  writeFileSync(join(folder, 'git'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 })
  write('a.ts')
  const { files } = await list({ env: { PATH: `${folder}:${process.env.PATH}` }, maxMs: 100 })
  expect(files).toEqual(['a.ts'])
})

it('looks at what is there now, and at a link itself', async () => {
  write('a.ts')
  mkdirSync(join(directory, 'folder'))
  symlinkSync('folder', join(directory, 'link'))
  utimesSync(join(directory, 'a.ts'), 1000, 1000)
  const files = createWorkspaceFiles({ env: withoutGit, closed: [] })
  const seen = await files.inspect(directory, ['a.ts', 'gone.ts', 'folder', 'link'])
  expect(seen.map((found) => found?.kind)).toEqual(['file', undefined, 'directory', 'file'])
  expect(seen[0]?.changedAt).toBe(1_000_000)
})

describe('reading', () => {
  const symlinkInside = (name: string) => {
    write('src/b')
    symlinkSync('b', join(directory, name))
  }
  const all = { start: 0, end: 1000 }
  const reader = (closed: string[] = []) => createWorkspaceFiles({ env: withoutGit, closed })
  const read = async (path: string, closed?: string[]) =>
    (await reader(closed).read(directory, path, all))?.data.toString()

  it('gives a part of a plain file', async () => {
    write('src/a.ts', 'const a = 1')
    expect(await read('src/a.ts')).toBe('const a = 1')
    const part = await reader().read(directory, 'src/a.ts', { start: 6, end: 9 })
    expect(part).toMatchObject({ bytes: 11, version: expect.stringContaining('-11-') })
    expect(part?.data.toString()).toBe('a =')
    const beyond = await reader().read(directory, 'src/a.ts', { start: 99, end: 100 })
    expect(beyond?.data).toHaveLength(0)
    write('src/a.ts', 'const a = 2 ')
    expect((await reader().read(directory, 'src/a.ts', all))?.version).not.toBe(part?.version)
  })

  it('knows names with spaces and other letters', async () => {
    for (const name of ['a file.txt', 'größe.md', '-rf', '日本.txt', '.env']) {
      write(name, name)
      expect(await read(name)).toBe(name)
    }
  })

  it('is the directory’s own where a link leads to that', async () => {
    write('a', 'here')
    symlinkSync(directory, join(root, 'link'))
    const part = await reader().read(join(root, 'link'), 'a', all)
    expect(part?.data.toString()).toBe('here')
  })

  it.each<[string, string, () => void]>([
    ['what is not there', 'nothing', () => {}],
    ['a folder', 'folder', () => mkdirSync(join(directory, 'folder'))],
    ['what lies above', '../secret', () => {}],
    ['an absolute path', '/etc/passwd', () => {}],
    ['a way through the folder above', 'src/../../secret', () => write('src/a')],
    ['a way with a dot', './a', () => write('a')],
    ['an empty part', 'src//a', () => write('src/a')],
    ['a trailing slash', 'a/', () => write('a')],
    ['a link', 'a', () => symlinkSync(join(root, 'secret'), join(directory, 'a'))],
    ['a link inside', 'src/a', () => symlinkInside('src/a')],
    ['behind a link', 'up/secret', () => symlinkSync(root, join(directory, 'up'))],
    ['another name of a file', 'a', () => linkSync(join(root, 'secret'), join(directory, 'a'))],
    ['a pipe', 'pipe', () => void execFileSync('mkfifo', [join(directory, 'pipe')])],
    ['git’s own files', '.git/config', () => write('.git/config')],
    ['git’s own files below', 'sub/.GIT/config', () => write('sub/.GIT/config')],
    ['a name that turns around', 'a\u202etxt.exe', () => write('a\u202etxt.exe')],
    ['a name with a line break', 'a\nb', () => write('a\nb')],
  ])('gives nothing of %s', async (_what, path, prepare) => {
    writeFileSync(join(root, 'secret'), 'a key')
    prepare()
    expect(await read(path)).toBeUndefined()
  })

  it('gives nothing of what is closed, also by another way', async () => {
    write('state/token', 'a key')
    write('other', 'open')
    symlinkSync(join(directory, 'state'), join(directory, 'way'))
    const closed = [join(directory, 'way')]
    expect(await read('state/token', closed)).toBeUndefined()
    expect(await read('way/token', closed)).toBeUndefined()
    expect(await read('other', closed)).toBe('open')
    expect(await read('other', [directory])).toBeUndefined()
  })
})
