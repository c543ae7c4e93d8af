/** The command line: its commands, their flags, and what each calls. Commands are loaded when they are used. */
import { effortLevels, listConfigKeys, permissionModes } from '@dorkos/shared'
import { Command, InvalidArgumentError, Option } from 'commander'
import { addAgentsCommands } from './agents-commands.ts'
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
    .option('--home <folder>', 'state folder (default: DORKOS_HOME, else ~/.dorkos)')
    .showHelpAfterError('(run dorkos --help for all commands)')
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
  addAgentsCommands(program, finish)
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

DORKOS_TOKEN: a token from \`dorkos token create\` that every command uses instead of this terminal’s own; with the scopes
read,chat,approve,admin you’re never asked for a code.`

function addServe(program: Command, finish: Finish): void {
  const serve = program
    .command('serve')
    .description('start the server')
    .option('-q, --quiet', 'print nothing; see the log file instead')
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
    .option('--model <name>', 'model, such as sonnet or opus')
    .addOption(
      new Option('--effort <level>', 'how hard the model thinks, if it supports that').choices(effortLevels),
    )
    .addOption(
      new Option('--permission-mode <mode>', `when the agent asks; ${modesHelp}`).choices(permissionModes),
    )
    .option('--profile <name>', 'start a new session with this profile; see dorkos agents')
    .option('--cwd <folder>', 'where the agent works (default: here)')
    .option('--workspace <name>', 'workspace name or id')
    .option('--budget <usd>', 'the most the session can cost', readAmount)
    .option('--max-turns <n>', 'the most steps per message', readCount)
    .option('--session <id>', 'continue this session; the start of its id is enough')
    .option('--code <->', `${codeHelp}, to approve here`, readCodeFlag)
}

function addRun(program: Command, finish: Finish): void {
  addSessionOptions(program.command('run'))
    .description('send one message, stream the answer, and exit with the outcome')
    .argument('[prompt...]', 'the message; - reads standard input')
    .option('--unattended', 'don’t ask: anything no rule allows is denied')
    .option('--json', 'one JSON event per line, with the result last; never asks')
    .option('--no-stream', 'print only the complete answer')
    .action((words: string[], flags) =>
      finish(async (context) => (await import('./commands/run.ts')).run(context, words, flags)),
    )
}

function addChat(program: Command, finish: Finish): void {
  addSessionOptions(program.command('chat'))
    .description('chat with an agent')
    .action((flags) => finish(async (context) => (await import('./commands/chat.ts')).chat(context, flags)))
}

function addAttach(program: Command, finish: Finish): void {
  program
    .command('attach')
    .description('follow a session live, answer its approvals and chat')
    .argument('<id>', 'session id, or the start of it')
    .option('--json', 'one JSON event per line; read-only')
    .option('--history <n>', 'how many earlier messages to show', readCountOrNone)
    .option('--code <->', `${codeHelp}, to approve here`, readCodeFlag)
    .action((id: string, flags) =>
      finish(async (context) => (await import('./commands/chat.ts')).attach(context, id, flags)),
    )
}

function addSessions(program: Command, finish: Finish): void {
  const sessions = program.command('sessions').description('manage the sessions on this machine')
  sessions
    .command('list')
    .description('list sessions, newest first')
    .option('--json', 'one JSON object per line')
    .option('--limit <n>', 'how many (default: 50)', readCount)
    .option('--live', 'only those with a running process')
    .option('--archived', 'only archived ones')
    .addOption(new Option('--origin <origin>', 'where they were started').choices(['dorkos', 'terminal']))
    .action((flags) =>
      finish(async (context) => (await import('./commands/sessions.ts')).listSessions(context, flags)),
    )
  sessions
    .command('show')
    .description('show a session and its latest messages')
    .argument('<id>')
    .option('--json', 'as one JSON object')
    .option('--limit <n>', 'how many messages (default: 20)', readCount)
    .action((id: string, flags) =>
      finish(async (context) => (await import('./commands/sessions.ts')).showSession(context, id, flags)),
    )
  sessions
    .command('changes')
    .description('list files changed in a session; with a path, show its diff')
    .argument('<id>')
    .argument('[path]', 'path as listed')
    .option('--json', 'as one JSON object')
    .action((id: string, path: string | undefined, flags) =>
      finish(async (context) =>
        (await import('./commands/session-changes.ts')).showChanges(context, id, path, flags),
      ),
    )
  sessions
    .command('export')
    .description('export the conversation, with full outputs and images')
    .argument('<id>')
    .addOption(new Option('--format <format>').choices(['markdown', 'json', 'html']).default('markdown'))
    .option('-o, --output <file>', 'write to a file')
    .action((id: string, flags) =>
      finish(async (context) => (await import('./commands/sessions.ts')).exportSession(context, id, flags)),
    )
  addTasks(sessions, finish)
}

