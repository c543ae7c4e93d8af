/** How the CLI names the folder that holds a project's transcripts. Observed with 2.1.325. */
import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

const maxNameLength = 200

/** The CLI's configuration folder: the one given, else `CLAUDE_CONFIG_DIR`, else `~/.claude`. */
export function configFolder(configDir: string | undefined): string {
  return resolve(configDir || process.env.CLAUDE_CONFIG_DIR || join(homedir(), '.claude'))
}

/**
 * The folder name for a working directory: every UTF-16 unit that is no ASCII letter or digit becomes a dash. Past 200
 * characters the name is cut and a hash of the whole path is added.
 */
export function projectFolderName(directory: string): string {
  const name = directory.replace(/[^a-zA-Z0-9]/g, '-')
  return name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength)}-${pathHash(directory)}`
}

function pathHash(path: string): string {
  let hash = 0
  for (let index = 0; index < path.length; index++) hash = (Math.imul(hash, 31) + path.charCodeAt(index)) | 0
  return Math.abs(hash).toString(36)
}

/** The directory as the CLI sees its own: absolute, links resolved; as given where it no longer exists. */
export async function canonicalDirectory(directory: string): Promise<string> {
  const absolute = resolve(directory)
  return await realpath(absolute).catch(() => absolute)
}
