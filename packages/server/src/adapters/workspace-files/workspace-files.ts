/** Lists files of workspaces: by git where there is one, by walking otherwise. */
import { lstat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { FileListing, SeenFile, WorkspaceFiles } from '../../core/ports/workspace-files.ts'
import { isInside, realPath } from '../../core/real-path.ts'
import { findProgram } from '../system/find-sandbox.ts'
import { type GitFiles, gitFiles } from './git-files.ts'
import { isPlainName } from './plain-path.ts'
import { type WalkBudget, walkFiles } from './walk-files.ts'

export interface WorkspaceFilesOptions {
  env: Readonly<Record<string, string | undefined>>
  /** Folders that agents must not reach: the state folder first of all. Nothing in them is listed. */
  closed: readonly string[]
  maxEntries?: number
  /** For a walk; git gets twice as long. */
  maxMs?: number
}

const maxGitBytes = 16 * 1024 * 1024
const lookedAtOnce = 64

export function createWorkspaceFiles(options: WorkspaceFilesOptions): WorkspaceFiles {
  const { env, maxEntries = 50_000, maxMs = 2000 } = options
  let findingGit: Promise<string | undefined> | undefined
  return {
    async list(directory) {
      const isClosed = await closedPaths(directory, options.closed)
      findingGit ??= findProgram('git', env)
      const git = await findingGit
      const limits = { maxEntries, maxMs: 2 * maxMs, maxBytes: maxGitBytes }
      const known = git === undefined ? undefined : await gitFiles(directory, { git, env, ...limits })
      const budget = { entries: maxEntries, until: performance.now() + maxMs }
      // None at all: most likely a directory that a repository around it ignores.
      if (!known || known.paths.length === 0) return walkFiles(directory, budget, isClosed)
      return fromGit(directory, known, budget, isClosed)
    },
    async look(directory, paths) {
      const seen: (SeenFile | undefined)[] = []
      for (let start = 0; start < paths.length; start += lookedAtOnce) {
        const some = paths.slice(start, start + lookedAtOnce)
        seen.push(...(await Promise.all(some.map((path) => lookAt(join(directory, path))))))
      }
      return seen
    },
  }
}

/** Whether a path below the directory lies in one of these folders. Throws when it cannot be known where they lie. */
async function closedPaths(
  directory: string,
  folders: readonly string[],
): Promise<(path: string) => boolean> {
  const places = await Promise.all(folders.map((folder) => realPath(folder)))
  const below = places
    .filter((place) => isInside(directory, place))
    .map((place) => relative(directory, place).split(sep).join('/'))
  return (path) => below.some((folder) => path === folder || path.startsWith(`${folder}/`))
}

async function fromGit(
  directory: string,
  { paths, complete }: GitFiles,
  budget: WalkBudget,
  isClosed: (path: string) => boolean,
): Promise<FileListing> {
  const files: string[] = []
  const directories = new Set<string>()
  let isComplete = complete
  for (const path of paths) {
    if (!isPlainName(path) || isClosed(path)) continue
    addParents(directories, path)
    if (!path.endsWith('/')) {
      files.push(path)
      continue
    }
    // A repository in this one, of which git tells no more.
    const inner = await walkFiles(join(directory, path), budget, (below) => isClosed(path + below))
    isComplete &&= inner.complete
    for (const file of inner.files) files.push(path + file)
    for (const folder of inner.directories) directories.add(path + folder)
  }
  return { files, directories: [...directories], complete: isComplete }
}

function addParents(directories: Set<string>, path: string): void {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const parent = path.slice(0, end)
    if (directories.has(parent)) return
    directories.add(parent)
  }
}

async function lookAt(place: string): Promise<SeenFile | undefined> {
  const found = await lstat(place).catch(() => undefined)
  return found && { kind: found.isDirectory() ? 'directory' : 'file', changedAt: found.mtimeMs }
}
