/**
 * Commits, made step by step: contents, tree and commit are written with a repository of our own, which has no configuration but knows
 * the objects of theirs. Theirs is only asked for its head and settings, given the new head, and has the files put into its index; staging is that
 * alone.
 */

import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { devNull } from 'node:os'
import { join, relative, sep } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Saying, say } from '@dorkos/shared'
import { AppError } from '../../core/app-error.ts'
import type {
  FileInRepository,
  FileToCommit,
  Repositories,
  RepositoryState,
} from '../../core/ports/repositories.ts'
import { realPath } from '../../core/real-path.ts'
import { findProgram } from '../system/find-sandbox.ts'
import { findUser } from '../system/run-as.ts'
import { gitEnvironment } from '../workspace-files/git-files.ts'
import {
  type FoundRepository,
  findHooks,
  findRepository,
  openOperation,
  readShort,
} from './find-repository.ts'
import { openOwnFolder } from './own-folder.ts'
import { GitError, type GitProgram, type GitRun, runGit } from './run-git.ts'

type Environment = Readonly<Record<string, string | undefined>>
type Run = (run: Omit<GitRun, 'cwd'>) => Promise<Buffer>

interface Opened extends FoundRepository {
  /** In their repository. */
  theirs: Run
  program: GitProgram
  /** From the work tree's root to the directory, with `/` at its end. */
  prefix: string
}

interface Entry {
  mode: string
  oid: string
}

const startedAtOnce = 8
const indexAttempts = 10
const indexPauseMs = 200

const noEntry = '0'.repeat(40)

export function createRepositories(env: Environment): Repositories {
  const open = async (given: string): Promise<Opened | Saying> => {
    const directory = await realPath(given)
    const git = await findProgram('git', env)
    if (git === undefined) return say('git_missing')
    const found = await findRepository(directory)
    if (found instanceof Saying) return found
    const { user, fault } = await findUser(found.root, env)
    if (fault !== undefined) return fault
    const setpriv = user && ((await findProgram('setpriv', env)) ?? 'setpriv')
    const program: GitProgram = {
      git,
      env: gitEnvironment(env),
      user: user && setpriv !== undefined ? { setpriv, as: user } : undefined,
    }
    const { root, gitDir } = found
    const fixed = [`--git-dir=${gitDir}`, `--work-tree=${root}`]
    const theirs: Run = ({ args, ...more }) =>
      runGit(program, { cwd: root, args: [...fixed, ...args], ...more })
    const below = relative(root, directory).split(sep).join('/')
    return { ...found, theirs, program, prefix: below === '' ? '' : `${below}/` }
  }
  const opened = async (directory: string): Promise<Opened> => {
    const repository = await open(directory)
    if (repository instanceof Saying) throw new AppError('conflict', repository)
    return repository
  }
  return {
    async state(directory) {
      const repository = await open(directory)
      if (repository instanceof Saying) return refusedState(repository)
      return stateOf(repository)
    },
    async inspect(directory, files) {
      const repository = await opened(directory)
      return withOwn(repository, (own) => inspectFiles(repository, own, files))
    },
    async stage(directory, { files, staged, alsoOthers }) {
      const repository = await opened(directory)
      const operation = await openOperation(repository)
      if (operation !== undefined) throw new AppError('conflict', operation)
      await withOwn(repository, async (own) => {
        if (!alsoOthers) await refuseOthers(repository, own, files)
        const entries = await (staged
          ? writeEntries(repository, own, files)
          : entriesOfHead(repository, files))
        const isDone = await tried(() => putIntoIndex(repository, entries))
        if (!isDone) throw new AppError('conflict', say('stage_index_locked'))
      })
    },
    async commit(directory, { files, message, head }) {
      const repository = await opened(directory)
      const state = await stateOf(repository)
      if (state.refused !== undefined) throw new AppError('conflict', state.refused)
      if (state.head !== head) throw headMoved(state.head)
      return withOwn(repository, async (own) => {
        const entries = await writeEntries(repository, own, files)
        const commit = await writeCommit(repository, own, { entries, message, head })
        await moveHead(repository, commit, head, message)
        return { commit, indexUpdated: await tried(() => updateIndex(repository, entries, head)) }
      })
    },
  }
}