function addTasks(sessions: Command, finish: Finish): void {
  sessions
    .command('tasks')
    .description('list a session’s running commands and subagents')
    .argument('<id>')
    .option('--json', 'one JSON object per line')
    .action((id: string, flags) =>
      finish(async (context) => (await import('./commands/tasks.ts')).listTasks(context, id, flags)),
    )
  sessions
    .command('output')
    .description('show a command’s output so far')
    .argument('<id>')
    .argument('<task>', 'id from `sessions tasks`')
    .option('-f, --follow', 'follow until it ends')
    .action((id: string, task: string, flags) =>
      finish(async (context) => (await import('./commands/tasks.ts')).printOutput(context, id, task, flags)),
    )
  sessions
    .command('stop-task')
    .description('stop one command or subagent; the session continues')
    .argument('<id>')
    .argument('<task>', 'id from `sessions tasks`')
    .action((id: string, task: string) =>
      finish(async (context) => (await import('./commands/tasks.ts')).stopTask(context, id, task)),
    )
}

function addToken(program: Command, finish: Finish): void {
  const token = program.command('token').description('manage API tokens')
  const add = (name: string) =>
    token.command(name).option('--code <->', codeHelp, readCodeFlag).option('--json', 'as JSON')
  add('create')
    .description('create a token; it’s shown once')
    .requiredOption('--name <name>', 'what it’s for')
    .requiredOption('--scopes <scopes>', 'any of read,chat,approve,admin')
    .option('--expires-in-days <n>', 'days until it expires (default: never)', readCount)
    .action((flags) =>
      finish(async (context) => {
        const { createToken, readScopes } = await import('./commands/token.ts')
        return createToken(context, { ...flags, scopes: readScopes(flags.scopes) })
      }),
    )
  add('list')
    .description('list valid tokens')
    .option('--all', 'include revoked and expired ones')
    .action((flags) =>
      finish(async (context) => (await import('./commands/token.ts')).listTokens(context, flags)),
    )
  add('revoke')
    .description('revoke a token')
    .argument('<id>')
    .action((id: string, flags) =>
      finish(async (context) => (await import('./commands/token.ts')).revokeToken(context, id, flags)),
    )
}

function addOthers(program: Command, finish: Finish): void {
  program
    .command('open')
    .description('open the page in a browser')
    .option('--print', 'only print the URL')
    .action((flags) => finish(async (context) => (await import('./commands/open.ts')).open(context, flags)))
  program
    .command('code')
    .description('print a one-time code to sign in a browser or terminal')
    .option('--link', 'print a link for a browser instead')
    .action((flags) => finish(async (context) => (await import('./commands/code.ts')).code(context, flags)))
  program
    .command('doctor')
    .description('check this machine for problems')
    .option('--json', 'as JSON')
    .action((flags) =>
      finish(async (context) => (await import('./commands/doctor.ts')).doctor(context, flags)),
    )
}

function addService(program: Command, finish: Finish): void {
  const service = program.command('service').description('run the server as a systemd user service')
  service
    .command('install')
    .description('install the service for this user; agents work in the current directory')
    .option('--now', 'start it now, and show a sign-in link')
    .option('--dry-run', 'only print the unit')
    .action((flags) =>
      finish(async (context) => (await import('./commands/service.ts')).installService(context, flags)),
    )
  service
    .command('uninstall')
    .description('remove the unit')
    .option('--now', 'also stop it')
    .option('--dry-run', 'only show what would be removed')
    .action((flags) =>
      finish(async (context) => (await import('./commands/service.ts')).uninstallService(context, flags)),
    )
  service
    .command('status')
    .description('show whether it’s installed and running')
    .action(() => finish(async (context) => (await import('./commands/service.ts')).serviceStatus(context)))
}

function readAmount(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value
  throw new InvalidArgumentError('Must be an amount in USD, such as 2.50.')
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Must be a whole number, 1 or more.')
}

function readCountOrNone(text: string): number {
  return text === '0' ? 0 : readCount(text)
}
