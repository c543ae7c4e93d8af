/** Replaces a file in one step: at every moment it is the old one or the new one, whole, and only its owner can read it. */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

export async function writePrivateFile(file: string, content: string): Promise<void> {
  const folder = dirname(file)
  if (await isLink(file)) throw new Error(`${file} is a symbolic link`)
  const temporary = join(folder, `.${basename(file)}.${randomBytes(6).toString('hex')}.tmp`)
  // O_EXCL: a file or link that somebody put there first is never written through.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const handle = await open(temporary, flags, 0o600)
  try {
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await unlink(temporary).catch(() => {})
    throw error
  }
  await syncFolder(folder)
}

async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** So that the new name is there after a power cut. Some file systems do not know this; the file is good all the same. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY).catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}