const refusedState = (refused: Saying): RepositoryState => ({
  refused,
  branch: undefined,
  head: undefined,
  author: undefined,
  hooks: [],
  signs: false,
})

function headMoved(head: string | undefined): AppError {
  return new AppError('conflict', say('commit_head_moved'), {
    details: { head: head ?? null },
  })
}

/** Undefined for an exit that says no. */
async function asked(run: Promise<Buffer>): Promise<string | undefined> {
  try {
    return (await run).toString().trim()
  } catch (error) {
    if (error instanceof GitError && error.exitCode !== null) return undefined
    throw error
  }
}

async function stateOf(repository: Opened): Promise<RepositoryState> {
  const { theirs } = repository
  const [head, branch, name, email, hooksPath, signs, fault] = await Promise.all([
    headOf(theirs),
    asked(theirs({ args: ['symbolic-ref', '--quiet', '--short', 'HEAD'] })),
    settingOf(theirs, 'user.name'),
    settingOf(theirs, 'user.email'),
    settingOf(theirs, 'core.hooksPath'),
    settingOf(theirs, 'commit.gpgSign', '--type=bool'),
    openOperation(repository),
  ])
  const author = name && email ? `${name} <${email}>` : undefined
  const unnamed = author === undefined ? say('git_author_unknown') : undefined
  const unborn = head === undefined && branch === undefined ? say('git_without_head') : undefined
  return {
    refused: fault ?? unnamed ?? unborn,
    branch,
    head,
    author,
    hooks: await findHooks(repository, hooksPath),
    signs: signs === 'true',
  }
}

