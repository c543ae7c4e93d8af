/** All files of one directory with their content, where only what may have changed since the last time is read. */
import { type BigIntStats, lstat } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { FileVersion } from '../../core/ports/file-snapshots.ts'
import type { WorkspaceFiles } from '../../core/ports/workspace-files.ts'
import { isPlainPath } from '../workspace-files/plain-path.ts'
import type { BlobWriter } from './blob-store.ts'
import { inFolder } from './folder-below.ts'
import { largeVersion, readVersion, statKey, type VersionRead } from './read-version.ts'

export interface Bounds {
  maxEntries: number
  /** Of contents that are read at once. */
  maxBytes: number
  maxMs: number
}

interface Known {
  key: string
  version: FileVersion
  /** It may have been written to after it was read, within what the clock of the disk can tell apart. */
  isFresh: boolean
}

export interface SeenFiles {
  files: Map<string, FileVersion>
  /** When each was last changed: content, name or rights. Milliseconds. */
  changedAt: Map<string, number>
  complete: boolean
}

type LstatBig = (path: string, options: { bigint: true }) => Promise<BigIntStats>
const lstatBig = promisify(lstat) as LstatBig

const statsAtOnce = 256
const foldersAtOnce = 8
/** The coarsest clock of a file system. */
export const clockMs = 2000

export class DirectoryFiles {
  readonly #directory: string
  readonly #listing: WorkspaceFiles
  readonly #bounds: Bounds
  readonly #known = new Map<string, Known>()

  constructor(directory: string, listing: WorkspaceFiles, bounds: Bounds) {
    this.#directory = directory
    this.#listing = listing
    this.#bounds = bounds
  }

  async see(named: readonly string[], writer: BlobWriter): Promise<SeenFiles> {
    const until = performance.now() + this.#bounds.maxMs
    const known = [...this.#known.keys()]
    const [{ paths, complete }, stats] = await Promise.all([this.#paths(named, known), this.#stats(known)])
    const isKnown = new Set(known)
    for (const [path, stat] of await this.#stats(paths.filter((path) => !isKnown.has(path))))
      stats.set(path, stat)
    const seen: SeenFiles = { files: new Map(), changedAt: new Map(), complete }
    const unread: string[] = []
    for (const [path, stat] of stats) {
      seen.changedAt.set(path, Number(stat.ctimeMs))
      const known = this.#known.get(path)
      if (known && !known.isFresh && known.key === statKey(stat)) seen.files.set(path, known.version)
      else unread.push(path)
    }
    for (const path of this.#known.keys()) if (!stats.has(path)) this.#known.delete(path)
    let bytes = 0
    const isOver = () => bytes > this.#bounds.maxBytes || performance.now() > until
    await this.#read(unread, isOver, async (path, read) => {
      const stat = stats.get(path)
      if (!read) return void this.#known.delete(path)
      if (read === 'over' && !stat) return
      seen.complete &&= read !== 'over'
      const version = read === 'over' ? largeVersion(stat as BigIntStats) : read.version
      const at = read === 'over' ? (stat as BigIntStats) : read.stat
      if (read !== 'over' && read.bytes) {
        bytes += read.bytes.length
        await writer.put(version.hash, read.bytes)
      }
      seen.files.set(path, version)
      const isFresh = Date.now() - Number(at.ctimeMs) < clockMs || Date.now() - Number(at.mtimeMs) < clockMs
      this.#known.set(path, { key: statKey(at), version, isFresh })
    })
    return seen
  }

  /** Contents were not kept after all: they are read again. */
  forget(): void {
    this.#known.clear()
  }

  /** What is listed; and what was seen before, which may only be ignored by now. */
  async #paths(
    named: readonly string[],
    known: readonly string[],
  ): Promise<{ paths: string[]; complete: boolean }> {
    const { files, complete } = await this.#listing.list(this.#directory)
    const inspected = await this.#listing.inspect(this.#directory, named)
    const open = named.filter((path, index) => inspected[index] !== undefined && isPlainPath(path))
    const all = [...new Set([...known, ...open, ...files])]
    const paths = all.slice(0, this.#bounds.maxEntries)
    return { paths, complete: complete && paths.length === all.length }
  }

  /** Of files and links; what is gone has none. */
  async #stats(paths: readonly string[]): Promise<Map<string, BigIntStats>> {
    const found = new Map<string, BigIntStats>()
    for (let start = 0; start < paths.length; start += statsAtOnce) {
      const some = paths.slice(start, start + statsAtOnce)
      const stats = await Promise.all(
        some.map((path) => lstatBig(join(this.#directory, path), { bigint: true }).catch(() => undefined)),
      )
      for (const [index, path] of some.entries()) {
        const stat = stats[index]
        if (stat?.isFile() || stat?.isSymbolicLink()) found.set(path, stat)
      }
    }
    return found
  }

  async #read(
    paths: readonly string[],
    isOver: () => boolean,
    each: (path: string, read: VersionRead | 'over' | undefined) => Promise<void>,
  ): Promise<void> {
    const folders = new Map<string, string[]>()
    for (const path of paths) {
      const folder = path.includes('/') ? dirname(path) : ''
      const files = folders.get(folder) ?? []
      if (files.length === 0) folders.set(folder, files)
      files.push(path)
    }
    const waiting = [...folders]
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [folder, files] = next
        const isThere = await inFolder(this.#directory, folder, async (at) => {
          for (const path of files)
            await each(path, isOver() ? 'over' : await readVersion(`${at}/${basename(path)}`))
          return true
        })
        if (!isThere) for (const path of files) await each(path, undefined)
      }
    }
    await Promise.all(Array.from({ length: foldersAtOnce }, work))
  }
}
