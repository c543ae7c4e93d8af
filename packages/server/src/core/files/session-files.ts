/** Files of a session's directory as people look at them: folders one by one, and what is in a file. */
import { type SessionFile, type SessionFolder, say } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import { pictureTypeOf } from '../outputs/picture-type.ts'
import { isoTime } from '../ports/clock.ts'
import type { FileListing, FilePart, WorkspaceFiles } from '../ports/workspace-files.ts'
import type { FilePiece } from '../services.ts'

/** What a page shows of a text, and what one piece of a download has. */
const pieceBytes = 1024 * 1024
const maxEntries = 2000
/** Programs and archives have a zero byte early on. */
const checkedBytes = 8192

/** What lies directly in a folder, of a listing of all. Those that are gone by now are left out. */
export async function folderOf(
  files: WorkspaceFiles,
  directory: string,
  { files: paths, directories, complete }: FileListing,
  folder: string,
): Promise<SessionFolder> {
  const start = folder === '' ? '' : `${folder}/`
  const isIn = (path: string) => path.startsWith(start) && path.length > start.length
  const childOf = (path: string) => isIn(path) && !path.includes('/', start.length)
  const below = [...directories.filter(childOf).toSorted(byName), ...paths.filter(childOf).toSorted(byName)]
  if (below.length === 0 && folder !== '' && !directories.includes(folder)) throw noFile()
  const some = below.slice(0, maxEntries)
  const seen = await files.inspect(directory, some)
  return {
    entries: some.flatMap((path, index) => {
      const kind = seen[index]?.kind
      return kind ? [{ name: path.slice(start.length), kind }] : []
    }),
    complete: complete && some.length === below.length,
  }
}

const names = new Intl.Collator('en', { numeric: true })
const byName = (a: string, b: string) => names.compare(a, b)

export async function fileOf(files: WorkspaceFiles, directory: string, path: string): Promise<SessionFile> {
  const part = await partOf(files, directory, path, 0)
  const { bytes, changedAt, data } = part
  const isWhole = data.length >= bytes
  const text = textOf(data, isWhole)
  const picture = pictureTypeOf(data)
  return {
    bytes,
    changed_at: isoTime(changedAt),
    ...(text !== undefined && { text }),
    ...(picture && { picture }),
    complete: isWhole,
  }
}

/** A piece of the whole file. `version`: of the first piece, so that no two files become one. */
export async function pieceOf(
  files: WorkspaceFiles,
  directory: string,
  path: string,
  { start, version }: { start: number; version?: string | undefined },
): Promise<FilePiece> {
  const part = await partOf(files, directory, path, start)
  if (version !== undefined && part.version !== version)
    throw new AppError('conflict', say('file_changed_while_read'))
  const picture = start === 0 ? pictureTypeOf(part.data) : undefined
  return {
    base64: part.data.toString('base64'),
    bytes: part.bytes,
    version: part.version,
    ...(picture && { picture }),
  }
}

async function partOf(
  files: WorkspaceFiles,
  directory: string,
  path: string,
  start: number,
): Promise<FilePart> {
  const part = await files.read(directory, path, { start, end: start + pieceBytes })
  if (part === undefined) throw noFile()
  return part
}

/** The same words for all that is not shown: nothing is learnt of what lies where nobody may look. */
function noFile(): AppError {
  return new AppError('not_found', say('file_not_shown'))
}

/** Undefined for what is no text. The last character may be cut. */
function textOf(data: Buffer, isWhole: boolean): string | undefined {
  if (data.subarray(0, checkedBytes).includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data, { stream: !isWhole })
  } catch {
    return undefined
  }
}