const headOf = (theirs: Run) => asked(theirs({ args: ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'] }))

/** As their files have it: what we give on the command line is the last word otherwise. */
async function settingOf(theirs: Run, name: string, ...type: string[]): Promise<string | undefined> {
  const all = await asked(theirs({ args: ['config', '-z', ...type, '--show-origin', '--get-all', name] }))
  const fields = all?.split('\0') ?? []
  const values = fields.flatMap((field, at) =>
    at % 2 === 0 && field.startsWith('file:') ? [fields[at + 1]] : [],
  )
  return values.at(-1)?.trim()
}

interface Own {
  run: Run
}

/** A repository of our own for one commit. Its settings for line ends are theirs; filters it has none. */
async function withOwn<T>(repository: Opened, use: (own: Own) => Promise<T>): Promise<T> {
  const { gitDir, program, theirs } = repository
  const folder = await openOwnFolder(program)
  try {
    const attributes = await readShort(join(gitDir, 'info/attributes'))
    await writeFile(folder.attributes, attributes ?? '')
    const format = await asked(theirs({ args: ['rev-parse', '--show-object-format'] }))
    const init = ['init', '-q', '--bare', '--template=', `--object-format=${format ?? 'sha1'}`, '.']
    await runGit(program, { cwd: folder.own, args: init, env: noConfig })
    const settings = ['core.bare=false', 'core.safecrlf=false', `core.attributesFile=${folder.attributes}`]
    for (const name of ['core.autocrlf', 'core.eol']) {
      const value = await settingOf(theirs, name)
      if (value !== undefined) settings.push(`${name}=${value}`)
    }
    const run = ownRun(repository, folder.own, settings)
    return await use({ run })
  } finally {
    await folder.remove()
  }
}

const noConfig = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' }

function ownRun({ root, commonDir, program }: Opened, own: string, settings: readonly string[]): Run {
  const fixed = settings.flatMap((setting) => ['-c', setting])
  const env = {
    ...noConfig,
    GIT_DIR: own,
    GIT_WORK_TREE: root,
    GIT_OBJECT_DIRECTORY: join(commonDir, 'objects'),
    GIT_INDEX_FILE: join(own, 'commit-index'),
  }
  return ({ args, ...more }) =>
    runGit(program, { cwd: root, args: [...fixed, ...args], ...more, env: { ...env, ...more.env } })
}

/** By path from the root. */
async function headEntries(theirs: Run, head: string | undefined, paths: readonly string[]) {
  if (head === undefined) return new Map<string, Entry>()
  const args = ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', head, '--']
  return entriesOf(theirs, args, paths, /^(\d+) \w+ (\w+)\t([\s\S]*)$/)
}

async function indexEntries(theirs: Run, paths: readonly string[]): Promise<Map<string, Entry>> {
  const args = ['--literal-pathspecs', 'ls-files', '-z', '--stage', '--full-name', '--']
  return entriesOf(theirs, args, paths, /^(\d+) (\w+) \d\t([\s\S]*)$/)
}

/** As many paths as a command line has room for. */
const pathsAtOnce = 200

async function entriesOf(theirs: Run, args: readonly string[], paths: readonly string[], form: RegExp) {
  const entries = new Map<string, Entry>()
  for (let start = 0; start < paths.length; start += pathsAtOnce) {
    const output = await theirs({ args: [...args, ...paths.slice(start, start + pathsAtOnce)] })
    for (const line of output.toString().split('\0')) {
      const [, mode, oid, path] = form.exec(line) ?? []
      if (mode !== undefined && oid !== undefined && path !== undefined) entries.set(path, { mode, oid })
    }
  }
  return entries
}

const modes = { file: '100644', executable: '100755', link: '120000' } as const

/** What git would call these bytes, as they are. */
function oidOf(bytes: Buffer, like: string): string {
  const algorithm = like.length === 64 ? 'sha256' : 'sha1'
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

async function inspectFiles(
  { theirs, prefix }: Opened,
  own: Own,
  files: readonly FileToCommit[],
): Promise<FileInRepository[]> {
  if (files.length === 0) return []
  const head = await headOf(theirs)
  const paths = files.map(({ path }) => prefix + path)
  const [inHead, inIndex, filters, oids] = await Promise.all([
    headEntries(theirs, head, paths),
    indexEntries(theirs, paths),
    filtersOf(own, paths),
    inPortions(files, ({ content }, at) => oidNow(own, content, paths[at] ?? '', head)),
  ])
  return files.map(({ content }, at) => {
    const path = paths[at] ?? ''
    const [old, staged, oid] = [inHead.get(path), inIndex.get(path), oids[at]]
    const now = content && oid !== undefined ? { mode: modes[content.kind], oid } : undefined
    const filter = filters.get(path)
    return {
      committed: isSame(old, now),
      tracked: old !== undefined,
      staged: isSame(staged, old) ? 'none' : isSame(staged, now) ? 'same' : 'other',
      refused: filter === undefined ? undefined : say('git_file_filtered', { filter }),
    }
  })
}

/** Git is asked only where it may want other line ends. */
async function oidNow(
  own: Own,
  content: FileToCommit['content'],
  path: string,
  head: string | undefined,
): Promise<string | undefined> {
  if (!content) return undefined
  const hasCarriageReturn = content.kind !== 'link' && content.bytes.includes(13)
  if (!hasCarriageReturn) return oidOf(content.bytes, head ?? noEntry)
  const args = ['hash-object', '--stdin', `--path=${path}`]
  return (await own.run({ args, input: content.bytes })).toString().trim()
}

/** Not all at once: each may start a git. */
async function inPortions<T, R>(all: readonly T[], work: (one: T, at: number) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let start = 0; start < all.length; start += startedAtOnce) {
    const some = all.slice(start, start + startedAtOnce)
    done.push(...(await Promise.all(some.map((one, at) => work(one, start + at)))))
  }
  return done
}

/** What somebody staged of a file and nobody else has: the head has not got it, nor the work tree. */
async function refuseOthers(repository: Opened, own: Own, files: readonly FileToCommit[]): Promise<void> {
  const known = await inspectFiles(repository, own, files)
  const paths = files.flatMap(({ path }, at) => (known[at]?.staged === 'other' ? [path] : []))
  const [path] = paths
  if (path !== undefined)
    throw new AppError('conflict', say('stage_other_version', { path }), {
      details: { reason: 'staged', paths },
    })
}

async function entriesOfHead(
  { theirs, prefix }: Opened,
  files: readonly FileToCommit[],
): Promise<NewEntry[]> {
  const paths = files.map(({ path }) => prefix + path)
  const inHead = await headEntries(theirs, await headOf(theirs), paths)
  return paths.map((path) => ({ path, entry: inHead.get(path) }))
}

const isSame = (a: Entry | undefined, b: Entry | undefined) => a?.mode === b?.mode && a?.oid === b?.oid

/** Filters that the attributes name, by path. */
async function filtersOf({ run }: Own, paths: readonly string[]): Promise<Map<string, string>> {
  const output = await run({ args: ['check-attr', '-z', '--stdin', 'filter'], input: paths.join('\0') })
  const fields = output.toString().split('\0')
  const found = new Map<string, string>()
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', , value = ''] = fields.slice(at, at + 3)
    if (!['unspecified', 'unset'].includes(value)) found.set(path, value)
  }
  return found
}

interface NewEntry {
  path: string
  /** Undefined: there is no file. */
  entry: Entry | undefined
}

async function writeEntries(
  { prefix }: Opened,
  own: Own,
  files: readonly FileToCommit[],
): Promise<NewEntry[]> {
  const paths = files.map(({ path }) => prefix + path)
  const [filtered] = await filtersOf(own, paths)
  if (filtered) throw new AppError('conflict', say('commit_filtered', { path: filtered[0] ?? '' }))
  const write = async ({ content }: FileToCommit, path: string): Promise<NewEntry> => {
    if (!content) return { path, entry: undefined }
    const converted = content.kind === 'link' ? '--no-filters' : `--path=${path}`
    const output = await own.run({ args: ['hash-object', '-w', '--stdin', converted], input: content.bytes })
    return { path, entry: { mode: modes[content.kind], oid: output.toString().trim() } }
  }
  return inPortions(files, (file) => write(file, prefix + file.path))
}

/** For `update-index -z --index-info`. */
const indexInfo = (entries: readonly NewEntry[]) =>
  entries.map(({ path, entry }) => `${entry?.mode ?? '0'} ${entry?.oid ?? noEntry}\t${path}\0`).join('')

async function writeCommit(
  { theirs }: Opened,
  { run }: Own,
  { entries, message, head }: { entries: readonly NewEntry[]; message: string; head: string | undefined },
): Promise<string> {
  await run({ args: ['read-tree', ...(head === undefined ? ['--empty'] : [head])] })
  await run({ args: ['update-index', '-z', '--index-info'], input: indexInfo(entries) })
  const tree = (await run({ args: ['write-tree'] })).toString().trim()
  const before = head && (await asked(run({ args: ['rev-parse', `${head}^{tree}`] })))
  if (tree === before) throw new AppError('conflict', say('commit_empty'))
  const [name = '', email = ''] = await Promise.all(
    ['user.name', 'user.email'].map((key) => settingOf(theirs, key)),
  )
  const who = {
    ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email },
    ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email },
  }
  const args = ['commit-tree', tree, ...(head === undefined ? [] : ['-p', head]), '-F', '-']
  return (await run({ args, input: `${message.trim()}\n`, env: who })).toString().trim()
}

