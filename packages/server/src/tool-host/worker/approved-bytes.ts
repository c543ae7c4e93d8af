/** Reads a file and gives its bytes only where they are those that were approved. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sep } from 'node:path'

/** Throws where they are not. The bytes that were checked are those that are run: nobody can change the file in between. */
export function approvedBytes(path: string, approved: Readonly<Record<string, string>>): Buffer {
  const wanted = Object.hasOwn(approved, path) ? approved[path] : undefined
  if (wanted === undefined) throw new Error(`${path} was not approved, so it is not loaded`)
  const bytes = readFileSync(path)
  if (createHash('sha256').update(bytes).digest('hex') === wanted) return bytes
  throw new Error(`${path} has changed since it was approved, so it is not loaded`)
}

export function isInsideAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(folder.endsWith(sep) ? folder : folder + sep))
}
