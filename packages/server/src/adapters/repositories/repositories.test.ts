import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FileToCommit } from '../../core/ports/repositories.ts'
import { createRepositories } from './repositories.ts'

let root: string
let directory: string
const env = () => ({ PATH: process.env.PATH, HOME: root })
const repositories = () => createRepositories(env())

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: directory, env: env(), stdio: 'pipe' }).toString().trim()
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-repositories-')))
  directory = join(root, 'work')
  mkdirSync(directory)
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Otter')
  git('config', 'user.email', 'otter@example.org')
  write('a.txt', 'a\n')
  git('add', '.')
  git('commit', '-q', '-m', 'begin')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (path: string, text: string) => writeFileSync(join(directory, path), text)
const read = (path: string): FileToCommit => ({
  path,
  content: { kind: 'file', bytes: readFileSync(join(directory, path)) },
})
const head = () => git('rev-parse', 'HEAD')
const commit = async (files: FileToCommit[], message = 'change', at: string | undefined = head()) =>
  (await repositories().commit(directory, { files, message, head: at })).commit

describe('a commit', () => {
  it('has the files that were given and no others, whatever lies in the index', async () => {
    write('a.txt', 'b\n')
    write('new.txt', 'n\n')
    write('staged.txt', 's\n')
    git('add', 'staged.txt')
    const before = head()
    const id = await commit([read('a.txt'), read('new.txt')], 'subject\n\nbody\n')
    expect(head()).toBe(id)
    expect(git('rev-parse', 'HEAD^')).toBe(before)
    expect(git('log', '-1', '--format=%an|%ae|%B')).toBe('Otter|otter@example.org|subject\n\nbody')
    expect(git('diff-tree', '-r', '--name-status', '--no-commit-id', 'HEAD').split('\n')).toEqual([
      'M\ta.txt',
      'A\tnew.txt',
    ])
    expect(git('status', '--porcelain')).toBe('A  staged.txt')
    expect(git('reflog', '-1', '--format=%gs')).toBe('commit: subject')
  })

  it('leaves what somebody staged of the same file staged', async () => {
    write('a.txt', 'staged\n')
    git('add', 'a.txt')
    write('a.txt', 'later\n')
    const [file] = await repositories().inspect(directory, [read('a.txt')])
    expect(file).toMatchObject({ staged: 'other', committed: false })
    await commit([read('a.txt')])
    expect(git('show', ':a.txt')).toBe('staged')
    expect(git('show', 'HEAD:a.txt')).toBe('later')
  })

  it('removes files, makes links and runnable ones, from a folder below', async () => {
    mkdirSync(join(directory, 'below'))
    const files: FileToCommit[] = [
      { path: 'run.sh', content: { kind: 'executable', bytes: Buffer.from('x') } },
      { path: 'link', content: { kind: 'link', bytes: Buffer.from('run.sh') } },
    ]
    await repositories().commit(join(directory, 'below'), { files, message: 'm', head: head() })
    expect(git('ls-tree', '-r', '--format=%(objectmode) %(path)', 'HEAD').split('\n')).toEqual([
      '100644 a.txt',
      '120000 below/link',
      '100755 below/run.sh',
    ])
    rmSync(join(directory, 'a.txt'))
    await commit([{ path: 'a.txt', content: undefined }])
    expect(git('ls-tree', '-r', '--name-only', 'HEAD')).not.toContain('a.txt')
  })

  it('is the first one of a new repository', async () => {
    rmSync(join(directory, '.git'), { recursive: true })
    git('init', '-q', '-b', 'main')
    git('config', 'user.name', 'Otter')
    git('config', 'user.email', 'otter@example.org')
    expect(await repositories().state(directory)).toMatchObject({ refused: undefined, head: undefined })
    await repositories().commit(directory, { files: [read('a.txt')], message: 'm', head: undefined })
    expect(git('log', '--format=%s')).toBe('m')
  })

  it('has line ends as the repository wants them', async () => {
    write('.gitattributes', '* text=auto\n')
    write('a.txt', 'x\r\ny\r\n')
    await commit([read('a.txt')])
    expect(git('cat-file', 'blob', 'HEAD:a.txt')).toBe('x\ny')
  })

  it('is refused where the branch moved, nothing would change, or something else is under way', async () => {
    const old = head()
    write('a.txt', 'b\n')
    git('commit', '-q', '-am', 'by a person')
    await expect(commit([read('a.txt')], 'm', old)).rejects.toMatchObject({ code: 'conflict' })
    await expect(commit([read('a.txt')])).rejects.toMatchObject({ code: 'conflict' })
    write('.git/MERGE_HEAD', head())
    write('a.txt', 'c\n')
    await expect(commit([read('a.txt')])).rejects.toThrow('A merge is in progress')
    expect((await repositories().state(directory)).refused?.message).toContain('A merge')
  })

  it('says when another git holds the index', async () => {
    write('a.txt', 'b\n')
    write('.git/index.lock', '')
    const files = [read('a.txt')]
    const made = await repositories().commit(directory, { files, message: 'm', head: head() })
    expect(made).toEqual({ commit: head(), indexUpdated: false })
  })

  it('leaves nothing behind', async () => {
    write('a.txt', 'b\n')
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('dorkos-commit-'))
    const before = folders()
    await commit([read('a.txt')])
    expect(folders().filter((name) => !before.includes(name))).toEqual([])
  })
})

