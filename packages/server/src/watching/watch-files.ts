/** Notifies when one of some files may have changed, appeared or gone, however it was written, also where its folder does not exist yet. */
import { readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { FolderWatches } from './folder-watches.ts'

export interface WatchFilesOptions {
  /** Events within this time are reported once, at its end: editors write in several steps. 100 unless given. */
  settleMs?: number
  /** The system has no watches left, or there are too many folders: the files are checked every `pollMs` instead (2000). */
  pollMs?: number
  onFallback?(error: unknown): void
  /** When the reading began that the files are from: one that was written after that is reported. */
  readSince?: number
}

export interface FileWatch {
  /** The files of a newer reading. `readSince` is when it began: a new file that was written after that is reported. */
  update(files: readonly string[], readSince?: number): void
  close(): void
}

/** More folders than any sensible reading has. */
const MAX_FOLDERS = 128
const MAX_LINKS = 8

/** Does not keep the process alive. */
export function watchFiles(
  files: readonly string[],
  onChange: () => void,
  options: WatchFilesOptions = {},
): FileWatch {
  return new WatchedFiles(files, onChange, options)
}

class WatchedFiles implements FileWatch {
  #files: readonly string[]
  #onChange: () => void
  #options: WatchFilesOptions
  /** The names that matter, by their folder. */
  #names: ReadonlyMap<string, ReadonlySet<string>> = new Map()
  #folders = new FolderWatches({
    onEvent: (folder, name) => {
      if (name === null || this.#names.get(folder)?.has(name) || name === basename(folder)) this.#touched()
    },
    onFault: (_folder, error) => this.#poll(error),
  })
  #marks = new Map<string, string>()
  #settling: NodeJS.Timeout | undefined
  #polling: NodeJS.Timeout | undefined
  #closed = false

  constructor(files: readonly string[], onChange: () => void, options: WatchFilesOptions) {
    this.#files = files
    this.#onChange = onChange
    this.#options = options
    this.update(files, options.readSince)
  }

  update(files: readonly string[], readSince = Number.POSITIVE_INFINITY): void {
    if (this.#closed) return
    this.#files = files
    this.#arm()
    const marks = new Map<string, string>()
    for (const file of files) {
      // A file that is known keeps its mark: what happened to it while it was read must not be missed.
      const known = this.#marks.get(file)
      const fresh = known === undefined && changedSince(file, readSince)
      marks.set(file, known ?? (fresh ? '' : markOf(file)))
      if (fresh) this.#touched()
    }
    this.#marks = marks
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#settling)
    clearInterval(this.#polling)
    this.#folders.close()
  }

  /** Again while there are new watches: what was made before they stood has to be looked for. */
  #arm(): void {
    for (let round = 0; round < 8 && this.#armOnce(); round++);
  }

  /**
   * One watch a folder: that of each file or, where it does not exist, the nearest above it that does. What a link leads to is
   * watched as well.
   */
  #armOnce(): boolean {
    const wanted = new Map<string, Set<string>>()
    for (const file of this.#files) {
      for (const path of linkedPaths(file)) {
        const { folder, name } = nearestFolder(path)
        const names = wanted.get(folder) ?? new Set()
        wanted.set(folder, names.add(name))
      }
    }
    if (wanted.size > MAX_FOLDERS)
      this.#poll(new Error(`There are more than ${MAX_FOLDERS} folders to watch.`))
    this.#names = new Map([...wanted].slice(0, MAX_FOLDERS))
    return this.#folders.watch(new Set(this.#names.keys())).opened.length > 0
  }

  #touched(): void {
    if (this.#closed) return
    clearTimeout(this.#settling)
    this.#settling = setTimeout(() => this.#settled(), this.#options.settleMs ?? 100).unref()
  }

  #settled(): void {
    // Folders may have come or gone, and what happened in a new one before it was watched shows in the marks only.
    this.#arm()
    let changed = false
    for (const file of this.#files) {
      const mark = markOf(file)
      if (this.#marks.get(file) !== mark) changed = true
      this.#marks.set(file, mark)
    }
    if (changed) this.#onChange()
  }

  #poll(error: unknown): void {
    if (this.#closed || this.#polling) return
    this.#options.onFallback?.(error)
    this.#polling = setInterval(() => this.#settled(), this.#options.pollMs ?? 2000).unref()
  }
}

/** The file, and each path on the way to where links lead. */
function linkedPaths(file: string): string[] {
  const paths = [file]
  try {
    for (let path = file; paths.length < MAX_LINKS; ) {
      path = resolve(dirname(path), readlinkSync(path))
      paths.push(path)
    }
  } catch {
    // No link, or the last of them.
  }
  return paths
}

/** The folder to watch, and the name in it that the path goes on with. */
function nearestFolder(path: string): { folder: string; name: string } {
  for (let at = path; ; at = dirname(at)) {
    const folder = dirname(at)
    try {
      if (folder === at || statSync(folder).isDirectory())
        return { folder: realpathSync(folder), name: basename(at) }
    } catch {
      if (folder === at) return { folder, name: basename(at) }
    }
  }
}

/** With some room: the clock of a file system goes in steps. */
function changedSince(file: string, time: number): boolean {
  try {
    return statSync(file).ctimeMs >= time - 20
  } catch {
    return false
  }
}

/** Differs when the file does. Not opened: it could be anything. */
function markOf(file: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
    return [dev, ino, size, mtimeNs, ctimeNs].join(':')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? ''
  }
}
