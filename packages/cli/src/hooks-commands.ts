/** `dorkos hooks …`: its commands and their flags. */
import type { Command } from 'commander'
import type { Finish } from './finish.ts'
import { codeHelp, readCodeFlag } from './read-code.ts'

export function addHooksCommands(program: Command, finish: Finish): void {
  const hooks = program
    .command('hooks')
    .description('what settings and plugins have run by itself, and what you have allowed of it')
  const inWorkspace = (command: Command) =>
    command.option(
      '--workspace <name>',
      'its name, id or folder (default: the one around this folder, or the main one)',
    )
  inWorkspace(hooks.command('list'))
    .description('every hook and plugin that sessions would have, and whether it counts')
    .option('--json', 'as JSON')
    .action((flags) =>
      finish(async (context) => (await import('./commands/hooks.ts')).listHooks(context, flags)),
    )
  inWorkspace(hooks.command('allow'))
    .description('let a hook run, or a plugin load, as `list` shows it')
    .argument('<digest>', 'as `list` shows it, or its beginning')
    .option('--calls', 'let it also allow tool calls in your place')
    .option('--code <->', codeHelp, readCodeFlag)
    .action((digest: string, flags) =>
      finish(async (context) => (await import('./commands/hooks.ts')).allowHook(context, digest, flags)),
    )
  inWorkspace(hooks.command('revoke'))
    .description('take that back')
    .argument('<digest>', 'as `list` shows it, or its beginning')
    .option('--code <->', codeHelp, readCodeFlag)
    .action((digest: string, flags) =>
      finish(async (context) => (await import('./commands/hooks.ts')).revokeHook(context, digest, flags)),
    )
}
