/** Where paths really lead. */

import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path'
import { say } from '@dorkos/shared/saying'
import { AppError } from './app-error.ts'

/** As many as Linux follows. */
const MAX_LINKS = 40

/**
 * The path without links. What does not exist (yet) is kept as written behind the deepest part that does; a link to
 * something that does not exist is followed too, because whoever makes that thing would be led there. Throws when it
 * cannot be known: a folder that cannot be looked into, a circle, or a link of `/proc` that leads each process elsewhere.
 */
export async function realPath(path: string): Promise<string> {
  const start = resolve(path)
  let { root: way } = parse(start)
  const ahead = partsOf(start)
  for (let links = 0; ; ) {
    const part = ahead.shift()
    if (part === undefined) return spelling(way, path)
    const next = join(way, part)
    const target = part === '..' ? undefined : await linkTarget(next, path)
    if (target === undefined) way = next
    else {
      if (++links > MAX_LINKS) throw unknown(path, 'ELOOP')
      if (isAnothersLink(next)) throw unknown(path, 'EPERM')
      if (isAbsolute(target)) way = parse(target).root
      ahead.unshift(...partsOf(target))
    }
  }
}

/** `/proc/self` is another folder for the CLI than for us, and so is what it works in (`cwd`) and has open (`fd`). The root is the same. */
function isAnothersLink(link: string): boolean {
  if (!isInside('/proc', link)) return false
  if (['/proc/self', '/proc/thread-self', '/proc/net', '/proc/mounts'].includes(link)) return false
  return !(basename(link) === 'root' && isInside(`/proc/${process.pid}`, link))
}

/** Both without links. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

function partsOf(path: string): string[] {
  return path
    .slice(parse(path).root.length)
    .split(sep)
    .filter((part) => part !== '' && part !== '.')
}

/** Undefined for what is no link, or is not there. */
async function linkTarget(link: string, path: string): Promise<string | undefined> {
  try {
    return await readlink(link)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    // EINVAL: no link. ENOTDIR: a file stands where a folder is meant; nothing can be beyond it.
    if (['EINVAL', 'ENOENT', 'ENOTDIR', 'UNKNOWN'].includes(code)) return undefined
    throw unknown(path, code, error)
  }
}

/** As the disk spells it, where upper and lower case are the same to it. */
async function spelling(way: string, path: string): Promise<string> {
  const missing: string[] = []
  for (let existing = way; ; existing = dirname(existing)) {
    try {
      return join(await realpath(existing), ...missing)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? ''
      if (!['ENOENT', 'ENOTDIR'].includes(code) || existing === dirname(existing))
        throw unknown(path, code, error)
      missing.unshift(basename(existing))
    }
  }
}

function unknown(path: string, code: string, cause?: unknown): AppError {
  return new AppError('outside_roots', say('path_unfollowable', { path, code }), { cause })
}