describe('the index', () => {
  const stage = (files: FileToCommit[], staged = true, alsoOthers = false) =>
    repositories().stage(directory, { files, staged, alsoOthers })
  const stagedOf = async (files: FileToCommit[]) =>
    (await repositories().inspect(directory, files)).map(({ staged }) => staged)
  const inIndex = () => git('diff', '--cached', '--name-status').split('\n').filter(Boolean)
  const gone = (path: string): FileToCommit => ({ path, content: undefined })

  it('gets the files that were given and no others, and gives them back', async () => {
    write('b.txt', 'b\n')
    write('c.txt', 'c\n')
    git('add', 'b.txt', 'c.txt')
    git('commit', '-q', '-m', 'more')
    write('a.txt', 'changed\n')
    rmSync(join(directory, 'b.txt'))
    write('c.txt', 'left\n')
    write('new.txt', 'n\n')
    const before = head()
    const files = [read('a.txt'), gone('b.txt'), read('new.txt')]
    expect(await stagedOf(files)).toEqual(['none', 'none', 'none'])
    await stage(files)
    expect(inIndex()).toEqual(['M\ta.txt', 'D\tb.txt', 'A\tnew.txt'])
    expect(await stagedOf([...files, read('c.txt')])).toEqual(['same', 'same', 'same', 'none'])
    expect(head()).toBe(before)
    await stage(files, false)
    expect(inIndex()).toEqual([])
    expect(git('status', '--porcelain')).toContain('?? new.txt')
    expect(await stagedOf(files)).toEqual(['none', 'none', 'none'])
  })

  it('keeps what somebody staged of a file and has nowhere else, unless that may go', async () => {
    write('a.txt', 'staged\n')
    git('add', 'a.txt')
    write('a.txt', 'later\n')
    write('new.txt', 'n\n')
    const files = [read('new.txt'), read('a.txt')]
    const refused = { code: 'conflict', details: { reason: 'staged', paths: ['a.txt'] } }
    await expect(stage(files)).rejects.toMatchObject(refused)
    await expect(stage(files, false)).rejects.toMatchObject(refused)
    expect(git('show', ':a.txt')).toBe('staged')
    expect(inIndex()).toEqual(['M\ta.txt'])
    await stage(files, true, true)
    expect(inIndex()).toEqual(['M\ta.txt', 'A\tnew.txt'])
    expect(git('show', ':a.txt')).toBe('later')
  })

  it('has line ends as the repository wants them, and knows such a file again', async () => {
    write('.gitattributes', '* text=auto\n')
    write('a.txt', 'x\r\ny\r\n')
    await stage([read('a.txt')])
    expect(git('cat-file', 'blob', ':a.txt')).toBe('x\ny')
    expect(await repositories().inspect(directory, [read('a.txt')])).toMatchObject([{ staged: 'same' }])
    await commit([read('a.txt')])
    expect(await repositories().inspect(directory, [read('a.txt')])).toMatchObject([{ committed: true }])
  })

  it('is left alone where a filter should change a file, a merge is under way, or another git holds it', async () => {
    write('.gitattributes', '*.bin filter=lfs\n')
    write('large.bin', 'x')
    await expect(stage([read('large.bin')])).rejects.toMatchObject({ code: 'conflict' })
    write('a.txt', 'b\n')
    write('.git/index.lock', '')
    await expect(stage([read('a.txt')])).rejects.toThrow('locked')
    rmSync(join(directory, '.git/index.lock'))
    write('.git/MERGE_HEAD', head())
    await expect(stage([read('a.txt')])).rejects.toThrow('A merge')
    expect(git('ls-files', '-s')).not.toContain('large.bin')
    expect(git('show', ':a.txt')).toBe('a')
  })

  it('of a new repository is the first to know a file', async () => {
    rmSync(join(directory, '.git'), { recursive: true })
    git('init', '-q', '-b', 'main')
    await stage([read('a.txt')])
    expect(git('status', '--porcelain')).toBe('A  a.txt')
    await stage([read('a.txt')], false)
    expect(git('status', '--porcelain')).toBe('?? a.txt')
  })
})

