/**
 * A module and what it imports by path, found by reading. Nothing is run. What is named in another way (a computed path, a package) is not
 * in it, so whoever loads only what is in it leaves that out.
 */
import { constants } from 'node:fs'
import { open, realpath, stat } from 'node:fs/promises'
import { dirname, extname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isInside } from '../core/real-path.ts'
import { importSpecifiers } from './import-specifiers.ts'

const mostFiles = 500
const mostBytes = 4 * 1024 * 1024
const readable = new Set(['.js', '.mjs', '.cjs', ''])
const requireEndings = ['', '.js', '.json', '.node', '/index.js', '/index.json']

export interface TracedModule {
  /** Real paths, the module first. */
  files: string[]
  /** Paths that are imported and are not there. */
  missing: string[]
  /** There is more than we read. */
  isCut: boolean
}

/**
 * The real paths of the module and of all that it imports by path: static imports, dynamic ones and `require` of literal paths, JSON,
 * `new URL('…', import.meta.url)`. The module is first. Rejects where it cannot be read or is too large to be looked through. What lies
 * outside of `within`, where that is given, is neither read nor returned.
 */
export async function moduleGraph(file: string, within?: string): Promise<string[]> {
  await readSource(file, mostBytes)
  const { files, isCut } = await traceModule(file, within)
  if (isCut)
    throw new Error(
      `${file} imports more than ${mostFiles} files or ${mostBytes / 1024 / 1024} MiB: make it smaller`,
    )
  return files
}

/** Never rejects. */
export async function traceModule(file: string, within?: string): Promise<TracedModule> {
  const files = new Set<string>()
  const missing = new Set<string>()
  const ahead = [resolve(file)]
  let bytes = 0
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const path = await realFile(next)
    if (path === undefined) {
      missing.add(next)
      continue
    }
    if (files.has(path) || (within !== undefined && !isInside(within, path))) continue
    if (files.size >= mostFiles || bytes > mostBytes)
      return { files: [...files], missing: [...missing], isCut: true }
    files.add(path)
    if (!readable.has(extname(path))) continue
    const source = await readSource(path, mostBytes - bytes).catch(() => '')
    if (source === undefined) return { files: [...files], missing: [...missing], isCut: true }
    bytes += source.length
    for (const { text, isRequire } of importSpecifiers(source)) {
      const target = isRequire ? await requiredFile(text, path) : importedFile(text, path)
      if (target !== undefined) ahead.push(target)
    }
  }
  return { files: [...files], missing: [...missing], isCut: false }
}

/** Undefined when it is longer. Never waits for somebody to write: by now it may be anything. */
async function readSource(path: string, most: number): Promise<string | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new Error(`EISDIR: ${path} is not a plain file`)
    if (found.size > most) return undefined
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(found.size), 0, found.size, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** The path that an import names, where it names one. */
export function importedFile(text: string, from: string): string | undefined {
  if (!isPath(text)) return undefined
  try {
    return fileURLToPath(new URL(text, pathToFileURL(from)))
  } catch {
    return undefined
  }
}

async function requiredFile(text: string, from: string): Promise<string | undefined> {
  if (!isPath(text) || text.startsWith('file:')) return undefined
  const base = resolve(dirname(from), text)
  for (const ending of requireEndings) {
    if ((await realFile(base + ending)) !== undefined) return base + ending
  }
  return base
}

function isPath(text: string): boolean {
  return /^(?:\.{0,2}\/|\.{1,2}$|file:)/.test(text)
}

async function realFile(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path)
    return (await stat(real)).isFile() ? real : undefined
  } catch {
    return undefined
  }
}
