/** Tells that something may have changed in some folders, however it was written. */
import { type FSWatcher, statSync, watch } from 'node:fs'

/** Events within this time are told once: editors write in several steps. */
const settleMs = 100
/** Where a folder cannot be watched, or is not there. */
const pollMs = 1000

interface Watched {
  watcher: FSWatcher
  /** A folder that is removed and made again is another one. */
  identity: string
}

export class FolderWatch {
  readonly #onChange: () => void
  readonly #watched = new Map<string, Watched | undefined>()
  #timer: NodeJS.Timeout | undefined
  #poll: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** These folders from now on, and no others. Looks whether they are still the same. */
  watch(folders: ReadonlySet<string>): void {
    if (this.#isClosed) return
    for (const [folder, watched] of this.#watched) {
      if (folders.has(folder) && watched && watched.identity === folderIdentity(folder)) continue
      watched?.watcher.close()
      this.#watched.delete(folder)
    }
    for (const folder of folders) if (!this.#watched.has(folder)) this.#open(folder)
    this.#pollIfBlind()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    clearInterval(this.#poll)
    for (const watched of this.#watched.values()) watched?.watcher.close()
    this.#watched.clear()
  }

  /** Not set back by later events, so that a file which is written to all the time is told of too. */
  #touched(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (!this.#isClosed) this.#onChange()
    }, settleMs)
  }

  #open(folder: string): void {
    this.#watched.set(folder, undefined)
    const identity = folderIdentity(folder)
    if (identity === undefined) return
    try {
      const watcher = watch(folder, () => this.#touched())
      this.#watched.set(folder, { watcher, identity })
      watcher.on('error', () => {
        watcher.close()
        if (this.#watched.get(folder)?.watcher === watcher) this.#watched.set(folder, undefined)
        this.#pollIfBlind()
      })
    } catch {
      // No watches are left, or the file system has none.
    }
  }

  #pollIfBlind(): void {
    if (this.#isClosed) return
    if ([...this.#watched.values()].includes(undefined)) {
      this.#poll ??= setInterval(() => this.#onChange(), pollMs)
    } else {
      clearInterval(this.#poll)
      this.#poll = undefined
    }
  }
}

/** Undefined where there is none. The number alone is soon given to another folder. */
export function folderIdentity(folder: string): string | undefined {
  const found = statSync(folder, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino} ${found.birthtimeNs}`
}
