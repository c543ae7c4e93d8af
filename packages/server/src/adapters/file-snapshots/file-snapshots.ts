/** Snapshots of directories, in the state folder: one store of contents for each directory, whatever session works there. */
import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type {
  FileSnapshots,
  FileVersion,
  SnapshotHolder,
  Taken,
  TakenEarlier,
} from '../../core/ports/file-snapshots.ts'
import { isSameVersion } from '../../core/ports/file-snapshots.ts'
import { realPath } from '../../core/real-path.ts'
import { isRoot } from '../system/agent-user.ts'
import { isPlainPath } from '../workspace-files/plain-path.ts'
import { clockMs } from './directory-files.ts'
import { inFolder } from './folder-below.ts'
import {
  createKeptDirectories,
  type KeptDirectory,
  type KeptOptions,
  type WithDirectory,
} from './kept-directories.ts'
import { readVersion, versionOf } from './read-version.ts'
import { compareTrees, findInTree, readTree, writeTree } from './tree-nodes.ts'
import { replaceFile } from './write-file.ts'

export function createFileSnapshots(options: KeptOptions): FileSnapshots {
  return new KeptSnapshots(createKeptDirectories(options))
}

type ChangedFile = { path: string; version: FileVersion | undefined }

class KeptSnapshots implements FileSnapshots {
  readonly #with: WithDirectory

  constructor(withDirectory: WithDirectory) {
    this.#with = withDirectory
  }

  take({ directory, sessionId }: SnapshotHolder, named: readonly string[]): Promise<Taken> {
    return this.#with(directory, async (at) => {
      const { tree, complete } = await seeAll(at, sessionId, named)
      return { tree, complete }
    })
  }

  takeAfter({ directory, sessionId }: SnapshotHolder, earlier: TakenEarlier, named: readonly string[]) {
    return this.#with(directory, async (at) => {
      const { tree, complete, changedAt } = await seeAll(at, sessionId, named)
      const changes = await compareTrees(at.store, earlier.tree, tree)
      const unseen = changes
        .filter(({ path, before }) => !before && wasThere(changedAt.get(path), earlier))
        .map(({ path, after }) => ({ path, version: after }))
      const before = unseen.length === 0 ? earlier.tree : await edit(at, sessionId, earlier.tree, unseen)
      return { before, tree, complete }
    })
  }

  addUnseen({ directory, sessionId }: SnapshotHolder, earlier: TakenEarlier, path: string): Promise<string> {
    return this.#with(directory, async (at) => {
      if (await findInTree(at.store, earlier.tree, path)) return earlier.tree
      const read = await readBelow(at.directory, path)
      if (!read || !wasThere(Number(read.stat.ctimeMs), earlier)) return earlier.tree
      if (read.bytes) await put(at, read.version, read.bytes)
      return edit(at, sessionId, earlier.tree, [{ path, version: read.version }])
    })
  }

  changed(directory: string, before: string, after: string) {
    return this.#with(directory, ({ store }) => compareTrees(store, before, after))
  }

  inTree(directory: string, tree: string, paths: readonly string[]) {
    return this.#with(directory, ({ store }) =>
      Promise.all(paths.map((path) => findInTree(store, tree, path))),
    )
  }

  async now(given: string, paths: readonly string[]) {
    const directory = await realPath(given)
    return Promise.all(paths.map(async (path) => (await readBelow(directory, path))?.version))
  }

  read(directory: string, { kind, hash }: FileVersion): Promise<Buffer | undefined> {
    return this.#with(directory, ({ store }) => (kind === 'large' ? undefined : store.get(hash)))
  }

  async readNow(given: string, path: string, version: FileVersion) {
    const read = await readBelow(await realPath(given), path)
    return isSameVersion(read?.version, version) ? read?.bytes : undefined
  }

  keep({ directory }: SnapshotHolder, bytes: Buffer, kind: 'file' | 'executable'): Promise<FileVersion> {
    return this.#with(directory, (at) => put(at, versionOf(kind, bytes), bytes))
  }

  withFiles({ directory, sessionId }: SnapshotHolder, tree: string, files: readonly ChangedFile[]) {
    return this.#with(directory, (at) => edit(at, sessionId, tree, files))
  }

  write(
    given: string,
    path: string,
    version: FileVersion | undefined,
    expected: FileVersion | undefined,
  ): Promise<boolean> {
    return this.#with(given, async ({ directory, store }) => {
      if (!isFilePath(path)) return false
      const content = version && (await contentOf(version, (hash) => store.get(hash)))
      if (version && !content) return false
      const owner = isRoot() ? await stat(directory) : undefined
      const done = await inFolder(
        directory,
        folderOf(path),
        (at) => replaceFile(at, basename(path), content, expected),
        { make: content !== undefined && expected === undefined, ...(owner && { owner }) },
      )
      // Nothing is where no folder is.
      return done ?? (!version && !expected)
    })
  }

  drop({ directory, sessionId }: SnapshotHolder): Promise<void> {
    return this.#with(directory, async (at) => {
      const used = new Set<string>()
      for (const tree of await at.release(sessionId)) {
        const files = await readTree(at.store, tree, (folder) => used.add(folder))
        for (const { hash } of files.values()) used.add(hash)
      }
      await at.store.retain(used)
      at.files.forget()
    })
  }
}

async function seeAll(at: KeptDirectory, sessionId: string, named: readonly string[]) {
  const writer = at.store.writer()
  try {
    const seen = await at.files.see(named, writer)
    const tree = await writeTree(seen.files, at.store, writer)
    await writer.commit()
    await at.hold(sessionId, tree)
    return { ...seen, tree }
  } catch (error) {
    at.files.forget()
    throw error
  } finally {
    await writer.abort()
  }
}

async function edit(
  at: KeptDirectory,
  sessionId: string,
  tree: string,
  changes: readonly ChangedFile[],
): Promise<string> {
  const files = await readTree(at.store, tree)
  for (const { path, version } of changes)
    if (version) files.set(path, version)
    else files.delete(path)
  const writer = at.store.writer()
  const edited = await writeTree(files, at.store, writer)
  await writer.commit()
  await at.hold(sessionId, edited)
  return edited
}

async function put({ store }: KeptDirectory, version: FileVersion, bytes: Buffer): Promise<FileVersion> {
  const writer = store.writer()
  await writer.put(version.hash, bytes)
  await writer.commit()
  return version
}

async function contentOf({ kind, hash }: FileVersion, get: (hash: string) => Promise<Buffer | undefined>) {
  const bytes = kind === 'large' ? undefined : await get(hash)
  return bytes && kind !== 'large' ? { kind, bytes } : undefined
}

/** By the clock of the disk, which may be coarse: what is so close is not known. */
const wasThere = (changedAt: number | undefined, { since }: TakenEarlier) =>
  changedAt !== undefined && changedAt < since - clockMs

const isFilePath = (path: string) => isPlainPath(path) && !path.endsWith('/')
const folderOf = (path: string) => (path.includes('/') ? dirname(path) : '')

async function readBelow(directory: string, path: string) {
  if (!isFilePath(path)) return undefined
  return inFolder(directory, folderOf(path), (at) => readVersion(`${at}/${basename(path)}`))
}
