/** The command line: its commands, their flags, and what each calls. Commands are loaded when they are used. */
import { effortLevels, listConfigKeys, permissionModes } from '@dorkos/shared'
import { Command, InvalidArgumentError, Option } from 'commander'
import { type CliContext, withHome } from './context.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Finish } from './finish.ts'
import { addHooksCommands } from './hooks-commands.ts'
import { addMcpCommands } from './mcp-commands.ts'
import { codeHelp, readCodeFlag } from './read-code.ts'
import { modeMeanings } from './terminal/mode-meanings.ts'
import { addToolsCommands } from './tools-commands.ts'
import { version } from './version.ts'
import { addWorkspacesCommands } from './workspaces-commands.ts'

/** `finish` gets what the chosen command does. */
export function createProgram(context: CliContext, onExit: (code: ExitCode) => void): Command {
  const program = new Command('dorkos')
    .description('A self-hosted home for Claude Code agents')
    .version(version, '-V, --version')
    .option('--home <folder>', 'the state folder (default: DORKOS_HOME, else ~/.dorkos)')
    .showHelpAfterError('(dorkos --help shows what there is)')
    .addHelpText('after', exitCodeHelp)
  const finish: Finish = async (work) => {
    const { home } = program.opts<{ home?: string }>()
    onExit(await work(withHome(context, home)))
  }
  addServe(program, finish)
  addRun(program, finish)
  addChat(program, finish)
  addSessions(program, finish)
  addAttach(program, finish)
  addWorkspacesCommands(program, finish)
  addHooksCommands(program, finish)
  addMcpCommands(program, finish)
  addToken(program, finish)
  addToolsCommands(program, finish)
  addOthers(program, finish)
  addService(program, finish)
  return program
}

const exitCodeHelp = `
Exit codes: 0 completed, 1 failed, 2 wrong usage or configuration, 3 interrupted, 4 completed but something was denied,
5 budget or step limit reached, 6 no connection to the server.

DORKOS_TOKEN: a token of \`dorkos token create\` that every command uses in place of this terminal’s own; with the scopes
read,chat,approve,admin no code is asked for.`

