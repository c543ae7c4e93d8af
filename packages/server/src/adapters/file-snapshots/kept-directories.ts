/** What is kept of directories: each is opened once, and one thing is done in it at a time. */
import { createHash } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorkspaceFiles } from '../../core/ports/workspace-files.ts'
import { realPath } from '../../core/real-path.ts'
import { type BlobStore, openBlobStore } from './blob-store.ts'
import { type Bounds, DirectoryFiles } from './directory-files.ts'

export interface KeptOptions {
  /** Where all of it is. */
  folder: string
  files: WorkspaceFiles
  bounds?: Partial<Bounds>
}

const standardBounds: Bounds = { maxEntries: 50_000, maxBytes: 512 * 1024 * 1024, maxMs: 20_000 }
/** Directories whose files are remembered from one time to the next. */
const maxOpen = 8

export interface KeptDirectory {
  /** Without links. */
  directory: string
  store: BlobStore
  files: DirectoryFiles
  /** Keeps a tree for a session. */
  hold(sessionId: string, tree: string): Promise<void>
  /** Keeps none for this session. Answers with those of all others. */
  release(sessionId: string): Promise<Set<string>>
}

interface Open {
  kept: Promise<KeptDirectory>
  last: Promise<unknown>
  users: number
}

export type WithDirectory = <T>(
  directory: string,
  work: (kept: KeptDirectory) => Promise<T> | T,
) => Promise<T>

export function createKeptDirectories(options: KeptOptions): WithDirectory {
  const open = new Map<string, Open>()
  return async (given, work) => {
    const directory = await realPath(given)
    const entry = open.get(directory) ?? {
      kept: openKept(directory, options),
      last: Promise.resolve(),
      users: 0,
    }
    // What was used last is the last to go.
    open.delete(directory)
    open.set(directory, entry)
    entry.users++
    const done = entry.last.then(async () => work(await entry.kept))
    entry.last = done.catch(() => undefined)
    try {
      return await done
    } finally {
      entry.users--
      await entry.kept.catch(() => open.delete(directory))
      for (const [path, { users }] of open) if (open.size > maxOpen && users === 0) open.delete(path)
    }
  }
}

async function openKept(directory: string, { folder, files, bounds }: KeptOptions): Promise<KeptDirectory> {
  const own = join(folder, createHash('sha256').update(directory).digest('hex').slice(0, 32))
  await mkdir(join(own, 'sessions'), { recursive: true, mode: 0o700 })
  const fileOf = (sessionId: string) => join(own, 'sessions', sessionId)
  const trees = new Map<string, Set<string>>()
  for (const sessionId of await readdir(join(own, 'sessions'))) {
    const lines = (await readFile(fileOf(sessionId), 'utf8')).split('\n')
    trees.set(sessionId, new Set(lines.filter((line) => line !== '')))
  }
  return {
    directory,
    store: await openBlobStore(join(own, 'contents')),
    files: new DirectoryFiles(directory, files, { ...standardBounds, ...bounds }),
    async hold(sessionId, tree) {
      const held = trees.get(sessionId) ?? new Set()
      if (held.has(tree)) return
      await appendFile(fileOf(sessionId), `${tree}\n`, { mode: 0o600 })
      trees.set(sessionId, held.add(tree))
    },
    async release(sessionId) {
      await rm(fileOf(sessionId), { force: true })
      trees.delete(sessionId)
      return new Set([...trees.values()].flatMap((held) => [...held]))
    },
  }
}
