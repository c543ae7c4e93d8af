/** Lists files that somebody else may have put there: bounded, without opening any, and never further than the allowed folders. */
import type { BigIntStats } from 'node:fs'
import { lstat, opendir, realpath, stat } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import type { TrustFault } from '@dorkos/shared'
import { isInside } from '../../core/real-path.ts'

export const MAX_FILES = 2000
export const MAX_COVERED_BYTES = 20 * 1024 * 1024
/** Folders and all. */
const MAX_ENTRIES = 2 * MAX_FILES
const MAX_DEPTH = 32

export interface ListedFile {
  /** As the CLI would open it. */
  file: string
  /** Without links. */
  real: string
  isLink: boolean
  size: number
}

export interface FileListOptions {
  /** Paths are shown relative to it. */
  root: string
  /** Where links may lead. */
  within: readonly string[]
}

/** One listing of everything that is covered, with a signature that changes when any of it does. */
export class FileList {
  readonly files = new Map<string, ListedFile>()
  readonly faults: TrustFault[] = []
  /** Of what was looked for, there or not. */
  readonly marks: string[] = []
  /** The newest change of a file or link, in milliseconds. */
  newest = 0
  #options: FileListOptions
  #bytes = 0
  #entries = 0
  #full = false

  constructor(options: FileListOptions) {
    this.#options = options
  }

  /** Adds a file, or all files below a folder. What is not there is none. */
  async add(path: string, skip: (path: string) => boolean = () => false): Promise<void> {
    await this.#add(path, skip, [], undefined)
  }

  /** `parent` is the folder that it was found in, without links. */
  async #add(
    path: string,
    skip: (path: string) => boolean,
    above: readonly string[],
    parent: string | undefined,
  ): Promise<void> {
    if (this.#full) return
    if (++this.#entries > MAX_ENTRIES) return this.#end(path, `${MAX_ENTRIES} files and folders`)
    try {
      const found = await this.#stat(path, parent)
      if (!found) return
      const { real, target } = found
      if (!this.#options.within.some((folder) => isInside(folder, real)))
        return this.#fault(path, 'It is a link that leads out of the workspace; put the file itself there.')
      if (target.isDirectory()) return await this.#addFolder(path, real, skip, above)
      if (!target.isFile()) return this.#fault(path, 'It is neither a file nor a folder; remove it.')
      this.#addFile(path, found)
    } catch (error) {
      this.#fault(path, `It cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`)
    }
  }

  async #addFolder(path: string, real: string, skip: (path: string) => boolean, above: readonly string[]) {
    if (above.includes(real) || above.length >= MAX_DEPTH)
      return this.#fault(
        path,
        above.includes(real) ? 'Links lead round in a circle.' : 'Folders are too deep.',
      )
    const deeper = [...above, real]
    for await (const names of inBatches(path)) {
      const entries = names.map((name) => join(path, name)).filter((entry) => !skip(entry))
      await Promise.all(entries.map((entry) => this.#add(entry, skip, deeper, real)))
      if (this.#full) return
    }
  }

  #addFile(path: string, { real, target, isLink }: FoundFile): void {
    if (this.#full || this.files.has(path)) return
    this.#bytes += Number(target.size)
    if (this.files.size >= MAX_FILES || this.#bytes > MAX_COVERED_BYTES) {
      return this.#end(
        path,
        this.files.size >= MAX_FILES ? `${MAX_FILES} files` : `${MAX_COVERED_BYTES / 1024 / 1024} MB`,
      )
    }
    this.files.set(path, { file: path, real, isLink, size: Number(target.size) })
  }

  #end(path: string, limit: string): void {
    this.#full = true
    this.#fault(
      path,
      `There are more than ${limit} that would have to be looked at; move away what is not needed.`,
    )
  }

  /** Marks what stands at the path, or that nothing does. */
  async #stat(path: string, parent: string | undefined): Promise<FoundFile | undefined> {
    const found = await statFile(path, parent)
    const mark = found ? markOf(found) : '-'
    this.marks.push(`${path}\0${mark}`)
    if (found) this.newest = Math.max(this.newest, changedAt(found.link), changedAt(found.target))
    return found
  }

  #fault(path: string, reason: string): void {
    if (this.faults.length < 100) this.faults.push({ path: this.shown(path), reason })
  }

  shown(path: string): string {
    return relative(this.#options.root, path).split(sep).join('/') || '.'
  }
}

export interface FoundFile {
  link: BigIntStats
  target: BigIntStats
  real: string
  isLink: boolean
}

const BATCH = 32

async function* inBatches(folder: string): AsyncGenerator<string[]> {
  let names: string[] = []
  for await (const { name } of await opendir(folder)) {
    names.push(name)
    if (names.length < BATCH) continue
    yield names
    names = []
  }
  yield names
}

/** Undefined where nothing is. A link to nothing is something, and throws. `parent`: its folder, without links, where that is known. */
export async function statFile(path: string, parent?: string): Promise<FoundFile | undefined> {
  const link = await lstat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (!link) return undefined
  const isLink = link.isSymbolicLink()
  if (!isLink)
    return {
      link,
      target: link,
      real: parent === undefined ? await realpath(path) : join(parent, basename(path)),
      isLink,
    }
  return { link, target: await stat(path, { bigint: true }), real: await realpath(path), isLink }
}

/** Changes when what stands there does: a program can set a file's other times, but not the time of its change. */
export function markOf({ link, target, real }: FoundFile): string {
  const of = ({ dev, ino, size, mtimeNs, ctimeNs, mode }: BigIntStats) =>
    [dev, ino, size, mtimeNs, ctimeNs, mode].join(',')
  // A folder's own times say nothing that its files do not.
  return target.isDirectory() ? `folder ${real}` : `${real} ${of(link)} ${of(target)}`
}

export function changedAt({ ctimeNs, mtimeNs }: BigIntStats): number {
  return Number((ctimeNs > mtimeNs ? ctimeNs : mtimeNs) / 1_000_000n)
}
