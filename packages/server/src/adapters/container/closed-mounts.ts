/**
 * What lies in a workspace and is obeyed outside of the container: by git, by editors, by a CLI that is started there, by DorkOS.
 * Commands in the container may not change it, as those in the sandbox may not.
 */
import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { isInside } from '../../core/real-path.ts'

export interface ClosedMount {
  path: string
  /** A folder that only must not be moved away; what is closed lies in it. */
  isWritable: boolean
  /** Which file or folder it is, as `stat -c %d:%i` says: the path may lead elsewhere by the time it is mounted. */
  identity: string
}

const always = [
  ...[
    '.git/config',
    '.git/config.worktree',
    '.git/commondir',
    '.git/hooks',
    '.git/modules',
    '.gitmodules',
    '.dorkos',
    '.mcp.json',
    '.vscode',
    '.idea',
    '.envrc',
  ],
  ...['settings.json', 'settings.local.json', 'hooks', 'commands', 'agents', 'skills', 'plugins'].map(
    inClaude,
  ),
  ...['workflows', 'routines', 'output-styles'].map(inClaude),
]

/** Closed where they are files: as `.git` is in a worktree, it says where the configuration lies. */
const filesOnly = ['.git']

/**
 * Those of them that are there, and `also`: absolute paths. For what is not there a file would have to be made. Links are passed over;
 * bubblewrap would follow them to outside. A folder comes before what is in it.
 */
export async function closedMounts(workspace: string, also: readonly string[]): Promise<ClosedMount[]> {
  const found = new Map<string, ClosedMount>()
  const wanted = [
    ...always,
    ...also
      .filter((path) => isInside(workspace, path) && path !== workspace)
      .map((path) => relative(workspace, path)),
  ]
  for (const path of filesOnly)
    if ((await lstat(join(workspace, path)).catch(() => undefined))?.isFile()) wanted.push(path)
  for (const path of new Set(wanted)) await close(workspace, path.split(sep), found)
  const all = [...found.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const whole = all.filter(({ isWritable }) => !isWritable).map(({ path }) => path)
  return all.filter(({ path }) => !whole.some((folder) => folder !== path && isInside(folder, path)))
}

/** For `stat -c %d:%i`. */
export function identityOf({ dev, ino }: { dev: bigint; ino: bigint }): string {
  return `${dev}:${ino}`
}

/** Goes down by open folders, whatever their paths lead to by now. */
async function close(workspace: string, names: string[], found: Map<string, ClosedMount>): Promise<void> {
  let folder = await openFolder(workspace)
  let path = workspace
  try {
    for (const [index, name] of names.entries()) {
      if (!folder) return
      path = join(path, name)
      const real = `/proc/self/fd/${folder.fd}/${name}`
      const isLast = index === names.length - 1
      const seen = await lstat(real, { bigint: true }).catch(() => undefined)
      if (!seen?.isDirectory() && !(isLast && seen?.isFile())) return
      const isWritable = !isLast && found.get(path)?.isWritable !== false
      found.set(path, { path, isWritable, identity: identityOf(seen) })
      const next: FileHandle | undefined = isLast ? undefined : await openFolder(real)
      await folder.close()
      folder = next
    }
  } finally {
    await folder?.close()
  }
}

function openFolder(path: string): Promise<FileHandle | undefined> {
  return open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(() => undefined)
}

function inClaude(name: string): string {
  return `.claude/${name}`
}
