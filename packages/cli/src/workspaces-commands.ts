/** `dorkos workspaces …`: its commands and their flags. */
import type { Command } from 'commander'
import type { Finish } from './finish.ts'
import { codeHelp, readCodeFlag } from './read-code.ts'

export function addWorkspacesCommands(program: Command, finish: Finish): void {
  const workspaces = program.command('workspaces').description('manage the directories agents work in')
  workspaces
    .command('list')
    .description('list workspaces: main, trusted, in a container')
    .option('--json', 'as JSON')
    .action((flags) =>
      finish(async (context) => (await import('./commands/workspaces.ts')).listWorkspaces(context, flags)),
    )
  workspaces
    .command('add')
    .description('add a directory as a workspace')
    .argument('<path>')
    .option('--name <name>', 'its name (default: the directory’s)')
    .option('--container', 'agents see this directory and nothing else on the machine, and no network')
    .option('--main', 'make it the main workspace')
    .option('--json', 'as JSON')
    .option('--code <->', codeHelp, readCodeFlag)
    .action((path: string, flags) =>
      finish(async (context) =>
        (await import('./commands/workspaces.ts')).addWorkspace(context, path, flags),
      ),
    )
  workspaces
    .command('remove')
    .description('remove a workspace; its files stay')
    .argument('<name>', 'name, id or folder')
    .option('--code <->', codeHelp, readCodeFlag)
    .action((name: string, flags) =>
      finish(async (context) =>
        (await import('./commands/workspaces.ts')).removeWorkspace(context, name, flags),
      ),
    )
}
