/** The part of the command line that is about the owner's own tools. */
import type { Command } from 'commander'
import type { Finish } from './finish.ts'

export function addToolsCommands(program: Command, finish: Finish): void {
  const tools = program.command('tools').description('manage your own tools: modules in ~/.dorkos/tools')
  const add = (name: string) =>
    tools
      .command(name)
      .option('--folder <folder>', 'where the modules are (default: tools in the state folder)')
      .option('--json', 'as one JSON object')
  add('list')
    .description('list the tools, and problems in their modules')
    .action((flags) =>
      finish(async (context) => (await import('./commands/tools.ts')).listTools(context, flags)),
    )
  add('new')
    .description('create a working starter module')
    .argument('<name>', 'tool name')
    .action((name: string, flags) =>
      finish(async (context) => (await import('./commands/tools.ts')).newTool(context, name, flags)),
    )
  add('test')
    .description('call a tool and print the result')
    .argument('<name>', 'tool name')
    .option('--input <json>', `its arguments, such as '{"name":"Ada"}' (default: {})`)
    .action((name: string, flags) =>
      finish(async (context) => (await import('./commands/tools.ts')).testTool(context, name, flags)),
    )
}