function addServe(program: Command, finish: Finish): void {
  const serve = program
    .command('serve')
    .description('start the server')
    .option('-q, --quiet', 'print nothing; the log file has it all')
  const flags = listConfigKeys().flatMap((key) =>
    key.flag === undefined ? [] : [{ ...key, flag: key.flag }],
  )
  const options = flags.map(({ flag, description, default: standard }) => {
    const isSwitch = typeof standard === 'boolean'
    const shown = standard === undefined || isSwitch ? '' : ` (default: ${String(standard)})`
    return new Option(isSwitch ? flag : `${flag} <value>`, `${description.replaceAll('`', '')}${shown}`)
  })
  for (const option of options) serve.addOption(option)
  serve.action((given: Record<string, string | boolean | undefined>) =>
    finish(async (context) => {
      const config: Record<string, string | boolean> = {}
      for (const option of options) {
        const value = given[option.attributeName()]
        if (value !== undefined && option.long) config[option.long] = value
      }
      const { serve } = await import('./commands/serve.ts')
      return serve(context, { quiet: given.quiet === true, config })
    }),
  )
}

const modesHelp = permissionModes.map((mode) => `${mode}: ${modeMeanings[mode]}`).join('; ')

function addSessionOptions(command: Command): Command {
  return command
    .option('--model <name>', 'the model, such as sonnet or opus')
    .addOption(
      new Option('--effort <level>', 'how hard the model thinks, where it can be told').choices(effortLevels),
    )
    .addOption(
      new Option('--permission-mode <mode>', `how much is asked; ${modesHelp}`).choices(permissionModes),
    )
    .option('--cwd <folder>', 'where the agent works (default: here)')
    .option('--workspace <name>', 'the workspace it works in, by name or id')
    .option('--budget <usd>', 'what the session may cost', readAmount)
    .option('--max-turns <n>', 'the most steps that a message may take', readCount)
    .option('--session <id>', 'go on with this session; the beginning of its id is enough')
    .option('--code <->', `${codeHelp}, to approve here`, readCodeFlag)
}

function addRun(program: Command, finish: Finish): void {
  addSessionOptions(program.command('run'))
    .description('send one message, show its turn, and exit with its outcome')
    .argument('[prompt...]', 'what to say; - reads standard input')
    .option('--unattended', 'nobody watches: what no rule allows is denied at once')
    .option('--json', 'one JSON event a line, and a result at the end; never asks')
    .option('--no-stream', 'print the answer when it is complete')
    .action((words: string[], flags) =>
      finish(async (context) => (await import('./commands/run.ts')).run(context, words, flags)),
    )
}

function addChat(program: Command, finish: Finish): void {
  addSessionOptions(program.command('chat'))
    .description('talk with an agent')
    .action((flags) => finish(async (context) => (await import('./commands/chat.ts')).chat(context, flags)))
}

function addAttach(program: Command, finish: Finish): void {
  program
    .command('attach')
    .description('follow a session live, answer its approvals and talk with it')
    .argument('<id>', 'the session, or the beginning of its id')
    .option('--json', 'one JSON event a line; only shows')
    .option('--history <n>', 'how many earlier messages are shown', readCountOrNone)
    .option('--code <->', `${codeHelp}, to approve here`, readCodeFlag)
    .action((id: string, flags) =>
      finish(async (context) => (await import('./commands/chat.ts')).attach(context, id, flags)),
    )
}

function addSessions(program: Command, finish: Finish): void {
  const sessions = program.command('sessions').description('the sessions of this machine')
  sessions
    .command('list')
    .description('newest first')
    .option('--json', 'one JSON object a line')
    .option('--limit <n>', 'how many (default: 50)', readCount)
    .option('--live', 'only those whose process runs')
    .option('--archived', 'only archived ones')
    .addOption(new Option('--origin <origin>', 'where they were started').choices(['dorkos', 'terminal']))
    .action((flags) =>
      finish(async (context) => (await import('./commands/sessions.ts')).listSessions(context, flags)),
    )
  sessions
    .command('show')
    .description('one session, and the end of what was said')
    .argument('<id>')
    .option('--json', 'as one JSON object')
    .option('--limit <n>', 'how many messages (default: 20)', readCount)
    .action((id: string, flags) =>
      finish(async (context) => (await import('./commands/sessions.ts')).showSession(context, id, flags)),
    )
  sessions
    .command('export')
    .description('the conversation, with whole outputs and pictures')
    .argument('<id>')
    .addOption(new Option('--format <format>').choices(['markdown', 'json', 'html']).default('markdown'))
    .option('-o, --output <file>', 'write to a file')
    .action((id: string, flags) =>
      finish(async (context) => (await import('./commands/sessions.ts')).exportSession(context, id, flags)),
    )
}

function addToken(program: Command, finish: Finish): void {
  const token = program.command('token').description('tokens for programs that use the API')
  const add = (name: string) =>
    token.command(name).option('--code <->', codeHelp, readCodeFlag).option('--json', 'as JSON')
  add('create')
    .description('make a token; it is shown once')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--scopes <scopes>', 'some of read,chat,approve,admin')
    .option('--expires-in-days <n>', 'how long it works (default: until revoked)', readCount)
    .action((flags) =>
      finish(async (context) => {
        const { createToken, readScopes } = await import('./commands/token.ts')
        return createToken(context, { ...flags, scopes: readScopes(flags.scopes) })
      }),
    )
  add('list')
    .description('tokens that work')
    .option('--all', 'also revoked and expired ones')
    .action((flags) =>
      finish(async (context) => (await import('./commands/token.ts')).listTokens(context, flags)),
    )
  add('revoke')
    .description('end a token at once')
    .argument('<id>')
    .action((id: string, flags) =>
      finish(async (context) => (await import('./commands/token.ts')).revokeToken(context, id, flags)),
    )
}

function addOthers(program: Command, finish: Finish): void {
  program
    .command('open')
    .description('open the page in a browser')
    .option('--print', 'only print its address')
    .action((flags) => finish(async (context) => (await import('./commands/open.ts')).open(context, flags)))
  program
    .command('code')
    .description('a one-time code from the running server, which signs a browser or terminal in')
    .option('--link', 'a link for a browser in its place')
    .action((flags) => finish(async (context) => (await import('./commands/code.ts')).code(context, flags)))
  program
    .command('doctor')
    .description('check what DorkOS needs here')
    .option('--json', 'as JSON')
    .action((flags) =>
      finish(async (context) => (await import('./commands/doctor.ts')).doctor(context, flags)),
    )
}

function addService(program: Command, finish: Finish): void {
  const service = program.command('service').description('run the server as a systemd user service')
  service
    .command('install')
    .description('write the unit for this user; agents work in the current directory')
    .option('--now', 'also start it, and show a link that signs a browser in')
    .option('--dry-run', 'only print the unit')
    .action((flags) =>
      finish(async (context) => (await import('./commands/service.ts')).installService(context, flags)),
    )
  service
    .command('uninstall')
    .description('remove the unit')
    .option('--now', 'also stop it')
    .option('--dry-run', 'only say what would be removed')
    .action((flags) =>
      finish(async (context) => (await import('./commands/service.ts')).uninstallService(context, flags)),
    )
  service
    .command('status')
    .description('whether it is installed and runs')
    .action(() => finish(async (context) => (await import('./commands/service.ts')).serviceStatus(context)))
}

function readAmount(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value
  throw new InvalidArgumentError('It must be an amount in USD, such as 2.50.')
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number from 1 on.')
}

function readCountOrNone(text: string): number {
  return text === '0' ? 0 : readCount(text)
}
