/**
 * The repository around a directory, found by our own looking: an agent can write `.git`, and could have it lead to another repository
 * of the owner's, where a commit would then be made.
 */

import { constants } from 'node:fs'
import { access, lstat, readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { type Saying, say } from '@dorkos/shared'

export interface FoundRepository {
  /** The work tree. */
  root: string
  gitDir: string
  /** Of all work trees: where objects and branches are. */
  commonDir: string
}

const elsewhere = say('git_elsewhere')

/** A sentence for people where there is none that can be committed to. `directory` is without links. */
export async function findRepository(directory: string): Promise<FoundRepository | Saying> {
  for (let root = directory; ; root = dirname(root)) {
    const found = await lstat(join(root, '.git')).catch(() => undefined)
    if (found?.isDirectory()) return ownRepository(root)
    if (found?.isFile()) return linkedWorkTree(root)
    if (found) return elsewhere
    if (root === dirname(root)) return say('git_no_repository')
  }
}

async function ownRepository(root: string): Promise<FoundRepository | Saying> {
  const gitDir = join(root, '.git')
  const isElsewhere = await lstat(join(gitDir, 'commondir')).then(
    () => true,
    () => false,
  )
  return !isElsewhere && (await hasOwnParts(gitDir)) ? { root, gitDir, commonDir: gitDir } : elsewhere
}

/** As `git worktree add` makes it: the repository knows of this work tree, which an agent in it cannot forge. */
async function linkedWorkTree(root: string): Promise<FoundRepository | Saying> {
  const text = await readShort(join(root, '.git'))
  const named = /^gitdir: (.+)$/.exec(text?.trim() ?? '')?.[1]
  if (named === undefined) return elsewhere
  const gitDir = isAbsolute(named) ? named : resolve(root, named)
  const commonDir = dirname(dirname(gitDir))
  const [back, common] = await Promise.all(
    ['gitdir', 'commondir'].map((name) => readShort(join(gitDir, name))),
  )
  const isOurs = back !== undefined && resolve(gitDir, back.trim()) === join(root, '.git')
  const isCommon = common !== undefined && resolve(gitDir, common.trim()) === commonDir
  const isReal = (await realpath(gitDir).catch(() => undefined)) === gitDir
  return isOurs && isCommon && isReal && (await hasOwnParts(commonDir))
    ? { root, gitDir, commonDir }
    : elsewhere
}

async function hasOwnParts(commonDir: string): Promise<boolean> {
  for (const name of ['objects', 'refs']) {
    const found = await lstat(join(commonDir, name)).catch(() => undefined)
    if (!found?.isDirectory()) return false
  }
  return true
}

export async function readShort(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined)
  if (!found?.isFile() || found.size > 64 * 1024) return undefined
  return readFile(path, 'utf8').catch(() => undefined)
}

const hookNames = [
  ...['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'],
  ...['reference-transaction', 'post-index-change'],
]

/** That would run for a commit in a terminal. */
export async function findHooks({ commonDir, root }: FoundRepository, hooksPath: string | undefined) {
  const folder = hooksPath === undefined ? join(commonDir, 'hooks') : resolve(root, hooksPath)
  const there = new Set(await readdir(folder).catch(() => []))
  const found: string[] = []
  for (const name of hookNames) {
    if (!there.has(name)) continue
    const runs = await access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    )
    if (runs) found.push(name)
  }
  return found
}

/** Something that was begun and has to be ended with git's own commands. */
export async function openOperation({ gitDir }: FoundRepository): Promise<Saying | undefined> {
  for (const [file, what] of [
    ['MERGE_HEAD', 'git_merge_open'],
    ['CHERRY_PICK_HEAD', 'git_cherry_pick_open'],
    ['REVERT_HEAD', 'git_revert_open'],
    ['rebase-merge', 'git_rebase_open'],
    ['rebase-apply', 'git_rebase_open'],
  ] as const)
    if (await lstat(join(gitDir, file)).catch(() => undefined)) return say(what)
  return undefined
}
