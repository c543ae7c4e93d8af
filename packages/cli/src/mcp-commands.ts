/** `dorkos mcp …`: its commands and their flags. */
import type { McpSharing } from '@dorkos/shared'
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import type { Finish } from './finish.ts'
import { codeHelp, readCodeFlag } from './read-code.ts'
import { readSecretFlag, secretVariable } from './read-secret-flag.ts'

export function addMcpCommands(program: Command, finish: Finish): void {
  const mcp = program.command('mcp').description('manage MCP servers: sources, health, sign-in and trust')
  addReading(mcp, finish)
  addAdding(mcp, finish)
  addSwitches(mcp, finish)
  addSharing(mcp, finish)
  addTesting(mcp, finish)
  addSignIn(mcp, finish)
  addTrust(mcp, finish)
  addTransfer(mcp, finish)
}

const workspaceHelp = 'workspace name, id or folder (default: the main one)'

function reading(mcp: Command, name: string): Command {
  return mcp.command(name).option('--workspace <name|folder>', workspaceHelp).option('--json', 'as JSON')
}

function administering(command: Command): Command {
  return command.option('--code <->', codeHelp, readCodeFlag)
}

function addReading(mcp: Command, finish: Finish): void {
  reading(mcp, 'list')
    .description('list servers with source and state, and why some aren’t used')
    .option('--session <id>', 'servers of a session; the start of its id is enough')
    .action((flags) =>
      finish(async (context) => (await import('./commands/mcp/list.ts')).listServers(context, flags)),
    )
  reading(mcp, 'show')
    .description('show one server: entry, health, tools and calls, history, last output')
    .argument('<name>')
    .action((name: string, flags) =>
      finish(async (context) => (await import('./commands/mcp/show.ts')).showServer(context, name, flags)),
    )
  reading(mcp, 'doctor')
    .description('find problems with servers, and how to fix them')
    .action((flags) =>
      finish(async (context) => (await import('./commands/mcp/doctor.ts')).mcpDoctor(context, flags)),
    )
}

const addHelp = `
Examples:
  dorkos mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes
  dorkos mcp add issues --url https://mcp.example.org/mcp --header 'Authorization: Bearer \${ISSUES_TOKEN}'
  dorkos mcp add - < snippet.json

Other programs on this machine can read a command line, and your shell may keep it in its history: use \${NAME} instead of a
secret (and list the name in mcp.expandEnv), or pass the JSON on standard input.`

