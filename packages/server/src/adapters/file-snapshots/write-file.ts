/** Puts a content in the stead of a file: as a whole, or not at all. */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, rename, rm, stat, symlink } from 'node:fs/promises'
import type { FileVersion } from '../../core/ports/file-snapshots.ts'
import { isSameVersion } from '../../core/ports/file-snapshots.ts'
import { isRoot } from '../system/agent-user.ts'
import { readVersion } from './read-version.ts'

export interface NewContent {
  kind: 'file' | 'executable' | 'link'
  bytes: Buffer
}

/** `folder` is known to be the right one. Undefined removes the file. False where it is not `expected` any more. */
export async function replaceFile(
  folder: string,
  name: string,
  content: NewContent | undefined,
  expected: FileVersion | undefined,
): Promise<boolean> {
  const path = `${folder}/${name}`
  const isExpected = async () => isSameVersion(await versionAt(path), expected)
  if (!content) {
    if (!(await isExpected())) return false
    await rm(path, { force: true })
    return true
  }
  const beside = `${folder}/.dorkos-${randomUUID()}`
  try {
    await writeBeside(beside, path, folder, content)
    // As late as can be: what is written from here on by somebody else is lost.
    if (!(await isExpected())) return false
    await rename(beside, path)
    return true
  } finally {
    await rm(beside, { force: true })
  }
}

/** What is neither a file nor a link is no version, and must not be taken for nothing. */
async function versionAt(path: string): Promise<FileVersion | undefined> {
  const read = await readVersion(path)
  if (read) return read.version
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  )
  return isThere ? { kind: 'large', hash: 'something else', bytes: 0 } : undefined
}

/** It belongs to whom the file belonged, or its folder, and may be read by the same. */
async function writeBeside(beside: string, path: string, folder: string, content: NewContent): Promise<void> {
  if (content.kind === 'link') return symlink(content.bytes, beside)
  const before = await lstat(path).catch(() => undefined)
  const owner = before ?? (await stat(folder))
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const handle = await open(beside, flags, 0o600)
  try {
    await handle.writeFile(content.bytes)
    if (isRoot()) await handle.chown(owner.uid, owner.gid)
    const mode = before?.isFile() ? before.mode & 0o666 : 0o644
    const readable = (mode & 0o444) >> 2
    await handle.chmod(content.kind === 'executable' ? mode | readable : mode)
  } finally {
    await handle.close()
  }
}
