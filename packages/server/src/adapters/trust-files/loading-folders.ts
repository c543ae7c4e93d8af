/**
 * From where, besides the workspace itself, the CLI loads what belongs to a project (seen with 2.1.325): agents, commands, skills and
 * workflows of every folder above up to the root of the repository (without one, up to the home directory); local settings
 * of that root; and, in a worktree, those of the main checkout, with its other things where the worktree has none.
 */
import type { Stats } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

const MAX_ABOVE = 64

export async function foldersAbove(root: string, ownerHome: string): Promise<string[]> {
  const above: string[] = []
  for (let at = root; above.length < MAX_ABOVE; at = dirname(at)) {
    if (at !== root && at !== ownerHome) above.push(at)
    const git = join(at, '.git')
    const found = await stat(git).catch(() => undefined)
    if (found && !(await isEmpty(git, found))) {
      const main = found.isFile() ? await mainCheckout(git) : undefined
      return main === undefined || main === root || above.includes(main) ? above : [...above, main]
    }
    if (at === ownerHome || dirname(at) === at) return above
  }
  return above
}

/** A sandbox keeps the place of a repository with an empty one while a command runs. Going on above it finds more than is loaded, never less. */
async function isEmpty(path: string, found: Stats): Promise<boolean> {
  if (!found.isDirectory()) return found.size === 0
  return (await readdir(path).catch(() => undefined))?.length === 0
}

/** A worktree's `.git` is a file that names a folder of the main checkout's. */
async function mainCheckout(file: string): Promise<string | undefined> {
  const link = /^gitdir:\s*(.+?)\s*$/m.exec((await readShort(file)) ?? '')?.[1]
  if (link === undefined) return undefined
  const folder = resolve(dirname(file), link)
  const common = (await readShort(join(folder, 'commondir')))?.trim()
  const git = common ? resolve(folder, common) : folder
  return basename(git) === '.git' ? dirname(git) : undefined
}

async function readShort(file: string): Promise<string | undefined> {
  if (!(await stat(file).catch(() => undefined))?.isFile()) return undefined
  const handle = await open(file, 'r').catch(() => undefined)
  try {
    const read = await handle?.read(Buffer.alloc(8192), 0, 8192, 0)
    return read?.buffer.toString('utf8', 0, read.bytesRead)
  } catch {
    return undefined
  } finally {
    await handle?.close()
  }
}
