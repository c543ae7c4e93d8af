/**
 * Files below a directory whose owner may be hostile, and quick: a folder that was looked at may be a link by the time that something in
 * it is opened. So the way there is opened step by step, and what is at its end is reached through the open folder.
 */
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isPlainPath } from '../workspace-files/plain-path.ts'

const folderOnly = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/**
 * Calls `use` with a path to the folder that stays the same folder, whatever becomes of its names. Undefined where there is no such
 * folder, or a link is on the way. `directory` is without links.
 */
export async function inFolder<T>(
  directory: string,
  folder: string,
  use: (path: string) => Promise<T>,
  options: { make: boolean; owner?: { uid: number; gid: number } } = { make: false },
): Promise<T | undefined> {
  if (folder !== '' && !isPlainPath(folder)) return undefined
  // Only Linux has names for open folders. Elsewhere the way is checked as it is now.
  if (process.platform !== 'linux') return inCheckedFolder(directory, folder, use, options.make)
  let handle = await openFolder(directory)
  try {
    for (const name of folder === '' ? [] : folder.split('/')) {
      if (!handle) return undefined
      const path = `${throughHandle(handle)}/${name}`
      if (options.make) await makeFolder(path, options.owner)
      const next: FileHandle | undefined = await openFolder(path)
      await handle.close()
      handle = next
    }
    return handle && (await use(throughHandle(handle)))
  } finally {
    await handle?.close()
  }
}

const throughHandle = (handle: FileHandle) => `/proc/self/fd/${handle.fd}`

async function openFolder(path: string): Promise<FileHandle | undefined> {
  return open(path, folderOnly).catch(() => undefined)
}

async function makeFolder(path: string, owner: { uid: number; gid: number } | undefined): Promise<void> {
  const isMade = await mkdir(path).then(
    () => true,
    () => false,
  )
  const made = isMade && owner ? await openFolder(path) : undefined
  try {
    if (owner) await made?.chown(owner.uid, owner.gid)
  } finally {
    await made?.close()
  }
}

async function inCheckedFolder<T>(
  directory: string,
  folder: string,
  use: (path: string) => Promise<T>,
  make: boolean,
): Promise<T | undefined> {
  const path = join(directory, folder)
  if (make) await mkdir(path, { recursive: true })
  const real = await realpath(path).catch(() => undefined)
  return real === path ? use(path) : undefined
}
