/** Files of workspaces: listed by git where there is one, by walking otherwise, and read where they lie. */
import { lstat, realpath } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { FileListing, SeenFile, WorkspaceFiles } from '../../core/ports/workspace-files.ts'
import { isInside, realPath } from '../../core/real-path.ts'
import { findProgram } from '../system/find-sandbox.ts'
import { bytesBetween, openPlainFile } from '../system/open-plain-file.ts'
import { type GitFiles, gitFiles } from './git-files.ts'
import { isPlainPath } from './plain-path.ts'
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
const inspectedAtOnce = 64

export function createWorkspaceFiles(options: WorkspaceFilesOptions): WorkspaceFiles {
  const { env, maxEntries = 50_000, maxMs = 2000 } = options
  let findingGit: Promise<string | undefined> | undefined
  return {
    async list(given) {
      const directory = await realPath(given)
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
    async inspect(given, paths) {
      const directory = await realPath(given)
      const isOpen = openFolders(directory, await closedPaths(directory, options.closed))
      const inspect = async (path: string) =>
        isPlainPath(path) && (await isOpen(dirname(path))) ? seenAt(join(directory, path)) : undefined
      const seen: (SeenFile | undefined)[] = []
      for (let start = 0; start < paths.length; start += inspectedAtOnce) {
        const some = paths.slice(start, start + inspectedAtOnce)
        seen.push(...(await Promise.all(some.map(inspect))))
      }
      return seen
    },
    async read(given, path, { start, end }) {
      const directory = await realPath(given)
      const isClosed = await closedPaths(directory, options.closed)
      if (!isPlainPath(path) || path.endsWith('/') || isClosed(path)) return undefined
      // That no link leads there is known once it is open.
      const opened = await openPlainFile(join(directory, path))
      if (opened === undefined) return undefined
      try {
        if (opened.isLinked) return undefined
        const { size, changedAt, version } = opened
        const data = await bytesBetween(opened, start, Math.max(start, Math.min(size, end)))
        return { data, bytes: size, changedAt, version }
      } finally {
        await opened.file.close()
      }
    },
  }
}

/** Whether a path below the directory lies in one of these folders; all do where the directory itself does. Throws when it cannot be known where they lie. */
async function closedPaths(
  directory: string,
  folders: readonly string[],
): Promise<(path: string) => boolean> {
  const real = await Promise.all(folders.map((folder) => realPath(folder)))
  if (real.some((path) => isInside(path, directory))) return () => true
  const below = real
    .filter((path) => isInside(directory, path))
    .map((path) => relative(directory, path).split(sep).join('/'))
  return (path) => below.some((folder) => path === folder || path.startsWith(`${folder}/`))
}

/** Whether a folder below the directory lies where its path says, and not in a closed one: a link on the way could lead anywhere. */
function openFolders(
  directory: string,
  isClosed: (path: string) => boolean,
): (folder: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>()
  const isOpen = async (folder: string) => {
    const path = join(directory, folder)
    return !isClosed(folder) && (await realpath(path).catch(() => undefined)) === path
  }
  return (folder) => {
    const answer = known.get(folder) ?? isOpen(folder)
    known.set(folder, answer)
    return answer
  }
}

async function fromGit(
  directory: string,
  { paths, complete }: GitFiles,
  budget: WalkBudget,
  isClosed: (path: string) => boolean,
): Promise<FileListing> {
  const files: string[] = []
  const directories = new Set<string>()
  const isOpen = openFolders(directory, isClosed)
  let isComplete = complete
  for (const path of paths) {
    if (!isPlainPath(path) || isClosed(path)) continue
    if (!path.endsWith('/')) {
      addParents(directories, path)
      files.push(path)
      continue
    }
    // A repository in this one, of which git says no more.
    if (!(await isOpen(path.slice(0, -1)))) continue
    addParents(directories, path)
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

async function seenAt(path: string): Promise<SeenFile | undefined> {
  const found = await lstat(path).catch(() => undefined)
  return found && { kind: found.isDirectory() ? 'directory' : 'file', changedAt: found.mtimeMs }
}
