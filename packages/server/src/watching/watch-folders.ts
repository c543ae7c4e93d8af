/** Notifies that something may have changed in some folders, however it was written. */
import { FolderWatches } from './folder-watches.ts'

/** Events within this time are reported once: editors write in several steps. */
const settleMs = 100
/** Where a folder cannot be watched, is not there, or is written by other machines: no system reports what they do. */
const pollMs = 1000

/** Does not keep the process alive. */
export class WatchedFolders {
  readonly #onChange: () => void
  readonly #watches = new FolderWatches({
    onEvent: () => this.#touched(),
    onFault: () => this.#pollIfBlind(),
  })
  readonly #isShared: boolean
  #folders: ReadonlySet<string> = new Set()
  #timer: NodeJS.Timeout | undefined
  #poll: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(onChange: () => void, { isShared = false } = {}) {
    this.#onChange = onChange
    this.#isShared = isShared
  }

  /** These folders from now on, and no others. Looks whether they are still the same. */
  watch(folders: ReadonlySet<string>): void {
    if (this.#isClosed) return
    this.#folders = folders
    this.#watches.watch(folders)
    this.#pollIfBlind()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    clearInterval(this.#poll)
    this.#watches.close()
  }

  /** Not set back by later events, so that a file which is written to all the time is reported too. */
  #touched(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (!this.#isClosed) this.#onChange()
    }, settleMs).unref()
  }

  #pollIfBlind(): void {
    if (this.#isClosed) return
    if (this.#isShared || [...this.#folders].some((folder) => !this.#watches.has(folder))) {
      this.#poll ??= setInterval(() => this.#onChange(), pollMs).unref()
    } else {
      clearInterval(this.#poll)
      this.#poll = undefined
    }
  }
}
