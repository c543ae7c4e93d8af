/** `dorkos mcp …`: its commands and their flags. */
import type { McpSharing } from '@dorkos/shared'
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import type { Finish } from './finish.ts'
import { codeHelp, readCodeFlag } from './read-code.ts'
import { readSecretFlag, secretVariable } from './read-secret-flag.ts'

export function addMcpCommands(program: Command, finish: Finish): void {
  const mcp = program
    .command('mcp')
    .description('MCP servers: where they come from, whether they work, and who may run them')
  addReading(mcp, finish)
  addAdding(mcp, finish)
  addSwitches(mcp, finish)
  addSharing(mcp, finish)
  addTesting(mcp, finish)
  addSignIn(mcp, finish)
  addTrust(mcp, finish)
  addTransfer(mcp, finish)
}

const workspaceHelp = 'a workspace, by name, id or folder (default: the main one)'

function reading(mcp: Command, name: string): Command {
  return mcp.command(name).option('--workspace <name|folder>', workspaceHelp).option('--json', 'as JSON')
}

function administering(command: Command): Command {
  return command.option('--code <->', codeHelp, readCodeFlag)
}

function addReading(mcp: Command, finish: Finish): void {
  reading(mcp, 'list')
    .description('all servers with their source and state, and why some are not used')
    .option('--session <id>', 'those of a session; the beginning of its id is enough')
    .action((flags) =>
      finish(async (context) => (await import('./commands/mcp/list.ts')).listServers(context, flags)),
    )
  reading(mcp, 'show')
    .description('one server: entry, health, tools with their calls, history, last output')
    .argument('<name>')
    .action((name: string, flags) =>
      finish(async (context) => (await import('./commands/mcp/show.ts')).showServer(context, name, flags)),
    )
  reading(mcp, 'doctor')
    .description('what is wrong with servers, and what to do about it')
    .action((flags) =>
      finish(async (context) => (await import('./commands/mcp/doctor.ts')).mcpDoctor(context, flags)),
    )
}

const addHelp = `
Examples:
  dorkos mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes
  dorkos mcp add issues --url https://mcp.example.org/mcp --header 'Authorization: Bearer \${ISSUES_TOKEN}'
  dorkos mcp add - < snippet.json

Other programs of this machine can read a command line, and your shell may remember it: write \${NAME} in place of a
secret (and allow the name in mcp.expandEnv), or give the JSON on standard input.`

function addAdding(mcp: Command, finish: Finish): void {
  administering(mcp.command('add'))
    .description('add a server to DorkOS’s configuration; also by pasting the JSON that a README shows')
    .usage('<name> -- <command> [args...] | <name> --url <address> [options] | [name] --json <snippet> | -')
    .argument('[name]', 'what it is called; - reads JSON from standard input')
    .argument('[command...]', 'after --: the program that is the server, and its arguments')
    .option('--env <NAME=value>', 'a variable for the program; may be repeated', collect)
    .option('--cwd <folder>', 'where the program is started')
    .option('--url <address>', 'a server that is reached over HTTP')
    .addOption(new Option('--transport <kind>', 'how (default: http)').choices(['http', 'sse']))
    .option('--header <name: value>', 'sent along; may be repeated', collect)
    .option('--json <snippet>', 'JSON as READMEs show it')
    .addHelpText('after', addHelp)
    .action((name: string | undefined, words: string[], flags) =>
      finish(async (context) =>
        (await import('./commands/mcp/add.ts')).addServer(context, name, words, flags),
      ),
    )
  addEditing(mcp, finish)
  administering(mcp.command('remove'))
    .description('take a server out of DorkOS’s configuration')
    .argument('<name>')
    .action((name: string, flags) =>
      finish(async (context) => (await import('./commands/mcp/add.ts')).removeServer(context, name, flags)),
    )
}

