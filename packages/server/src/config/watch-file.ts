/** Tells when a file may have changed, however it was written: in place, or by a new file under its name. */
import { type FSWatcher, unwatchFile, watch, watchFile } from 'node:fs'
import { basename, dirname } from 'node:path'

export interface WatchFileOptions {
  /** Events within this time are told once, at its end: editors write in several steps. */
  settleMs: number
  /** The system has no watches left, or the folder does not offer them: the file is looked at every two seconds. */
  onFallback(error: unknown): void
}

/** Returns a function that ends the watch. Does not keep the process alive. */
export function watchForChange(file: string, options: WatchFileOptions, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let polling = false
  const touched = () => {
    if (closed) return
    clearTimeout(timer)
    timer = setTimeout(onChange, options.settleMs).unref()
  }
  const poll = (error: unknown) => {
    if (closed || polling) return
    polling = true
    options.onFallback(error)
    watchFile(file, { interval: 2000, persistent: false }, touched)
  }
  const watcher = watchFolder(file, touched, poll)
  return () => {
    closed = true
    clearTimeout(timer)
    watcher?.close()
    if (polling) unwatchFile(file, touched)
  }
}

function watchFolder(
  file: string,
  touched: () => void,
  failed: (error: unknown) => void,
): FSWatcher | undefined {
  try {
    const watcher = watch(dirname(file), { persistent: false }, (_event, name) => {
      if (name === null || name === basename(file)) touched()
    })
    watcher.on('error', (error) => {
      watcher.close()
      failed(error)
    })
    return watcher
  } catch (error) {
    failed(error)
    return undefined
  }
}
