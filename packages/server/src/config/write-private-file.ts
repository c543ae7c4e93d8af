/** Files that only their owner can read, written in one step: nobody ever finds half of one. */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, lstat, open, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Replaces a file: at every moment it is the old one or the new one. */
export async function writePrivateFile(file: string, content: string): Promise<void> {
  if (await isLink(file)) throw new Error(`${file} is a symbolic link`)
  await written(file, content, (temporary) => rename(temporary, file))
}

/** Makes a file where there is none. Of several who do so at once, one makes it: all find that one's afterwards. */
export async function createPrivateFile(file: string, content: string): Promise<void> {
  await written(file, content, async (temporary) => {
    // Some file systems have no links: a copy is as exclusive, and for a moment not whole.
    await link(temporary, file)
      .catch(unlessThere)
      .catch(() => copyFile(temporary, file, constants.COPYFILE_EXCL).catch(unlessThere))
    await unlink(temporary)
  })
}

/** The content under a name of its own beside the file, which `settle` then puts where it belongs. */
async function written(
  file: string,
  content: string,
  settle: (temporary: string) => Promise<void>,
): Promise<void> {
  const folder = dirname(file)
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
    await settle(temporary)
  } catch (error) {
    await unlink(temporary).catch(() => {})
    throw error
  }
  await syncFolder(folder)
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
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
