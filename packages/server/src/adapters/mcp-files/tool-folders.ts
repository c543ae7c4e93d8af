/** Folders of tool modules on disk: the owner's own, and those of trusted workspaces. */
import { mkdirSync, readdirSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivateFile } from '../../config/write-private-file.ts'
import type { SessionWorkspace } from '../../core/mcp/session-workspace.ts'
import type { ToolFolder, ToolFolders } from '../../core/ports/tool-folders.ts'
import { settledReports } from '../../tool-host/open-tool-folder.ts'
import { toolHostEntry } from '../../tool-host/tool-host-entry.ts'
import { WatchedFolders } from '../../watching/watch-folders.ts'

export interface ToolFoldersOptions {
  /** The state folder: agents are denied it. */
  home: string
  /** The folder of the owner's own modules, which agents are denied too. */
  own: string
  /** Other machines write into it, too. */
  isShared: boolean
  env: Readonly<Record<string, string | undefined>>
  /** Names of variables that tools get besides the fixed ones. */
  allowedEnv(): readonly string[]
}

export function openToolFolders(options: ToolFoldersOptions): ToolFolders {
  const { own, isShared } = options
  mkdirSync(own, { recursive: true, mode: 0o700 })
  const listeners = new Set<() => void>()
  let hadModules = hasModules(own)
  const watched = new WatchedFolders(scan, { isShared })
  watched.watch(new Set([own]))

  function scan(): void {
    // Again each time: it may be another folder by now.
    watched.watch(new Set([own]))
    const has = hasModules(own)
    if (has === hadModules) return
    hadModules = has
    for (const listener of listeners) listener()
  }

  return {
    async of(workspace) {
      const folders: ToolFolder[] = []
      const { env } = options
      const allowed = options.allowedEnv()
      // They run outside, with the owner's rights: a container is to have no such way out unasked.
      if (workspace.mode === 'host' && hasModules(own))
        folders.push({
          folder: own,
          workspaceId: undefined,
          entry: toolHostEntry({ name: 'tools', folder: own, env, allowed, isShared }),
        })
      if (Object.keys(workspace.modules).length === 0 || workspace.path === undefined) return folders
      const folder = join(workspace.path, '.dorkos', 'tools')
      const digests = await writeApproved(options.home, workspace)
      if (hasModules(folder))
        folders.push({
          folder,
          workspaceId: workspace.workspaceId,
          entry: toolHostEntry({ name: 'workspace-tools', folder, env, allowed, digests }),
        })
      return folders
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    modules: settledReports,
    close: () => watched.close(),
  }
}

/** The tool host loads only what stands in this file, which agents cannot write. */
async function writeApproved(home: string, { workspaceId = '', modules }: SessionWorkspace): Promise<string> {
  const folder = join(home, 'approved-tools')
  const file = join(folder, `${workspaceId}.json`)
  const text = JSON.stringify(modules)
  const known = await readFile(file, 'utf8').catch(() => undefined)
  if (known === text) return file
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writePrivateFile(file, text)
  return file
}

function hasModules(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => /\.m?js$/.test(name))
  } catch {
    return false
  }
}
