/** Commands of workspaces: which folders they are read from, and what is never read. */
import { homedir } from 'node:os'
import { createCommandFiles } from '../adapters/command-files/command-files.ts'
import { foldersAbove } from '../adapters/trust-files/loading-folders.ts'
import type { BuiltInCommands } from '../core/commands/built-in-commands.ts'
import { createCommandService } from '../core/commands/command-service.ts'
import type { CommandService } from '../core/services.ts'
import type { Workspaces } from '../core/workspaces.ts'
import { type ComposeInput, closedFolders } from './compose-input.ts'
import type { HookParts } from './hooks.ts'
import { cliConfigDir } from './launch.ts'

export function commandService(
  input: ComposeInput,
  parts: { workspaces: Workspaces; hooks: HookParts; builtIn: BuiltInCommands },
): CommandService {
  const ownerHome = input.env.HOME ?? homedir()
  return createCommandService({
    workspaces: parts.workspaces,
    files: createCommandFiles(closedFolders(input)),
    builtIn: parts.builtIn,
    plugins: (workspace) => parts.hooks.loadedPlugins(workspace),
    above: (path) => foldersAbove(path, ownerHome),
    claudeConfigDir: cliConfigDir(input),
    ownerHome,
  })
}