describe('in a hostile repository', () => {
  it('runs nothing that it names, and says what would have run', async () => {
    const marker = join(root, 'it-ran')
    const script = join(root, 'evil.sh')
    writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> '${marker}'\ncat\n`, { mode: 0o755 })
    const hooks = ['pre-commit', 'commit-msg', 'post-commit', 'reference-transaction', 'post-index-change']
    for (const hook of hooks) symlinkSync(script, join(directory, '.git/hooks', hook))
    for (const [key, value] of [
      ['core.fsmonitor', script],
      ['core.editor', script],
      ['core.pager', script],
      ['core.sshCommand', script],
      ['gpg.program', script],
      ['commit.gpgSign', 'true'],
      ['user.signingKey', 'x'],
      ['filter.evil.clean', script],
      ['filter.evil.process', script],
      ['diff.external', script],
      ['alias.commit-tree', `!${script}`],
      ['trace2.eventTarget', join(root, 'traced')],
    ] as const)
      git('config', key, value)
    write('a.txt', 'b\n')
    expect(await repositories().state(directory)).toMatchObject({
      refused: undefined,
      signs: true,
      hooks: expect.arrayContaining(['pre-commit', 'reference-transaction']),
    })
    await repositories().inspect(directory, [read('a.txt')])
    for (const staged of [true, false])
      await repositories().stage(directory, { files: [read('a.txt')], staged, alsoOthers: true })
    await commit([read('a.txt')])
    expect(existsSync(marker)).toBe(false)
    // The trap is a real one: git by itself walks into it.
    expect(() => git('commit', '--allow-empty', '-m', 'x')).toThrow()
    expect(existsSync(marker)).toBe(true)
  })

  it('refuses files that a filter should change', async () => {
    write('.gitattributes', '*.bin filter=lfs\n')
    write('large.bin', 'x')
    const [file, other] = await repositories().inspect(directory, [read('large.bin'), read('a.txt')])
    expect(file?.refused?.message).toContain('“lfs”')
    expect(other?.refused).toBeUndefined()
    await expect(commit([read('large.bin')])).rejects.toMatchObject({ code: 'conflict' })
    write('.git/info/attributes', 'a.txt filter=secret\n')
    write('a.txt', 'b\n')
    await expect(commit([read('a.txt')])).rejects.toMatchObject({ code: 'conflict' })
  })

  describe('whose .git leads elsewhere', () => {
    let other: string
    beforeEach(() => {
      other = join(root, 'other')
      execFileSync('git', ['clone', '-q', directory, other], { env: env(), stdio: 'pipe' })
      write('a.txt', 'b\n')
    })
    const aside = () => renameSync(join(directory, '.git'), join(root, 'aside'))

    it.each<[string, () => void]>([
      ['by a link', () => symlinkSync(join(other, '.git'), join(directory, '.git'))],
      ['by a file', () => write('.git', `gitdir: ${join(other, '.git')}\n`)],
      [
        'by its common folder',
        () => {
          renameSync(join(root, 'aside'), join(directory, '.git'))
          write('.git/commondir', join(other, '.git'))
        },
      ],
      [
        'by its objects',
        () => {
          renameSync(join(root, 'aside'), join(directory, '.git'))
          rmSync(join(directory, '.git/objects'), { recursive: true })
          symlinkSync(join(other, '.git/objects'), join(directory, '.git/objects'))
        },
      ],
    ])('commits nothing there: %s', async (_how, lead) => {
      const before = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: other, env: env() }).toString().trim()
      aside()
      lead()
      expect((await repositories().state(directory)).refused?.message).toContain('elsewhere')
      await expect(commit([read('a.txt')], 'm', before)).rejects.toMatchObject({ code: 'conflict' })
      expect(execFileSync('git', ['rev-parse', 'HEAD'], { cwd: other, env: env() }).toString().trim()).toBe(
        before,
      )
    })
  })

  it('a work tree of a repository that knows of it is committed to', async () => {
    const tree = join(root, 'tree')
    git('worktree', 'add', '-q', '-b', 'side', tree)
    writeFileSync(join(tree, 'a.txt'), 'in the tree\n')
    const state = await repositories().state(tree)
    expect(state).toMatchObject({ refused: undefined, branch: 'side' })
    const content = { kind: 'file' as const, bytes: Buffer.from('in the tree\n') }
    const files = [{ path: 'a.txt', content }]
    const made = await repositories().commit(tree, { files, message: 'm', head: state.head })
    expect(made.indexUpdated).toBe(true)
    expect([git('rev-parse', 'side'), git('rev-parse', 'main')]).toEqual([made.commit, state.head])
  })
})

it('says why there is nothing to commit to', async () => {
  const outside = join(root, 'outside')
  mkdirSync(outside)
  expect((await repositories().state(outside)).refused?.message).toBe(
    'This folder isn’t in a git repository.',
  )
  const without = createRepositories({ PATH: '' })
  expect((await without.state(directory)).refused?.message).toBe('Git isn’t installed.')
  git('config', '--unset', 'user.name')
  expect((await repositories().state(directory)).refused?.message).toContain('user.name')
})
