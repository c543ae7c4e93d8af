import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { projectFolderName } from './project-folder.ts'

/** The part of a CLI's environment that says where it keeps its files. */
export type FileEnvironment = Readonly<Record<string, string | undefined>>

/** Where a CLI with this environment keeps the transcript of a session. The file need not exist yet, or ever. */
export function transcriptPath(sessionId: string, cwd: string, env: FileEnvironment): string {
  const folder = env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude')
  return join(resolve(folder), 'projects', projectFolderName(realDirectory(cwd)), `${sessionId}.jsonl`)
}

function realDirectory(directory: string): string {
  try {
    return realpathSync(directory)
  } catch {
    return resolve(directory)
  }
}
