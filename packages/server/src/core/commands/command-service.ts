/** What people can call with a slash in a workspace: from the files that a session there would load, and of the CLI itself. No process is asked. */
import { join } from 'node:path'
import { say, type Workspace, type WorkspaceCommands } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import type { CommandFiles, CommandFolder, FoundCommand } from '../ports/command-files.ts'
import type { CommandService } from '../services.ts'
import type { Workspaces } from '../workspaces.ts'
import type { BuiltInCommands } from './built-in-commands.ts'

export interface CommandServiceParts {
  workspaces: Pick<Workspaces, 'checked' | 'settingSourcesFor'>
  files: CommandFiles
  builtIn: Pick<BuiltInCommands, 'known'>
  /** Those that somebody allowed, and that a session there loads. */
  plugins(workspace: Workspace): Promise<{ id: string; root: string }[]>
  /** Folders besides the workspace that the CLI takes a project's things from. */
  above(path: string): Promise<string[]>
  claudeConfigDir: string
  ownerHome: string
}

type Command = WorkspaceCommands['commands'][number]

export function createCommandService(parts: CommandServiceParts): CommandService {
  const { workspaces, files, builtIn } = parts
  return {
    async ofWorkspace(_actor, id) {
      const workspace = (await workspaces.checked(id))?.workspace
      if (!workspace) throw new AppError('not_found', say('workspace_not_found', { id }))
      const found = await files.read(await foldersOf(parts, workspace))
      const own = builtIn.known?.map((one) => toCommand({ ...one, source: 'builtin' })) ?? []
      return {
        commands: firstOfEach([...inOrder(found).map(toCommand), ...own]),
        has_builtin: builtIn.known !== undefined,
      }
    },
  }
}

/** Only what a session would load there. The owner's own go first, as with the CLI (2.1.325). */
async function foldersOf(parts: CommandServiceParts, workspace: Workspace): Promise<CommandFolder[]> {
  const { claudeConfigDir, ownerHome } = parts
  const sources = parts.workspaces.settingSourcesFor(workspace)
  const folders: CommandFolder[] = []
  if (sources.includes('user'))
    folders.push({ path: claudeConfigDir, within: [claudeConfigDir, ownerHome], source: 'user' })
  if (sources.includes('project')) {
    // A container shows the CLI nothing above.
    const above = workspace.mode === 'container' ? [] : await parts.above(workspace.path)
    const bases = [workspace.path, ...above]
    for (const base of bases) folders.push({ path: join(base, '.claude'), within: bases, source: 'project' })
  }
  for (const { id, root } of await parts.plugins(workspace))
    folders.push({ path: root, within: [root], source: 'plugin', plugin: id.replace(/@[^@]*$/, '') })
  return folders
}

/** A skill goes before a command of its name. */
function inOrder(found: readonly FoundCommand[]): FoundCommand[] {
  return [...found.filter(({ kind }) => kind === 'skill'), ...found.filter(({ kind }) => kind === 'command')]
}

function firstOfEach(commands: readonly Command[]): Command[] {
  const byName = new Map<string, Command>()
  for (const command of commands) if (!byName.has(command.name)) byName.set(command.name, command)
  return [...byName.values()]
}

function toCommand({
  name,
  description,
  argumentHint,
  aliases,
  source,
}: Omit<FoundCommand, 'kind' | 'source'> & { source: Command['source'] }): Command {
  return { name, description, argument_hint: argumentHint, aliases, source }
}
