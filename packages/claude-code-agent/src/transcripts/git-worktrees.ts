/**
 * The working trees of a repository, read from git's own files: no process is started, so nothing that a
 * repository's configuration names can run.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { canonicalDirectory } from './project-folder.ts'

/** The roots of all working trees of the repository that `directory` is in, itself included; none outside of one. */
export async function gitWorktrees(directory: string): Promise<string[]> {
  const common = await commonGitFolder(directory)
  if (common === undefined) return []
  const entries = await readdir(join(common, 'worktrees')).catch(() => [])
  const linked = await Promise.all(entries.map((entry) => worktreeRoot(join(common, 'worktrees', entry))))
  const main = basename(common) === '.git' ? [dirname(common)] : []
  const roots = [...main, ...linked.filter((root) => root !== undefined)]
  return [...new Set(await Promise.all(roots.map(canonicalDirectory)))]
}

async function commonGitFolder(directory: string): Promise<string | undefined> {
  for (let at = resolve(directory); ; at = dirname(at)) {
    const git = join(at, '.git')
    const found = await stat(git).catch(() => undefined)
    if (found?.isDirectory()) return git
    if (found?.isFile()) return await followGitFile(git)
    if (at === dirname(at)) return undefined
  }
}

/** In a linked working tree `.git` is a file that names its own folder, which names the repository's. */
async function followGitFile(path: string): Promise<string | undefined> {
  const target = /^gitdir: (.+)$/m.exec(await readText(path))?.[1]
  if (target === undefined) return undefined
  const folder = resolve(dirname(path), target)
  const common = (await readText(join(folder, 'commondir'))).trim()
  return common ? resolve(folder, common) : undefined
}

async function worktreeRoot(folder: string): Promise<string | undefined> {
  const path = (await readText(join(folder, 'gitdir'))).trim()
  return path ? dirname(resolve(folder, path)) : undefined
}

async function readText(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '')
}
