/** Files in folders where agents can write: what is opened is a plain file that lies at this very path, and nothing is followed to elsewhere. */
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'

export interface PlainFile {
  file: FileHandle
  size: number
  /** Whose it is. */
  uid: number
  /** It lies elsewhere too: what is there need not be from here. */
  isLinked: boolean
  /** Milliseconds, wall time. */
  changedAt: number
  /** Of this very file as it is now. */
  version: string
}

/** Open for reading; the caller closes it. Undefined unless a plain file lies at this very path, on a way without links. */
export async function openPlainFile(path: string): Promise<PlainFile | undefined> {
  // Without waiting, since a pipe could lie there.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const opened = await file.stat()
    // No link on the way: what was opened is what lies there.
    const isThere = (await realpath(path)) === path
    const { dev, ino } = await lstat(path)
    if (isThere && opened.isFile() && opened.dev === dev && opened.ino === ino)
      return {
        file,
        size: opened.size,
        uid: opened.uid,
        isLinked: opened.nlink !== 1,
        changedAt: opened.mtimeMs,
        version: `${dev}-${ino}-${opened.size}-${opened.mtimeMs}`,
      }
  } catch {
    // It went away meanwhile.
  }
  await file.close()
  return undefined
}

/** Bytes from `start` up to `end`, or up to where the file ends by now. */
export async function bytesBetween({ file }: PlainFile, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.max(0, end - start))
  let read = 0
  while (read < bytes.length) {
    const { bytesRead } = await file.read(bytes, read, bytes.length - read, start + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
}
