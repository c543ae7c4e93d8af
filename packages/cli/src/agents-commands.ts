/** `dorkos agents …`: its commands and their flags. */
import type { Command } from 'commander'
import type { Finish } from './finish.ts'
import { codeHelp, readCodeFlag } from './read-code.ts'

export function addAgentsCommands(program: Command, finish: Finish): void {
  const agents = program
    .command('agents')
    .description('manage profiles: agents that are defined once, in a file, and started by name')
  const load = () => import('./commands/agents.ts')
  const ofWorkspace = (command: Command) =>
    command.option('--workspace <name>', 'include this workspace’s own (default: the one around this folder)')
  ofWorkspace(agents.command('list').description('list profiles, and what is wrong in them'))
    .option('--json', 'as JSON')
    .action((flags) => finish(async (context) => (await load()).listProfiles(context, flags)))
  ofWorkspace(agents.command('show').description('show a profile’s file'))
    .argument('<name>')
    .option('--json', 'as JSON, with its values')
    .action((name: string, flags) =>
      finish(async (context) => (await load()).showProfile(context, name, flags)),
    )
  ofWorkspace(
    agents.command('check').description('check a file without saving it; exits with 1 if it has errors'),
  )
    .argument('<file>')
    .option('--json', 'as JSON')
    .action((file: string, flags) =>
      finish(async (context) => (await load()).checkProfile(context, file, flags)),
    )
  agents
    .command('add')
    .description('save a file as one of your profiles')
    .argument('<file>', 'a Markdown file, such as one of .claude/agents')
    .option('--name <name>', 'its name (default: the file’s)')
    .option('--workspace <name>', 'save it in this workspace instead')
    .option('--code <->', codeHelp, readCodeFlag)
    .action((file: string, flags) =>
      finish(async (context) => (await load()).addProfile(context, file, flags)),
    )
  agents
    .command('edit')
    .description('change a profile in your editor; one that doesn’t exist is created')
    .argument('<name>')
    .option('--workspace <name>', 'the one of this workspace')
    .option('--code <->', codeHelp, readCodeFlag)
    .action((name: string, flags) =>
      finish(async (context) => (await load()).editProfile(context, name, flags)),
    )
  agents
    .command('remove')
    .description('delete a profile')
    .argument('<name>')
    .option('--workspace <name>', 'the one of this workspace')
    .option('--code <->', codeHelp, readCodeFlag)
    .action((name: string, flags) =>
      finish(async (context) => (await load()).removeProfile(context, name, flags)),
    )
  ofWorkspace(
    agents
      .command('import')
      .description(
        'list agents of Claude Code and sandstorm that could become profiles; with a file, import it',
      ),
  )
    .argument('[file]')
    .option('--name <name>', 'the profile’s name (default: the agent’s)')
    .option('--json', 'as JSON')
    .option('--code <->', codeHelp, readCodeFlag)
    .action((file: string | undefined, flags) =>
      finish(async (context) => (await load()).importProfile(context, file, flags)),
    )
}
