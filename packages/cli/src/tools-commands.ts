/** The part of the command line that is about the owner's own tools. */
import type { Command } from 'commander'
import type { Finish } from './finish.ts'

export function addToolsCommands(program: Command, finish: Finish): void {
  const tools = program.command('tools').description('your own tools: modules in ~/.dorkos/tools')
  const add = (name: string) =>
    tools
      .command(name)
      .option('--folder <folder>', 'where the modules are (default: tools in the state folder)')
      .option('--json', 'as one JSON object')
  add('list')
    .description('what the modules offer, and what is wrong with them')
    .action((flags) =>
      finish(async (context) => (await import('./commands/tools.ts')).listTools(context, flags)),
    )
  add('new')
    .description('write a module that works, to begin with')
    .argument('<name>', 'the name of the tool')
    .action((name: string, flags) =>
      finish(async (context) => (await import('./commands/tools.ts')).newTool(context, name, flags)),
    )
  add('test')
    .description('call a tool, and print its result')
    .argument('<name>', 'the name of the tool')
    .option('--input <json>', `its arguments, such as '{"name":"Ada"}' (default: {})`)
    .action((name: string, flags) =>
      finish(async (context) => (await import('./commands/tools.ts')).testTool(context, name, flags)),
    )
}