function addAdding(mcp: Command, finish: Finish): void {
  administering(mcp.command('add'))
    .description('add a server to DorkOS’s configuration, or paste the JSON from its README')
    .usage('<name> -- <command> [args...] | <name> --url <url> [options] | [name] --json <snippet> | -')
    .argument('[name]', 'its name; - reads JSON from standard input')
    .argument('[command...]', 'after --: the server program and its arguments')
    .option('--env <NAME=value>', 'environment variable for the program; repeatable', collect)
    .option('--cwd <folder>', 'the program’s working directory')
    .option('--url <url>', 'URL of a server over HTTP')
    .addOption(new Option('--transport <kind>', 'transport (default: http)').choices(['http', 'sse']))
    .option('--header <name: value>', 'request header; repeatable', collect)
    .option('--json <snippet>', 'JSON from a README')
    .addHelpText('after', addHelp)
    .action((name: string | undefined, words: string[], flags) =>
      finish(async (context) =>
        (await import('./commands/mcp/add.ts')).addServer(context, name, words, flags),
      ),
    )
  addEditing(mcp, finish)
  administering(mcp.command('remove'))
    .description('remove a server from DorkOS’s configuration')
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

The last one opens the entry in your editor (VISUAL, else EDITOR). Secrets are shown as •••. Leave ••• to keep them.`

function addEditing(mcp: Command, finish: Finish): void {
  administering(mcp.command('edit'))
    .description('edit a server in DorkOS’s configuration, with flags or in your editor')
    .usage('<name> [options] | <name> -- <command> [args...]')
    .argument('<name>')
    .argument('[command...]', 'after --: the new program and its arguments')
    .option('--command <program>', 'the new program; keeps the arguments')
    .option('--arg <word>', 'an argument; repeat for each one; replaces all arguments', collect)
    .option('--env <NAME=value>', 'add or change a variable; repeatable', collect)
    .option('--unset-env <NAME>', 'remove a variable; repeatable', collect)
    .option('--cwd <folder>', 'the program’s working directory')
    .option('--url <url>', 'the new URL; headers are kept only for the same host')
    .addOption(new Option('--transport <kind>', 'transport').choices(['http', 'sse']))
    .option('--header <name: value>', 'add or change a header; repeatable', collect)
    .option('--unset-header <name>', 'remove a header; repeatable', collect)
    .option('--timeout <seconds>', 'call timeout; `default` uses the global one', readTimeout)
    .addOption(new Option('--sharing <how>', 'how sessions share it').choices(['auto', 'shared', 'session']))
    .option('--mode <mode>', 'workspaces that get it: host, container; repeatable', collectMode)
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
      .description(`turn a server, or one of its tools, ${off ? 'off' : 'on again'}, in running sessions too`)
      .argument('<name>')
      .option('--tool <tool>', 'only this tool')
      .option('--workspace <name|folder>', workspaceHelp)
      .option('--session <id>', 'only in this session; the start of its id is enough')
      .action((name: string, flags) =>
        finish(async (context) =>
          (await import('./commands/mcp/switch.ts')).switchServer(context, name, off, flags),
        ),
      )
  }
}

const shareHelp = `
  auto     shared if the server is known to be stateless, or runs over HTTP
  shared   one process, and its state, for all sessions
  session  one process per session, started at its first call`

function addSharing(mcp: Command, finish: Finish): void {
  administering(reading(mcp, 'share'))
    .description('choose whether sessions in a workspace share a server’s process')
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
    test: 'start a server if needed, and report whether it works (exit code 0) or not (1)',
    reconnect: 'restart a server',
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
    .description('review new or changed tools, and accept them')
    .argument('<name>')
    .argument('[tool...]', 'only these (default: all new or changed ones)')
    .option('--workspace <name|folder>', workspaceHelp)
    .option('--yes', 'don’t ask')
    .action((name: string, tools: string[], flags) =>
      finish(async (context) =>
        (await import('./commands/mcp/accept.ts')).acceptTools(context, name, tools, flags),
      ),
    )
}

const signInHelp = `
Prints the address to open. The browser then returns to this command on 127.0.0.1. DorkOS keeps the tokens: agents, the
page and this terminal never see them.

An app registered by hand with the authorization server has a client id, and may have a secret. You’re asked for it, or it’s
read from ${secretVariable}, or from standard input with --client-secret - (after the code, with --code -).`

function addSignIn(mcp: Command, finish: Finish): void {
  administering(reading(mcp, 'sign-in'))
    .description('sign in to a server over HTTP that needs it (OAuth)')
    .argument('<name>')
    .option('--client-id <id>', 'client id of an app registered by hand, if needed')
    .option('--issuer <address>', 'where it was registered; run without this flag to see it')
    .option('--client-secret <->', '- reads the client secret from standard input', readSecretFlag)
    .option('--callback-port <port>', 'port the browser returns to (default: any free port)', readPort)
    .option('--yes', 'don’t ask, even if the access you grant goes to a different host')
    .addHelpText('after', signInHelp)
    .action((name: string, flags) =>
      finish(async (context) =>
        (await import('./commands/mcp/sign-in.ts')).signInToServer(context, name, flags),
      ),
    )
  administering(mcp.command('sign-out'))
    .description('sign out of a server; deletes its tokens, and revokes them where possible')
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
    .description('review exactly what a workspace would run, and trust it as shown')
    .option('--text', 'show its files in full')
    .option('--yes', 'don’t ask; needs --digest')
    .option('--digest <digest>', 'trust only what matches this digest, shown by this command')
    .option('--revoke', 'withdraw trust')
    .action((flags) =>
      finish(async (context) => (await import('./commands/mcp/trust.ts')).trustWorkspace(context, flags)),
    )
}

function addTransfer(mcp: Command, finish: Finish): void {
  administering(reading(mcp, 'import'))
    .description('list servers in Claude Desktop, Cursor and VS Code; copies the ones you name')
    .argument('[name...]')
    .option('--from <file>', 'only from this file')
    .action((names: string[], flags) =>
      finish(async (context) =>
        (await import('./commands/mcp/import.ts')).importServers(context, names, flags),
      ),
    )
  mcp
    .command('export')
    .description('print the servers as JSON for other programs, without secrets')
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
  throw new InvalidArgumentError('Must be host or container.')
}

/** In milliseconds. */
function readTimeout(text: string): number | 'default' {
  if (text === 'default') return text
  const seconds = /^\d{1,5}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0
  if (seconds > 0) return Math.round(seconds * 1000)
  throw new InvalidArgumentError('Must be a number of seconds up to 86400, or `default`.')
}

function readPort(text: string): number {
  const port = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0
  if (port > 0 && port < 65_536) return port
  throw new InvalidArgumentError('Must be a port from 1 to 65535.')
}