async function moveHead(
  { theirs }: Opened,
  commit: string,
  head: string | undefined,
  message: string,
): Promise<void> {
  const [subject = ''] = message.trim().split('\n')
  const args = ['update-ref', '-m', `commit: ${subject.slice(0, 200)}`, 'HEAD', commit, head ?? '']
  await theirs({ args }).catch((cause: unknown) => {
    throw new AppError('conflict', say('commit_head_moved'), {
      cause,
    })
  })
}

/** Another git may hold the index for a moment. */
async function tried(change: () => Promise<void>): Promise<boolean> {
  for (let attempt = 0; attempt < indexAttempts; attempt++) {
    try {
      await change()
      return true
    } catch {
      await wait(indexPauseMs)
    }
  }
  return false
}

/** What somebody staged of a file stays as it is. */
async function updateIndex(
  repository: Opened,
  entries: readonly NewEntry[],
  head: string | undefined,
): Promise<void> {
  const { theirs } = repository
  const paths = entries.map(({ path }) => path)
  const [inHead, inIndex] = await Promise.all([headEntries(theirs, head, paths), indexEntries(theirs, paths)])
  const unstaged = entries.filter(({ path }) => isSame(inHead.get(path), inIndex.get(path)))
  if (unstaged.length > 0) await putIntoIndex(repository, unstaged)
}

async function putIntoIndex({ theirs }: Opened, entries: readonly NewEntry[]): Promise<void> {
  await theirs({ args: ['update-index', '-z', '--index-info'], input: indexInfo(entries) })
}
