/** One session's transcript, by its id: looks into every project's folder for that one name, and reads no file. */
import { lstat, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export interface TranscriptFile {
  sessionId: string
  path: string
  size: number
  mtimeMs: number
}

/** Ids become file names, so nothing but a UUID passes. */
export function isSessionId(value: string): boolean {
  return uuid.test(value)
}

/** The session whose transcript a file is, going by its name. */
export function sessionIdOf(fileName: string): string | undefined {
  const id = fileName.endsWith('.jsonl') ? fileName.slice(0, -'.jsonl'.length) : ''
  return isSessionId(id) ? id : undefined
}

/** The folder with a folder for each project in it; undefined when there is none yet. */
export function projectsFolder(configDir: string): Promise<string | undefined> {
  return realpath(join(configDir, 'projects')).catch(() => undefined)
}

/** Links are not followed. */
export async function projectFolders(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(root, entry.name))
}

/** Undefined unless there is a regular file. */
export async function statTranscript(path: string, sessionId: string): Promise<TranscriptFile | undefined> {
  const found = await lstat(path).catch(() => undefined)
  if (!found?.isFile()) return undefined
  return { sessionId, path, size: found.size, mtimeMs: found.mtime.getTime() }
}

/** In the first of the configuration folders that has one: the newest, where folders of several projects have one. */
export async function findTranscriptFile(
  configDirs: readonly string[],
  sessionId: string,
): Promise<TranscriptFile | undefined> {
  if (!isSessionId(sessionId)) return undefined
  for (const configDir of configDirs) {
    const root = await projectsFolder(configDir)
    const [newest] = root === undefined ? [] : await findIn(root, sessionId)
    if (newest) return newest
  }
  return undefined
}

/** Newest first. */
async function findIn(root: string, sessionId: string): Promise<TranscriptFile[]> {
  const found: TranscriptFile[] = []
  const folders = await projectFolders(root)
  for (let at = 0; at < folders.length; at += folderBatch) {
    const batch = folders.slice(at, at + folderBatch)
    const files = await Promise.all(
      batch.map((folder) => statTranscript(join(folder, `${sessionId}.jsonl`), sessionId)),
    )
    found.push(...files.filter((file) => file !== undefined))
  }
  return found.sort((a, b) => b.mtimeMs - a.mtimeMs)
}

const folderBatch = 64
