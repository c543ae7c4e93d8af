/** What a file is now: its content, or that it is too large to be kept. */
import { createHash } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { lstat, open, readlink } from 'node:fs/promises'
import type { FileVersion } from '../../core/ports/file-snapshots.ts'

/** A larger file is known by its size and time alone. */
const maxFileBytes = 5 * 1024 * 1024

export interface VersionRead {
  version: FileVersion
  /** Undefined for a large one. */
  bytes: Buffer | undefined
  stat: BigIntStats
}

/** `path` leads through a folder that is known to be the right one. Undefined: neither a file nor a link, or not to be read. */
export async function readVersion(path: string): Promise<VersionRead | undefined> {
  const seen = await lstat(path, { bigint: true }).catch(() => undefined)
  if (seen?.isSymbolicLink()) {
    const bytes = await readlink(path, 'buffer').catch(() => undefined)
    return bytes && { version: versionOf('link', bytes), bytes, stat: seen }
  }
  if (!seen?.isFile()) return undefined
  // By now it may be a link or a named pipe, whose opening would wait for ever.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const handle = await open(path, flags).catch(() => undefined)
  if (!handle) return undefined
  try {
    const stat = await handle.stat({ bigint: true })
    if (!stat.isFile()) return undefined
    if (stat.size > maxFileBytes) return { version: largeVersion(stat), bytes: undefined, stat }
    const bytes = await handle.readFile()
    // It grows while it is read.
    if (bytes.length > maxFileBytes) return { version: largeVersion(stat), bytes: undefined, stat }
    return { version: versionOf(isExecutable(stat) ? 'executable' : 'file', bytes), bytes, stat }
  } catch {
    return undefined
  } finally {
    await handle.close()
  }
}

export function versionOf(kind: 'file' | 'executable' | 'link', bytes: Buffer): FileVersion {
  return { kind, hash: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length }
}

export function largeVersion({ size, mtimeNs }: BigIntStats): FileVersion {
  const hash = createHash('sha256').update(`${size} ${mtimeNs}`).digest('hex')
  return { kind: 'large', hash, bytes: Number(size) }
}

const isExecutable = ({ mode }: BigIntStats) => (mode & 0o100n) !== 0n

/** Two that are the same were not written to in between: nobody but root can set the time of the last change back. */
export function statKey({ ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mode} ${mtimeNs} ${ctimeNs}`
}
