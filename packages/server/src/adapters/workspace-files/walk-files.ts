/** Files of a directory without git's help: broad before deep, so that what lies high up is there when a bound is met. */
import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { isPlainName } from './plain-path.ts'

export interface WalkBudget {
  /** How many entries may still be read. */
  entries: number
  /** By `performance.now()`. */
  until: number
}

export interface Walked {
  files: string[]
  directories: string[]
  complete: boolean
}

const skipped = new Set(['.git', 'node_modules'])

/** Links are listed as files, and never followed. `isClosed`: what is not listed, by its path below the root. */
export async function walkFiles(
  root: string,
  budget: WalkBudget,
  isClosed: (path: string) => boolean,
): Promise<Walked> {
  const walked: Walked = { files: [], directories: [], complete: true }
  const waiting = ['']
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    for await (const entry of entriesOf(join(root, folder))) {
      if (--budget.entries < 0 || performance.now() > budget.until) return { ...walked, complete: false }
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (!isPlainName(entry.name) || skipped.has(entry.name) || isClosed(path)) continue
      if (entry.isDirectory()) {
        walked.directories.push(path)
        waiting.push(path)
      } else if (entry.isFile() || entry.isSymbolicLink()) walked.files.push(path)
    }
  }
  return walked
}

/** A folder that cannot be read, or is gone by now, has nothing in it. */
async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder, { bufferSize: 256 })
  } catch {
    // Nothing to list.
  }
}
