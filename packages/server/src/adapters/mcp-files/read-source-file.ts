/** Reads a file that somebody else may have put there: it cannot hang, flood or lead elsewhere. */
import { constants } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { isInside } from '../../core/real-path.ts'

export interface ReadOptions {
  maxBytes: number
  /** The file must lie in this folder, links followed. */
  within?: string
}

export type FileText =
  | { state: 'absent' }
  /** The text is without a byte order mark; the bytes are all. */
  | { state: 'read'; text: string; bytes: Buffer }
  /** A sentence. */
  | { state: 'refused'; reason: string }

export async function readSourceFile(file: string, options: ReadOptions): Promise<FileText> {
  try {
    const real = await realpath(file)
    if (options.within !== undefined && !isInside(await realpath(options.within), real)) {
      return refused('is a link that leads out of its folder; put the file itself there')
    }
    // Asked before it is opened, because opening a device can do something.
    if (!(await stat(real)).isFile()) return refused('is not a plain file')
    // Should it be a named pipe by now, opening it would wait for ever without O_NONBLOCK.
    const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      return await readText(handle, options.maxBytes)
    } finally {
      await handle.close()
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    // A link to nothing is a fault only where it leads: whatever it names may appear later.
    return code === 'ENOENT' || code === 'ENOTDIR' ? { state: 'absent' } : refused(`cannot be read (${code})`)
  }
}

/** Up to the limit and one byte more, whatever the size is said to be: files of `/proc` have none, and others grow. */
async function readText(handle: FileHandle, maxBytes: number): Promise<FileText> {
  const { size, ...kind } = await handle.stat().then((stat) => ({ size: stat.size, plain: stat.isFile() }))
  if (!kind.plain) return refused('is not a plain file')
  const tooLarge = refused(`is larger than ${maxBytes / 1024 / 1024} MiB`)
  if (size > maxBytes) return tooLarge
  const chunks: Buffer[] = []
  for (let length = 0; ; ) {
    const buffer = Buffer.allocUnsafe(Math.min(Math.max(size + 1 - length, 65_536), maxBytes + 1 - length))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, null)
    if (bytesRead === 0) break
    length += bytesRead
    if (length > maxBytes) return tooLarge
    chunks.push(buffer.subarray(0, bytesRead))
  }
  const bytes = Buffer.concat(chunks)
  return { state: 'read', text: bytes.toString('utf8').replace(/^\uFEFF/, ''), bytes }
}

function refused(why: string): FileText {
  return { state: 'refused', reason: `The file ${why}.` }
}
