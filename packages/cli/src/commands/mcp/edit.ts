/** `dorkos mcp edit <name>`: changes a server of DorkOS's configuration, by flags or in an editor. */
import { isDeepStrictEqual } from 'node:util'
import { type McpEntryInput, type McpServer, mcpEntrySchema } from '@dorkos/shared'
import { CliError } from '../../cli-error.ts'
import { type CliContext, isInteractive } from '../../context.ts'
import { type ExitCode, exitCodes } from '../../exit-codes.ts'
import type { CodeFlag } from '../../read-code.ts'
import { exactLine } from '../../terminal/escape.ts'
import { renderEntryChange } from '../../terminal/mcp/render-entry-change.ts'
import { locationOf } from '../../terminal/mcp/render-mcp-list.ts'
import { shownArgv } from '../../terminal/shown-argv.ts'
import { absoluteWords } from './absolute-words.ts'
import { cwdOf } from './add.ts'
import { changeEntry, changesSomething, type EntryFlags } from './change-entry.ts'
import { editEntry } from './edit-entry.ts'
import { checkedName, type McpCommand, runMcpCommand } from './mcp-command.ts'
import { refuseOfOtherFile } from './refuse-other-file.ts'

export interface EditFlags extends EntryFlags {
  json?: boolean
  code?: CodeFlag
}

export async function editServer(
  context: CliContext,
  name: string,
  words: readonly string[],
  flags: EditFlags,
): Promise<ExitCode> {
  checkedName(name)
  const wanted = { ...flags, ...wordsOf(words, flags), ...cwdOf(context, flags) }
  const isByFlags = changesSomething(wanted)
  if (!isByFlags && !isInteractive(context))
    throw new CliError(
      'What should be changed? `dorkos mcp edit --help` lists the flags. Without flags, in a terminal, an editor opens.',
      exitCodes.usage,
    )
  return runMcpCommand(context, flags, async (command) => {
    const server = await ownServer(command, name)
    const before = entryOf(server)
    const store = (entry: McpEntryInput) => storeEntry(command, name, before, entry)
    if (isByFlags) {
      const entry = changeEntry(before, withPaths(command, before, wanted))
      const isSame = renderEntryChange(before, entry, command.style).length === 0
      return report(command, server, isSame ? undefined : await store(entry), flags)
    }
    // First: a right that nobody gives should not cost what was typed.
    await command.signIn()
    return report(command, server, await editEntry(command, before, store), flags)
  })
}

/** As `add` takes them. */
function wordsOf(words: readonly string[], { command, arg }: EditFlags): EntryFlags {
  const [program, ...rest] = words
  if (program === undefined) return {}
  if (command !== undefined || arg)
    throw new CliError('Use either a command after -- or --command and --arg, not both.', exitCodes.usage)
  return { command: program, arg: rest }
}

/** With a folder of its own, relative words are relative to that. */
function withPaths({ context, notify }: McpCommand, before: McpEntryInput, flags: EntryFlags): EntryFlags {
  const { command, arg } = flags
  if ((flags.cwd ?? before.cwd) !== undefined) return flags
  const given = [...(command === undefined ? [] : [command]), ...(arg ?? [])]
  const { words, changed } = absoluteWords(given, context.cwd)
  for (const { from, to } of changed)
    notify(`Saved ${exactLine(from)} as ${exactLine(to)}, so it works from any folder.\n`)
  return {
    ...flags,
    ...(command !== undefined && { command: words[0] ?? command }),
    ...(arg && { arg: words.slice(words.length - arg.length) }),
  }
}

async function ownServer(command: McpCommand, name: string): Promise<McpServer> {
  const { servers, faults } = await command.client.listMcpServers({ signal: command.signal })
  const isOwn = ({ name: one, source }: McpServer) => one === name && source.scope === 'dorkos'
  const found = servers.find((one) => isOwn(one) && !one.modules)
  if (found) return found
  const fault = faults.find((one) => one.name === name && one.scope === 'dorkos')
  if (fault)
    throw new CliError(`${exactLine(fault.message)} Fix it in ${locationOf(fault)}`, exitCodes.failed)
  await refuseOfOtherFile(command, name, 'change it')
  throw new CliError(
    `DorkOS’s configuration has no server ${exactLine(name)}; \`dorkos mcp list\` shows them.`,
    exitCodes.failed,
  )
}

/** As people would write it: without what is empty or goes without saying. */
function entryOf({ entry }: McpServer): McpEntryInput {
  const isEmpty = (value: unknown) => typeof value === 'object' && Object.keys(value ?? {}).length === 0
  const isSaid = ([key, value]: [string, unknown]) =>
    !(key === 'type' && value === 'stdio') && !isEmpty(value)
  return mcpEntrySchema.parse(Object.fromEntries(Object.entries(entry).filter(isSaid)))
}

/** What somebody else changed meanwhile is not overwritten. */
async function storeEntry(
  command: McpCommand,
  name: string,
  before: McpEntryInput,
  entry: McpEntryInput,
): Promise<McpServer> {
  const { client, signal, asAdmin } = command
  if (!isDeepStrictEqual(entryOf(await ownServer(command, name)), before))
    throw new CliError(
      `${exactLine(name)} was changed by someone else in the meantime. Run the command again.`,
      exitCodes.failed,
    )
  return asAdmin(() => client.changeMcpServer({ params: { name }, body: { entry }, signal }))
}

/** `changed`: undefined where nothing was. */
function report(
  { print, printJson, notify, signal }: McpCommand,
  before: McpServer,
  changed: McpServer | undefined,
  { json }: EditFlags,
): ExitCode {
  if (!changed) notify('No changes.\n')
  if (json) printJson(changed ?? before)
  else if (changed) print(`Changed ${exactLine(changed.name)}, ${locationOf(changed.source)}\n`)
  if (changed?.use === 'active') notify(`Try it: dorkos mcp test ${shownArgv([changed.name])}\n`)
  else if (changed) notify(`It isn’t used: ${exactLine(changed.message ?? changed.use)}\n`)
  return signal.aborted ? exitCodes.interrupted : exitCodes.completed
}
