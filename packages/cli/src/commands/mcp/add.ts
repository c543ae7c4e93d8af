/** `dorkos mcp add`: a command, an address, or the JSON that a README shows. `dorkos mcp remove`. */
import { resolve } from 'node:path'
import { ApiError, type EndpointBody, type EndpointResponse, type McpEntryInput } from '@dorkos/shared'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { type ExitCode, exitCodes } from '../../exit-codes.ts'
import type { CodeFlag } from '../../read-code.ts'
import { readInput } from '../../read-input.ts'
import { exactLine } from '../../terminal/escape.ts'
import { renderFillIn } from '../../terminal/mcp/render-fill-in.ts'
import { locationOf } from '../../terminal/mcp/render-mcp-list.ts'
import { shownArgv } from '../../terminal/shown-argv.ts'
import { absoluteWords } from './absolute-words.ts'
import { envPairs, headerPairs } from './entry-pairs.ts'
import { checkedName, type McpCommand, type McpFlags, runMcpCommand, stopped } from './mcp-command.ts'
import { refuseOfOtherFile } from './refuse-other-file.ts'

export interface AddFlags {
  url?: string
  transport?: 'http' | 'sse'
  header?: string[]
  env?: string[]
  cwd?: string
  /** A snippet, not a format of the output. */
  json?: string
  code?: CodeFlag
}

type NewServers = EndpointBody<'addMcpServers'>

export async function addServer(
  context: CliContext,
  name: string | undefined,
  words: readonly string[],
  flags: AddFlags,
): Promise<ExitCode> {
  const isPasted = name === '-' || (words.length === 1 && words[0] === '-')
  // With a folder of its own, relative words are relative to that.
  const here = flags.cwd === undefined ? absoluteWords(words, context.cwd) : { words, changed: [] }
  const wanted =
    isPasted || flags.json !== undefined
      ? undefined
      : newServer(name, here.words, { ...flags, ...cwdOf(context, flags) })
  if (!wanted) refuseEntryFlags(flags, isPasted ? [] : words)
  return runMcpCommand(context, flags, async (command) => {
    const { client, signal } = command
    const body = wanted ?? {
      snippet: isPasted ? await readPasted(command) : (flags.json ?? ''),
      ...(name !== undefined && name !== '-' && { name }),
    }
    if (wanted)
      for (const { from, to } of here.changed)
        command.notify(`Saved ${exactLine(from)} as ${exactLine(to)}, so it works from any folder.\n`)
    const result = await command
      .asAdmin(() => client.addMcpServers({ body, signal }))
      .catch((error: unknown) => {
        throw hintAtEdit(error, name)
      })
    await reportAdded(command, result)
    return result.faults.length === 0 ? exitCodes.completed : exitCodes.failed
  })
}

function hintAtEdit(error: unknown, name: string | undefined): unknown {
  if (!(error instanceof ApiError) || error.code !== 'conflict' || !error.message.includes('already'))
    return error
  const which = name === undefined || name === '-' ? '<name>' : shownArgv([name])
  return new CliError(`${error.message} To change it: dorkos mcp edit ${which}`, exitCodes.failed, error)
}

/** On a terminal the right is asked for first: nothing can be asked once standard input has ended. */
async function readPasted({ context, asker, notify, signIn, signal }: McpCommand): Promise<string> {
  if (asker) {
    await signIn()
    notify('Paste the JSON, then press Enter and Ctrl-D:\n')
  }
  const text = await Promise.race([readInput(context), stopped(signal)])
  if (text.trim() !== '') return text
  throw new CliError('Nothing on standard input. Paste the JSON from the server’s README.', exitCodes.usage)
}

/** Also of `edit`. As a person means it: from here. What is stored would otherwise be taken from elsewhere. */
export function cwdOf({ cwd }: CliContext, flags: Pick<AddFlags, 'cwd'>): Pick<AddFlags, 'cwd'> {
  return flags.cwd === undefined
    ? {}
    : { cwd: flags.cwd.startsWith('${') ? flags.cwd : resolve(cwd, flags.cwd) }
}

function newServer(name: string | undefined, words: readonly string[], flags: AddFlags): NewServers {
  if (name === undefined)
    throw new CliError(
      'What should be added? Use `dorkos mcp add <name> -- <command> [args]`, `dorkos mcp add <name> --url <url>`, or `dorkos mcp add -` with JSON on standard input.',
      exitCodes.usage,
    )
  const [command, ...args] = words
  if ((command === undefined) === (flags.url === undefined))
    throw new CliError('A server needs either a command after -- or --url.', exitCodes.usage)
  return { name, entry: command === undefined ? remoteEntry(flags) : localEntry(command, args, flags) }
}

function localEntry(command: string, args: string[], flags: AddFlags): McpEntryInput {
  if (flags.header || flags.transport)
    throw new CliError('--header and --transport need --url.', exitCodes.usage)
  const env = envPairs(flags.env)
  return {
    command,
    ...(args.length > 0 && { args }),
    ...(flags.env && { env }),
    ...(flags.cwd !== undefined && { cwd: flags.cwd }),
  }
}

function remoteEntry(flags: AddFlags): McpEntryInput {
  if (flags.env || flags.cwd !== undefined)
    throw new CliError('--env and --cwd need a command.', exitCodes.usage)
  const headers = headerPairs(flags.header)
  return { type: flags.transport ?? 'http', url: flags.url, ...(flags.header && { headers }) }
}

function refuseEntryFlags({ url, transport, header, env, cwd }: AddFlags, words: readonly string[]): void {
  if (words.length > 0 || [url, transport, header, env, cwd].some((flag) => flag !== undefined))
    throw new CliError('With JSON, leave out the command and the other flags.', exitCodes.usage)
}

/** Also of `import`. */
export async function reportAdded(
  { client, print, notify, signal }: McpCommand,
  { added, faults, fill_in }: EndpointResponse<'addMcpServers'>,
): Promise<void> {
  const { servers } = await client.listMcpServers({ signal })
  const ready: string[] = []
  const locations: string[] = []
  for (const name of added) {
    const server = servers.find((one) => one.name === name && one.source.scope === 'dorkos')
    print(`Added ${exactLine(name)}${server ? `, ${locationOf(server.source)}` : ''}\n`)
    if (server) locations.push(locationOf(added.length === 1 ? server.source : { file: server.source.file }))
    if (server?.use === 'active') ready.push(name)
    else if (server) notify(`${exactLine(name)} isn’t used yet: ${exactLine(server.message ?? server.use)}\n`)
  }
  for (const gap of fill_in) notify(`${renderFillIn(gap, locations[0] ?? 'the configuration')}\n`)
  for (const fault of faults) notify(`Not added: ${exactLine(fault)}\n`)
  if (fill_in.length === 0) for (const name of ready) notify(`Try it: dorkos mcp test ${shownArgv([name])}\n`)
}

export function removeServer(context: CliContext, name: string, flags: McpFlags): Promise<ExitCode> {
  const params = { name: checkedName(name) }
  return runMcpCommand(context, flags, async (command) => {
    const { client, asAdmin, signal, print } = command
    await refuseOfOtherFile(command, name, 'remove it')
    await asAdmin(() => client.removeMcpServer({ params, signal }))
    print(`Removed ${exactLine(name)}\n`)
    return exitCodes.completed
  })
}
