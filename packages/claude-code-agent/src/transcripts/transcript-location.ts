/** Where transcripts are: from a session's id, or a project's directory, to files. Only regular files count. */
import { constants, type Dirent } from 'node:fs'
import { type FileHandle, lstat, open, readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { InvalidOptionsError, SessionNotFoundError } from '../errors.ts'
import { boundedMap } from './bounded-map.ts'
import { gitWorktrees } from './git-worktrees.ts'
import { canonicalDirectory, configFolder, projectFolderName } from './project-folder.ts'

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const fileLimit = 32

export interface TranscriptScope {
  /** The project's directory; its sessions and those of its git worktrees. All projects if omitted. */
  dir?: string
  /** The CLI's configuration folder; `CLAUDE_CONFIG_DIR`, else `~/.claude`, if omitted. */
  configDir?: string
}

export interface TranscriptFile {
  readonly sessionId: string
  readonly path: string
  /** The folder that holds the session's side files and subagents. It exists if `hasSideFolder`. */
  readonly sideFolder: string
  readonly hasSideFolder: boolean
  readonly size: number
  readonly modifiedMs: number
}

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuidPattern.test(value)
}

/** Ids become file names, so nothing but a UUID passes. */
function requireSessionId(sessionId: string): string {
  if (isUuid(sessionId)) return sessionId
  throw new InvalidOptionsError(
    `Session id must be a UUID, but it is ${JSON.stringify(sessionId)?.slice(0, 80)}.`,
  )
}

/** The folders of a scope, links resolved; a link that leads out of the configuration folder is left out. */
export async function projectFolders(scope: TranscriptScope, includeWorktrees = true): Promise<string[]> {
  const root = await realpath(join(configFolder(scope.configDir), 'projects')).catch(() => undefined)
  if (root === undefined) return []
  const names = await folderNames(root, scope.dir, includeWorktrees)
  const paths = await boundedMap(names, fileLimit, async (name) => {
    const path = await realpath(join(root, name)).catch(() => undefined)
    return path?.startsWith(root + sep) ? path : undefined
  })
  return [...new Set(paths.filter((path) => path !== undefined))]
}

async function folderNames(
  root: string,
  dir: string | undefined,
  includeWorktrees: boolean,
): Promise<string[]> {
  if (dir === undefined) {
    const entries = await readdir(root, { withFileTypes: true }).catch(() => [])
    return entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map((entry) => entry.name)
  }
  const directory = await canonicalDirectory(dir)
  const worktrees = includeWorktrees ? await gitWorktrees(directory) : []
  return [...new Set([directory, ...worktrees].map(projectFolderName))]
}

/** Every transcript in the folders, newest first, one per session. */
export async function findTranscripts(folders: readonly string[]): Promise<TranscriptFile[]> {
  const candidates = (await boundedMap(folders, fileLimit, candidatesIn)).flat()
  const found = await boundedMap(candidates, fileLimit, describeFile)
  const files = found.filter((file) => file !== undefined)
  files.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.sessionId < b.sessionId ? -1 : 1))
  const seen = new Set<string>()
  return files.filter((file) => !seen.has(file.sessionId) && seen.add(file.sessionId))
}

const batchSize = 256

export interface SessionTranscriptFile {
  sessionId: string
  path: string
  /** The name of the folder that holds the transcripts of one project's directory. */
  projectKey: string
  size: number
  /** Milliseconds since the epoch. */
  mtimeMs: number
}

/** Every transcript in the scope, folder by folder, in no particular order. Reads folders, and no file. */
export async function* sessionFiles(scope: TranscriptScope = {}): AsyncGenerator<SessionTranscriptFile> {
  for (const folder of await projectFolders(scope)) {
    const projectKey = basename(folder)
    const candidates = await candidatesIn(folder)
    for (let at = 0; at < candidates.length; at += batchSize) {
      const files = await boundedMap(candidates.slice(at, at + batchSize), fileLimit, describeFile)
      for (const file of files) {
        if (file === undefined) continue
        const { sessionId, path, size, modifiedMs: mtimeMs } = file
        yield { sessionId, path, projectKey, size, mtimeMs }
      }
    }
  }
}

interface Candidate {
  folder: string
  sessionId: string
  hasSideFolder: boolean
}

async function candidatesIn(folder: string): Promise<Candidate[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => [])
  const directories = new Set(entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name))
  const ids = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
  return ids
    .map((entry) => entry.name.slice(0, -'.jsonl'.length))
    .filter(isUuid)
    .map((sessionId) => ({ folder, sessionId, hasSideFolder: directories.has(sessionId) }))
}

async function describeFile({
  folder,
  sessionId,
  hasSideFolder,
}: Candidate): Promise<TranscriptFile | undefined> {
  const path = join(folder, `${sessionId}.jsonl`)
  const found = await lstat(path).catch(() => undefined)
  if (!found?.isFile()) return undefined
  const sideFolder = join(folder, sessionId)
  return {
    sessionId,
    path,
    sideFolder,
    hasSideFolder,
    size: found.size,
    modifiedMs: found.mtime.getTime(),
  }
}

/** The newest transcript of a session in the scope, or nothing. */
export async function findTranscript(
  sessionId: string,
  scope: TranscriptScope,
): Promise<TranscriptFile | undefined> {
  requireSessionId(sessionId)
  const folders = await projectFolders(scope)
  const found = await boundedMap(folders, fileLimit, async (folder) => {
    const side = await lstat(join(folder, sessionId)).catch(() => undefined)
    return await describeFile({ folder, sessionId, hasSideFolder: side?.isDirectory() ?? false })
  })
  const files = found.filter((file) => file !== undefined)
  return files.sort((a, b) => b.modifiedMs - a.modifiedMs)[0]
}

/** The path of a session's transcript: the one that is known already, else the newest in the scope, or nothing. */
export async function transcriptOf(
  sessionId: string,
  { path, ...scope }: TranscriptScope & { path?: string },
): Promise<string | undefined> {
  requireSessionId(sessionId)
  if (path === undefined) return (await findTranscript(sessionId, scope))?.path
  return (await fileAt(path))?.sessionId === sessionId ? path : undefined
}

/** A transcript by its path; nothing if there is no such file. Throws `InvalidOptionsError` for what is no transcript's name. */
export async function fileAt(path: string): Promise<TranscriptFile | undefined> {
  const sessionId = basename(path, '.jsonl')
  if (!path.endsWith('.jsonl') || !isUuid(sessionId))
    throw new InvalidOptionsError(
      `${JSON.stringify(path)} is not the path of a transcript (<session id>.jsonl).`,
    )
  const folder = dirname(path)
  const side = await lstat(join(folder, sessionId)).catch(() => undefined)
  return await describeFile({ folder, sessionId, hasSideFolder: side?.isDirectory() ?? false })
}

export async function requireTranscript(sessionId: string, scope: TranscriptScope): Promise<TranscriptFile> {
  const file = await findTranscript(sessionId, scope)
  if (file === undefined) throw new SessionNotFoundError(sessionId)
  return file
}

/** Opens a transcript for reading: never through a link, and without waiting on anything that is no file. */
export async function openTranscript(path: string): Promise<FileHandle> {
  return await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
}
