/** Which directories agents may work in: inside the roots, outside the state folder, whatever links lead where. */

import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { say } from '@dorkos/shared'
import { AppError } from './app-error.ts'
import { isInside, realPath } from './real-path.ts'

export interface PathGuardOptions {
  /** Absolute directories; empty for the owner's home directory and the default directory. */
  roots: () => readonly string[]
  defaultCwd: () => string | undefined
  stateFolders: readonly string[]
  /** Further folders that no agent works in: the CLI's own. */
  closed?: readonly string[] | undefined
  ownerHome: string | undefined
}

export interface PathGuard {
  /** The real path of a directory that agents may work in. A relative path needs a base; `~/` is the owner's home. Throws AppError. */
  directory(path: string, base?: string): Promise<string>
}

export function createPathGuard(options: PathGuardOptions): PathGuard {
  const rootPaths = () => {
    const configured = options.roots()
    if (configured.length > 0) return configured
    const standard = [options.ownerHome ?? homedir(), options.defaultCwd()]
    return standard.filter((root) => root !== undefined)
  }
  return {
    async directory(given, base) {
      const path = base === undefined ? fromHome(given, options.ownerHome ?? homedir()) : given
      if (path.includes('\0')) throw new AppError('invalid_request', say('path_with_nul'))
      if (base === undefined && !isAbsolute(path)) {
        throw new AppError('invalid_request', say('path_not_absolute', { path }))
      }
      const real = await realPath(base === undefined ? path : resolve(base, path))
      const roots = await Promise.all(rootPaths().map(realPath))
      // Before anything is said about what is there: outside the roots, existence is nobody's business.
      if (!roots.some((root) => isInside(root, real))) throw outside(path, roots)
      for (const folder of options.stateFolders)
        if (isInside(await realPath(folder), real))
          throw new AppError('outside_roots', say('path_in_state_folder', { path }))
      for (const folder of options.closed ?? [])
        if (isInside(await realPath(folder), real))
          throw new AppError('outside_roots', say('path_in_cli_folder', { path }))
      await checkDirectory(real, path)
      // What was missing a moment ago may have been made since, as a link.
      if ((await realPath(real)) !== real) throw outside(path, roots)
      return real
    },
  }
}

/** As a shell reads it. */
function fromHome(path: string, ownerHome: string): string {
  return path === '~' || path.startsWith('~/') ? join(ownerHome, path.slice(1)) : path
}

async function checkDirectory(real: string, path: string): Promise<void> {
  const found = await stat(real).catch(() => undefined)
  if (!found) throw new AppError('invalid_request', say('path_missing', { path }))
  if (!found.isDirectory()) throw new AppError('invalid_request', say('path_not_directory', { path }))
}

function outside(path: string, roots: readonly string[]): AppError {
  return new AppError('outside_roots', say('path_outside_roots', { path, roots: roots.join(', ') }))
}