const editHelp = `
Examples:
  dorkos mcp edit files -- npx -y @modelcontextprotocol/server-filesystem ~/papers
  dorkos mcp edit issues --unset-header X-Team --timeout 120
  dorkos mcp edit issues

The last one opens the entry in your editor (VISUAL, else EDITOR). Secrets are shown as •••; where that stays, so do they.`

function addEditing(mcp: Command, finish: Finish): void {
  administering(mcp.command('edit'))
    .description('change a server of DorkOS’s configuration: by flags, or without any in your editor')
    .usage('<name> [options] | <name> -- <command> [args...]')
    .argument('<name>')
    .argument('[command...]', 'after --: another program, and its arguments')
    .option('--command <program>', 'another program; the arguments stay')
    .option('--arg <word>', 'an argument; repeat it for each, in place of all there were', collect)
    .option('--env <NAME=value>', 'adds or changes a variable; may be repeated', collect)
    .option('--unset-env <NAME>', 'takes a variable away; may be repeated', collect)
    .option('--cwd <folder>', 'where the program is started')
    .option('--url <address>', 'another address; headers stay with the same host only')
    .addOption(new Option('--transport <kind>', 'how it is reached').choices(['http', 'sse']))
    .option('--header <name: value>', 'adds or changes a header; may be repeated', collect)
    .option('--unset-header <name>', 'takes a header away; may be repeated', collect)
    .option('--timeout <seconds>', 'how long a call may take; `default` for no limit of its own', readTimeout)
    .addOption(new Option('--sharing <how>', 'between sessions').choices(['auto', 'shared', 'session']))
    .option('--mode <mode>', 'workspaces that get it: host, container; may be repeated', collectMode)
    .option('--json', 'print the server as JSON')
    .addHelpText('after', editHelp)
    .action((name: string, words: string[], flags) =>
      finish(async (context) =>
        (await import('./commands/mcp/edit.ts')).editServer(context, name, words, flags),
      ),
    )
}

function addSwitches(mcp: Command, finish: Finish): void {
  for (const command of ['enable', 'disable'] as const) {
    const off = command === 'disable'
    administering(mcp.command(command))
      .description(
        `switch a server, or one tool of it, ${off ? 'off' : 'on again'}; running sessions are told`,
      )
      .argument('<name>')
      .option('--tool <tool>', 'only this tool')
      .option('--workspace <name|folder>', workspaceHelp)
      .option('--session <id>', 'only in this session; the beginning of its id is enough')
      .action((name: string, flags) =>
        finish(async (context) =>
          (await import('./commands/mcp/switch.ts')).switchServer(context, name, off, flags),
        ),
      )
  }
}

const shareHelp = `
  auto     shared if the server is known to keep nothing between calls, or is reached over HTTP
  shared   one process for all sessions, with whatever it keeps
  session  a process for each session, started at its first call`

function addSharing(mcp: Command, finish: Finish): void {
  administering(reading(mcp, 'share'))
    .description('choose whether the sessions of a workspace share a server’s process')
    .argument('<name>')
    .addArgument(new Argument('<how>').choices(['auto', 'shared', 'session']))
    .addHelpText('after', shareHelp)
    .action((name: string, how: McpSharing, flags) =>
      finish(async (context) =>
        (await import('./commands/mcp/share.ts')).shareServer(context, name, how, flags),
      ),
    )
}

function addTesting(mcp: Command, finish: Finish): void {
  const words = {
    test: 'start a server unless it runs, and say whether it works (exit code 0) or not (1)',
    reconnect: 'end a server and start it anew',
  }
  for (const command of ['test', 'reconnect'] as const) {
    administering(reading(mcp, command))
      .description(words[command])
      .argument('<name>')
      .action((name: string, flags) =>
        finish(async (context) =>
          (await import('./commands/mcp/test.ts')).testServer(context, name, command, flags),
        ),
      )
  }
  administering(mcp.command('accept'))
    .description('show how tools differ from what they were, and accept them')
    .argument('<name>')
    .argument('[tool...]', 'only these (default: all that are new or have changed)')
    .option('--workspace <name|folder>', workspaceHelp)
    .option('--yes', 'do not ask')
    .action((name: string, tools: string[], flags) =>
      finish(async (context) =>
        (await import('./commands/mcp/accept.ts')).acceptTools(context, name, tools, flags),
      ),
    )
}

