/** `dorkos workspaces …`: its commands and their flags. */
import type { Command } from 'commander'
import type { Finish } from './finish.ts'
import { codeHelp, readCodeFlag } from './read-code.ts'

export function addWorkspacesCommands(program: Command, finish: Finish): void {
  const workspaces = program.command('workspaces').description('the directories that agents work in')
  workspaces
    .command('list')
    .description('all of them: which is the main one, which are trusted, which are in a container')
    .option('--json', 'as JSON')
    .action((flags) =>
      finish(async (context) => (await import('./commands/workspaces.ts')).listWorkspaces(context, flags)),
    )
  workspaces
    .command('add')
    .description('make a directory a workspace')
    .argument('<path>')
    .option('--name <name>', 'what it is called (default: as its directory)')
    .option('--container', 'its agents see this directory and nothing else of the machine, and no network')
    .option('--main', 'make it the main one')
    .option('--json', 'as JSON')
    .option('--code <->', codeHelp, readCodeFlag)
    .action((path: string, flags) =>
      finish(async (context) =>
        (await import('./commands/workspaces.ts')).addWorkspace(context, path, flags),
      ),
    )
  workspaces
    .command('remove')
    .description('forget a workspace; its files stay')
    .argument('<name>', 'its name, id or folder')
    .option('--code <->', codeHelp, readCodeFlag)
    .action((name: string, flags) =>
      finish(async (context) =>
        (await import('./commands/workspaces.ts')).removeWorkspace(context, name, flags),
      ),
    )
}
