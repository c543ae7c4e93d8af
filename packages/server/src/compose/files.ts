/** Files for mentions: where they are looked for, and what is never listed. */
import type { Containers } from '../adapters/container/containers.ts'
import { createWorkspaceFiles } from '../adapters/workspace-files/workspace-files.ts'
import { createFileSearch } from '../core/files/file-search.ts'
import type { WorkspaceFiles } from '../core/ports/workspace-files.ts'
import type { FileService } from '../core/services.ts'
import type { SessionDirectory } from '../core/sessions/session-directory.ts'
import type { Workspaces } from '../core/workspaces.ts'
import { claudeFolder } from '../credentials/claude-folder.ts'
import { type ComposeInput, closedFolders } from './compose-input.ts'
import { cliConfigDir } from './launch.ts'

export interface FileSources {
  directory: SessionDirectory
  workspaces: Workspaces
  files: WorkspaceFiles
}

/** Nothing is listed of what is closed to agents. */
export function openWorkspaceFiles(input: ComposeInput, containers: Containers): WorkspaceFiles {
  const { env } = input
  const closed = [...closedFolders(input), cliConfigDir(input), claudeFolder(env), containers.folder]
  return createWorkspaceFiles({ env, closed })
}

/** A session that a terminal began may have worked anywhere: its directory must be one that agents may work in. */
export function openFiles(input: ComposeInput, parts: FileSources): FileService {
  const { clock } = input
  const { directory, workspaces, files } = parts
  return createFileSearch({
    files,
    clock,
    directoryOfSession: async (actor, id) =>
      (await workspaces.resolveCwd(undefined, (await directory.get(actor, id)).cwd)).cwd,
    directoryOfWorkspace: async (id) => (await workspaces.resolveCwd(id, undefined)).cwd,
  })
}
