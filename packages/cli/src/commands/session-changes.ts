/** `dorkos sessions changes`: what changed since a session began, file by file. */
import type { ApiClient, ChangedFile } from '@dorkos/shared'
import { structuredPatch } from 'diff'
import { connect } from '../connect.ts'
import { type CliContext, columnsOf } from '../context.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { chooseSession } from '../session/choose-session.ts'
import { exactLine, safeJson, safeText } from '../terminal/escape.ts'
import { type Style, styleOf } from '../terminal/style.ts'
import { type Column, renderTable } from '../terminal/table.ts'

export interface ChangesFlags {
  json?: boolean
}

export async function showChanges(
  context: CliContext,
  id: string,
  path: string | undefined,
  flags: ChangesFlags,
): Promise<ExitCode> {
  const { client } = await connect(context)
  const session = await chooseSession(client, id)
  return path === undefined
    ? listChanges(context, client, session.id, flags)
    : showFile(context, client, { id: session.id, path }, flags)
}

async function listChanges(
  { stdout, stderr, env }: CliContext,
  client: ApiClient,
  id: string,
  flags: ChangesFlags,
): Promise<ExitCode> {
  const changes = await client.listChanges({ params: { id } })
  if (flags.json) stdout.write(`${safeJson(changes)}\n`)
  else if (changes.files.length === 0) stderr.write('No changes.\n')
  else {
    const lines = renderTable(changes.files, columns, columnsOf(stdout), styleOf(stdout, env))
    stdout.write(`${lines.join('\n')}\n`)
  }
  if (!changes.complete)
    stderr.write('There are more files than DorkOS tracks, so some changes may be missing.\n')
  return exitCodes.completed
}

const authors = {
  agent: 'the agent',
  command_or_person: 'a command or you',
  both: 'the agent and something else',
}

const columns: Column<ChangedFile>[] = [
  { title: 'CHANGE', value: ({ change }) => change },
  {
    title: 'BY',
    value: ({ by, changed_since }) => `${authors[by]}${changed_since ? ', changed since' : ''}`,
  },
  { title: 'FILE', value: ({ path }) => exactLine(path), grows: true },
]

async function showFile(
  { stdout, stderr, env }: CliContext,
  client: ApiClient,
  { id, path }: { id: string; path: string },
  flags: ChangesFlags,
): Promise<ExitCode> {
  const change = await client.getChange({ params: { id }, query: { path } })
  if (flags.json) {
    stdout.write(`${safeJson(change)}\n`)
    return exitCodes.completed
  }
  const [before, after] = [change.before, change.after].map((side) => (side ? side.text : ''))
  if (before === undefined || after === undefined) stderr.write('Not a text file, or too large to show.\n')
  else stdout.write(changedLines(before, after, styleOf(stdout, env)))
  return exitCodes.completed
}

/** Around each change a few lines that stayed, as in a patch. */
function changedLines(before: string, after: string, style: Style): string {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 3 })
  const lines = hunks.flatMap(({ newStart, lines: changed }) => [
    style.dim(`@@ line ${newStart} @@`),
    ...changed.map((line) => coloured(line, style)),
  ])
  return lines.map((line) => `${line}\n`).join('')
}

function coloured(line: string, style: Style): string {
  const shown = `${line.slice(0, 1)} ${safeText(line.slice(1))}`
  if (line.startsWith('+')) return style.green(shown)
  return line.startsWith('-') ? style.red(shown) : shown
}
