/**
 * The files of the built page. The folder is listed once: no path is ever made from a request. Contents are read when they are first
 * asked for, and kept, so that a new build under a running server cannot be served half.
 */

import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { say } from '@dorkos/shared'
import { AppError } from '../../core/app-error.ts'
import type { PageContent, PageEncoding, PageFile, PageFiles } from '../../core/ports/page-files.ts'

export interface PageFilesOptions {
  /** Files in the folder, its subfolders included. */
  maxFiles?: number
  /** Of one file, as it is sent. */
  maxBytes?: number
}

const maxDepth = 8
const endings: Record<Exclude<PageEncoding, 'identity'>, string> = { br: '.br', gzip: '.gz' }

/** Undefined when there is no folder, or no page in it. */
export async function openPageFiles(
  folder: string,
  { maxFiles = 5000, maxBytes = 16 * 1024 * 1024 }: PageFilesOptions = {},
): Promise<PageFiles | undefined> {
  const paths = await listPaths(folder)
  if (!paths.has('/index.html')) return undefined
  if (paths.size > maxFiles)
    throw new AppError('unavailable', say('page_folder_foreign', { folder, most: maxFiles }))
  const files = new Map<string, PageFile>()
  for (const path of paths) {
    if (isCompressed(path, paths)) continue
    files.set(path, pageFile(folder, path, paths, maxBytes))
  }
  return files
}

/** Plain files with plain names: links and hidden files are not part of a page. */
async function listPaths(folder: string, below = '', depth = 0): Promise<Set<string>> {
  const paths = new Set<string>()
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  })
  for (const entry of entries.filter(({ name }) => /^[\w-][\w.-]*$/.test(name))) {
    const path = `${below}/${entry.name}`
    if (entry.isFile()) paths.add(path)
    if (!entry.isDirectory() || depth === maxDepth) continue
    for (const inner of await listPaths(join(folder, entry.name), path, depth + 1)) paths.add(inner)
  }
  return paths
}

function isCompressed(path: string, paths: ReadonlySet<string>): boolean {
  return Object.values(endings).some(
    (ending) => path.endsWith(ending) && paths.has(path.slice(0, -ending.length)),
  )
}

function pageFile(folder: string, path: string, paths: ReadonlySet<string>, maxBytes: number): PageFile {
  const variants = new Map<PageEncoding, string>([['identity', path]])
  for (const [encoding, ending] of Object.entries(endings) as ['br' | 'gzip', string][])
    if (paths.has(path + ending)) variants.set(encoding, path + ending)
  const contents = new Map<PageEncoding, Promise<PageContent>>()
  return {
    encodings: new Set(variants.keys()),
    read(encoding) {
      const known = contents.get(encoding)
      if (known) return known
      const reading = readContent(join(folder, variants.get(encoding) ?? path), maxBytes)
      contents.set(encoding, reading)
      reading.catch(() => contents.delete(encoding))
      return reading
    },
  }
}

async function readContent(file: string, maxBytes: number): Promise<PageContent> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      const found = await handle.stat()
      if (!found.isFile() || found.size > maxBytes) throw new Error(`no file, or over ${maxBytes} bytes`)
      const bytes = await handle.readFile()
      return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` }
    } finally {
      await handle.close()
    }
  } catch (cause) {
    throw new AppError('unavailable', say('page_file_unreadable'), { cause })
  }
}
