/** `dorkos mcp import [name…]`: what other programs have, and copies of it. */
import { resolve } from 'node:path'
import type { EndpointResponse } from '@dorkos/shared'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { type ExitCode, exitCodes } from '../../exit-codes.ts'
import { exactLine } from '../../terminal/escape.ts'
import { shownArgv } from '../../terminal/shown-argv.ts'
import type { Style } from '../../terminal/style.ts'
import { reportAdded } from './add.ts'
import { type McpFlags, runMcpCommand } from './mcp-command.ts'

export interface ImportFlags extends McpFlags {
  from?: string
}

type Client = EndpointResponse<'listMcpImports'>['clients'][number]
type Listed = Client['servers'][number]

export function importServers(
  context: CliContext,
  names: readonly string[],
  flags: ImportFlags,
): Promise<ExitCode> {
  return runMcpCommand(context, flags, async (command) => {
    const { client, signal, asAdmin, style, print, printJson, notify } = command
    const { id } = await command.workspace(flags.workspace)
    const found = await asAdmin(() => client.listMcpImports({ query: { workspace_id: id }, signal }))
    const clients = fromFile(context, found.clients, flags.from)
    if (names.length === 0) {
      if (flags.json) printJson({ clients })
      else if (clients.length === 0) notify('No MCP servers found in other programs here.\n')
      else print(`${clients.flatMap((one) => renderClient(one, style)).join('\n')}\n`)
      return exitCodes.completed
    }
    const added: string[] = []
    for (const [file, wanted] of byFile(clients, names)) {
      for (const { name, entry } of wanted)
        notify(`${exactLine(name)}  ${shownEntry(entry)}  from ${exactLine(file)}\n`)
      const servers = wanted.map(({ name, hash }) => ({ name, hash }))
      const body = { file, servers, workspace_id: id }
      const result = await asAdmin(() => client.importMcpServers({ body, signal }))
      await reportAdded(command, result)
      added.push(...result.added)
    }
    // Faults of entries that nobody named do not count.
    return names.every((name) => added.includes(name)) ? exitCodes.completed : exitCodes.failed
  })
}

function fromFile(
  context: CliContext,
  clients: readonly Client[],
  from: string | undefined,
): readonly Client[] {
  if (from === undefined) return clients
  const file = resolve(context.cwd, from)
  const found = clients.filter((one) => one.file === file)
  if (found.length > 0) return found
  throw new CliError(
    `${exactLine(file)} doesn’t belong to a program DorkOS knows. \`dorkos mcp add - < ${shownArgv([from])}\` adds all servers from any file.`,
    exitCodes.usage,
  )
}

/** Throws `CliError` for a name that is nowhere, or in more than one file. */
function byFile(clients: readonly Client[], names: readonly string[]): Map<string, Listed[]> {
  const wanted = new Map<string, Listed[]>()
  for (const name of new Set(names)) {
    const having = clients.filter(({ servers }) => servers.some((server) => server.name === name))
    const [only] = having
    if (!only || having.length > 1) {
      const where = only
        ? `in ${having.map(({ file }) => exactLine(file)).join(' and ')}: choose with --from`
        : ''
      throw new CliError(
        only
          ? `${exactLine(name)} is ${where}.`
          : `No other program has a server named ${exactLine(name)}; \`dorkos mcp import\` lists them.`,
        exitCodes.usage,
      )
    }
    const listed = only.servers.filter((server) => server.name === name)
    wanted.set(only.file, [...(wanted.get(only.file) ?? []), ...listed])
  }
  return wanted
}

function renderClient({ client, file, servers, faults }: Client, style: Style): string[] {
  return [
    `${style.bold(exactLine(client))}  ${exactLine(file)}`,
    ...servers.map(({ name, entry, known }) => {
      return `  ${style.cyan(exactLine(name))}  ${shownEntry(entry)}${known ? style.dim('  (already added)') : ''}`
    }),
    ...(servers.length === 0 ? ['  no servers'] : []),
    ...faults.map((fault) => `  ${style.yellow('!')} ${exactLine(fault)}`),
  ]
}

function shownEntry({ command, args = [], url = '' }: Listed['entry']): string {
  return command === undefined ? exactLine(url) : shownArgv([command, ...args])
}
