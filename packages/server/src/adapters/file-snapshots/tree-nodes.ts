/**
 * Trees of files as contents themselves: each folder is a list of its files and folders by their hashes, so what is equal is kept once,
 * and two trees are compared only where they differ.
 */
import { createHash } from 'node:crypto'
import type { FileChange, FileVersion } from '../../core/ports/file-snapshots.ts'
import type { BlobStore, BlobWriter } from './blob-store.ts'

/** Tuples and not objects by name: a file may be called `__proto__`. */
interface StoredFolder {
  files: [name: string, kind: FileVersion['kind'], hash: string, bytes: number][]
  folders: [name: string, hash: string][]
}

interface Folder {
  files: Map<string, FileVersion>
  folders: Map<string, Folder>
}

export type FilesByPath = ReadonlyMap<string, FileVersion>

const emptyFolder = (): Folder => ({ files: new Map(), folders: new Map() })

/** Answers with the name of the tree. */
export async function writeTree(files: FilesByPath, store: BlobStore, writer: BlobWriter): Promise<string> {
  const root = emptyFolder()
  for (const [path, version] of files) {
    const names = path.split('/')
    const name = names.pop() ?? ''
    let folder = root
    for (const part of names) {
      const next = folder.folders.get(part) ?? emptyFolder()
      folder.folders.set(part, next)
      folder = next
    }
    folder.files.set(name, version)
  }
  return writeFolder(root, store, writer)
}

async function writeFolder(folder: Folder, store: BlobStore, writer: BlobWriter): Promise<string> {
  const folders: StoredFolder['folders'] = []
  for (const [name, child] of byName(folder.folders))
    folders.push([name, await writeFolder(child, store, writer)])
  const files = byName(folder.files).map(([name, { kind, hash, bytes }]): StoredFolder['files'][number] => [
    name,
    kind,
    hash,
    bytes,
  ])
  const bytes = Buffer.from(JSON.stringify({ files, folders } satisfies StoredFolder))
  // No file can have the name of a tree: its hash has no such beginning.
  const hash = `t${createHash('sha256').update(bytes).digest('hex')}`
  if (!store.has(hash)) await writer.put(hash, bytes)
  return hash
}

function byName<T>(entries: ReadonlyMap<string, T>): [string, T][] {
  return [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

async function readFolder(store: BlobStore, tree: string): Promise<StoredFolder> {
  const bytes = await store.get(tree)
  if (!bytes) throw new Error('the snapshot is not kept')
  return JSON.parse(bytes.toString()) as StoredFolder
}

/** All files of a tree. `see` is called with the hashes of its folders. */
export async function readTree(
  store: BlobStore,
  tree: string,
  see: (hash: string) => void = () => {},
): Promise<Map<string, FileVersion>> {
  const found = new Map<string, FileVersion>()
  const read = async (hash: string, prefix: string): Promise<void> => {
    see(hash)
    const { files, folders } = await readFolder(store, hash)
    for (const file of files) found.set(prefix + file[0], toVersion(file))
    for (const [name, child] of folders) await read(child, `${prefix}${name}/`)
  }
  await read(tree, '')
  return found
}

const toVersion = ([, kind, hash, bytes]: StoredFolder['files'][number]): FileVersion => ({
  kind,
  hash,
  bytes,
})

export async function findInTree(
  store: BlobStore,
  tree: string,
  path: string,
): Promise<FileVersion | undefined> {
  const names = path.split('/')
  const name = names.pop()
  let folder = await readFolder(store, tree)
  for (const part of names) {
    const next = folder.folders.find(([child]) => child === part)
    if (!next) return undefined
    folder = await readFolder(store, next[1])
  }
  const file = folder.files.find(([child]) => child === name)
  return file && toVersion(file)
}

/** Sorted by path. */
export async function compareTrees(store: BlobStore, before: string, after: string): Promise<FileChange[]> {
  const changes: FileChange[] = []
  const nothing: StoredFolder = { files: [], folders: [] }
  const compare = async (a: string | undefined, b: string | undefined, prefix: string): Promise<void> => {
    if (a === b) return
    const [old, now] = await Promise.all(
      [a, b].map((hash) => (hash === undefined ? nothing : readFolder(store, hash))),
    )
    const [oldFiles, newFiles] = [old, now].map((one) => new Map(one?.files.map((file) => [file[0], file])))
    for (const name of new Set([...(oldFiles?.keys() ?? []), ...(newFiles?.keys() ?? [])])) {
      const [from, to] = [oldFiles?.get(name), newFiles?.get(name)]
      if (from?.[1] === to?.[1] && from?.[2] === to?.[2]) continue
      changes.push({ path: prefix + name, before: from && toVersion(from), after: to && toVersion(to) })
    }
    const [oldFolders, newFolders] = [old, now].map((one) => new Map(one?.folders))
    for (const name of new Set([...(oldFolders?.keys() ?? []), ...(newFolders?.keys() ?? [])]))
      await compare(oldFolders?.get(name), newFolders?.get(name), `${prefix}${name}/`)
  }
  await compare(before, after, '')
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
