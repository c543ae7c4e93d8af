/** Files for mentions: where they are looked for, and what is never listed. */
import type { Containers } from '../adapters/container/containers.ts'
import { createWorkspaceFiles } from '../adapters/workspace-files/workspace-files.ts'
import { createFileSearch } from '../core/files/file-search.ts'
import type { FileService } from '../core/services.ts'
import type { SessionDirectory } from '../core/sessions/session-directory.ts'
import type { Workspaces } from '../core/workspaces.ts'
import { claudeFolder } from '../credentials/claude-folder.ts'
import { type ComposeInput, closedFolders } from './compose-input.ts'
import { cliConfigDir } from './launch.ts'

export interface FileSources {
  directory: SessionDirectory
  workspaces: Workspaces
  containers: Containers
}

/** A session that a terminal began may have worked anywhere: its directory must be one that agents may work in. */
export function openFiles(input: ComposeInput, parts: FileSources): FileService {
  const { env, clock } = input
  const { directory, workspaces, containers } = parts
  const closed = [...closedFolders(input), cliConfigDir(input), claudeFolder(env), containers.folder]
  return createFileSearch({
    files: createWorkspaceFiles({ env, closed }),
    clock,
    directoryOfSession: async (actor, id) =>
      (await workspaces.resolveCwd(undefined, (await directory.get(actor, id)).cwd)).cwd,
    directoryOfWorkspace: async (id) => (await workspaces.resolveCwd(id, undefined)).cwd,
  })
}
