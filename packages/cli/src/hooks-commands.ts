/** `dorkos hooks …`: its commands and their flags. */
import type { Command } from 'commander'
import type { Finish } from './finish.ts'
import { codeHelp, readCodeFlag } from './read-code.ts'

export function addHooksCommands(program: Command, finish: Finish): void {
  const hooks = program
    .command('hooks')
    .description('hooks and plugins from settings, and which of them you allowed')
  const inWorkspace = (command: Command) =>
    command.option(
      '--workspace <name>',
      'name, id or folder (default: the workspace of this folder, or the main one)',
    )
  inWorkspace(hooks.command('list'))
    .description('list the hooks and plugins of sessions, and whether they run')
    .option('--json', 'as JSON')
    .action((flags) =>
      finish(async (context) => (await import('./commands/hooks.ts')).listHooks(context, flags)),
    )
  inWorkspace(hooks.command('allow'))
    .description('allow a hook to run or a plugin to load, as shown by `list`')
    .argument('<digest>', 'digest from `list`, or the start of it')
    .option('--calls', 'also let it approve tool calls for you')
    .option('--code <->', codeHelp, readCodeFlag)
    .action((digest: string, flags) =>
      finish(async (context) => (await import('./commands/hooks.ts')).allowHook(context, digest, flags)),
    )
  inWorkspace(hooks.command('revoke'))
    .description('revoke that')
    .argument('<digest>', 'digest from `list`, or the start of it')
    .option('--code <->', codeHelp, readCodeFlag)
    .action((digest: string, flags) =>
      finish(async (context) => (await import('./commands/hooks.ts')).revokeHook(context, digest, flags)),
    )
}
