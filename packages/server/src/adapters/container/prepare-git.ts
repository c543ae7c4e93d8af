/**
 * Git obeys files that need not be there: whoever makes them decides which programs git runs outside. Those that only have to exist to be
 * harmless are made before the container starts, so that they can be closed to it.
 */
import { lstat, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export async function prepareGit(workspace: string): Promise<void> {
  const folder = join(workspace, '.git')
  const seen = await lstat(folder).catch(() => undefined)
  if (!seen?.isDirectory()) return
  await mkdir(join(folder, 'hooks')).catch(unlessThere)
  // “The configuration is here”: what git takes for granted when the file is not there.
  await writeFile(join(folder, 'commondir'), '.\n', { flag: 'wx' }).catch(unlessThere)
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