const signInHelp = `
The address to open is printed; the browser comes back to this command, on 127.0.0.1. DorkOS keeps the tokens: agents, the
page and this terminal never see them.

A program that was registered by hand with the authorization server has an id, and may have a secret. That is asked for, or
read from ${secretVariable}, or from standard input with --client-secret - (after the code, with --code -).`

function addSignIn(mcp: Command, finish: Finish): void {
  administering(reading(mcp, 'sign-in'))
    .description('sign in to a server that is reached over HTTP and asks who you are (OAuth)')
    .argument('<name>')
    .option('--client-id <id>', 'of a program that was registered by hand, where that is needed')
    .option('--issuer <address>', 'whom it was registered with, as this command says without it')
    .option('--client-secret <->', '- reads its secret from standard input', readSecretFlag)
    .option('--callback-port <port>', 'where the browser comes back to (default: any free port)', readPort)
    .option('--yes', 'do not ask, even if what you grant goes to another host than that of the page')
    .addHelpText('after', signInHelp)
    .action((name: string, flags) =>
      finish(async (context) =>
        (await import('./commands/mcp/sign-in.ts')).signInToServer(context, name, flags),
      ),
    )
  administering(mcp.command('sign-out'))
    .description('sign out of a server: its tokens are revoked where that can be, and forgotten')
    .argument('<name>')
    .option('--workspace <name|folder>', workspaceHelp)
    .action((name: string, flags) =>
      finish(async (context) =>
        (await import('./commands/mcp/sign-in.ts')).signOutOfServer(context, name, flags),
      ),
    )
}

function addTrust(mcp: Command, finish: Finish): void {
  administering(reading(mcp, 'trust'))
    .description('show exactly what a workspace would run, and trust it as shown')
    .option('--text', 'show the whole texts of its files')
    .option('--yes', 'do not ask; needs --digest')
    .option('--digest <digest>', 'trust only what this names; it is shown with the rest')
    .option('--revoke', 'trust it no longer')
    .action((flags) =>
      finish(async (context) => (await import('./commands/mcp/trust.ts')).trustWorkspace(context, flags)),
    )
}

function addTransfer(mcp: Command, finish: Finish): void {
  administering(reading(mcp, 'import'))
    .description('servers that Claude Desktop, Cursor or VS Code have; copies those that are named')
    .argument('[name...]')
    .option('--from <file>', 'only what is in this file')
    .action((names: string[], flags) =>
      finish(async (context) =>
        (await import('./commands/mcp/import.ts')).importServers(context, names, flags),
      ),
    )
  mcp
    .command('export')
    .description('the servers as JSON for other programs, without secrets')
    .option('--workspace <name|folder>', workspaceHelp)
    .action((flags) =>
      finish(async (context) => (await import('./commands/mcp/export.ts')).exportServers(context, flags)),
    )
}

function collect(text: string, before: string[] | undefined): string[] {
  return [...(before ?? []), text]
}

function collectMode(text: string, before: string[] | undefined): string[] {
  if (text === 'host' || text === 'container') return collect(text, before)
  throw new InvalidArgumentError('It must be host or container.')
}

/** In milliseconds. */
function readTimeout(text: string): number | 'default' {
  if (text === 'default') return text
  const seconds = /^\d{1,5}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0
  if (seconds > 0) return Math.round(seconds * 1000)
  throw new InvalidArgumentError('It must be a number of seconds, at most 86400, or `default`.')
}

function readPort(text: string): number {
  const port = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0
  if (port > 0 && port < 65_536) return port
  throw new InvalidArgumentError('It must be a port, from 1 to 65535.')
}
