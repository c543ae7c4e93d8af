/** Files in the folder that the CLI keeps beside a session's transcript. Agents can write there, so nothing is followed out of it. */
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** One of ours: a name, and no way to anywhere. */
const plainName = /^[\w-](?:[\w.-]{0,198}[\w-])?$/

/** Where such a file would be; undefined for names that are none, and without a folder. */
export async function ownPath(transcriptPath: string, ...names: string[]): Promise<string | undefined> {
  if (!names.every((name) => plainName.test(name))) return undefined
  const folder = await realpath(dirname(transcriptPath)).catch(() => undefined)
  return folder && join(folder, basename(transcriptPath, '.jsonl'), ...names)
}

interface OwnFile {
  file: FileHandle
  size: number
  /** It lies elsewhere too: what is there need not be the CLI's. */
  isLinked: boolean
}

/** Open for reading; the caller closes it. Undefined unless a plain file lies at this very path. */
export async function openOwnFile(path: string): Promise<OwnFile | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const opened = await file.stat()
    // No link on the way: what was opened is what lies there.
    const isThere = (await realpath(path)) === path
    const { dev, ino } = await lstat(path)
    if (isThere && opened.isFile() && opened.dev === dev && opened.ino === ino)
      return { file, size: opened.size, isLinked: opened.nlink !== 1 }
  } catch {
    // It went away meanwhile.
  }
  await file.close()
  return undefined
}
