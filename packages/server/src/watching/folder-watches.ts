/** The watches of a changing set of folders: the one place that asks the system to report changes. */
import { type FSWatcher, statSync, watch } from 'node:fs'

export interface FolderEvents {
  /** Something happened in a folder, to this name where the system says it. Linux reports a folder's own end under its own name. */
  onEvent(folder: string, name: string | null): void
  /** The folder cannot be watched: no watches are left, the file system has none, or the watch broke. */
  onFault(folder: string, error: unknown): void
}

interface Watched {
  watcher: FSWatcher
  identity: string
}

/** Does not keep the process alive. */
export class FolderWatches {
  readonly #events: FolderEvents
  readonly #watched = new Map<string, Watched>()

  constructor(events: FolderEvents) {
    this.#events = events
  }

  /**
   * These folders from now on, and no others. One that was removed and made again under its name is another, and one that is not there
   * is left out. `opened` are watched anew: what happened in them before cannot have been reported. `lost` were watched and are not there
   * any more: what happened in them last may never be reported.
   */
  watch(folders: ReadonlySet<string>): { opened: string[]; lost: string[] } {
    const lost: string[] = []
    for (const [folder, { identity }] of this.#watched) {
      const isThere = identity === folderIdentity(folder)
      if (!isThere) lost.push(folder)
      if (!isThere || !folders.has(folder)) this.unwatch(folder)
    }
    const opened = [...folders].filter((folder) => !this.#watched.has(folder) && this.#open(folder))
    return { opened, lost }
  }

  has(folder: string): boolean {
    return this.#watched.has(folder)
  }

  unwatch(folder: string): void {
    this.#watched.get(folder)?.watcher.close()
    this.#watched.delete(folder)
  }

  close(): void {
    for (const folder of [...this.#watched.keys()]) this.unwatch(folder)
  }

  #open(folder: string): boolean {
    const identity = folderIdentity(folder)
    if (identity === undefined) return false
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) =>
        this.#events.onEvent(folder, name),
      )
      watcher.on('error', (error) => {
        watcher.close()
        if (this.#watched.get(folder)?.watcher !== watcher) return
        this.#watched.delete(folder)
        this.#events.onFault(folder, error)
      })
      this.#watched.set(folder, { watcher, identity })
      return true
    } catch (error) {
      this.#events.onFault(folder, error)
      return false
    }
  }
}

/** Undefined where there is none. The number alone is soon given to another folder. */
export function folderIdentity(folder: string): string | undefined {
  try {
    const { dev, ino, birthtimeNs } = statSync(folder, { bigint: true })
    return `${dev} ${ino} ${birthtimeNs}`
  } catch {
    return undefined
  }
}
