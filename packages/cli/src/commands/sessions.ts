/** `dorkos sessions list | show | export`. */
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { Session } from '@dorkos/shared'
import { CliError } from '../cli-error.ts'
import { connect } from '../connect.ts'
import { type CliContext, columnsOf } from '../context.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { allSessions, chooseSession } from '../session/choose-session.ts'
import { formatAge, formatUsd } from '../terminal/amounts.ts'
import { oneLine, safeJson, safeText } from '../terminal/escape.ts'
import { EventPrinter } from '../terminal/event-printer.ts'
import { styleOf } from '../terminal/style.ts'
import { type Column, renderTable } from '../terminal/table.ts'

export interface ListFlags {
  json?: boolean
  limit?: number
  live?: boolean
  archived?: boolean
  origin?: 'dorkos' | 'terminal'
}

export async function listSessions(context: CliContext, flags: ListFlags): Promise<ExitCode> {
  const { client } = await connect(context)
  const limit = flags.limit ?? 50
  const sessions: Session[] = []
  const filter = {
    ...(flags.live && { live: 'true' as const }),
    ...(flags.archived && { archived: 'true' as const }),
    ...(flags.origin && { origin: flags.origin }),
  }
  for await (const session of allSessions(client, filter)) {
    if (sessions.length >= limit) break
    sessions.push(session)
  }
  const { stdout, env } = context
  if (flags.json) {
    for (const session of sessions) stdout.write(`${safeJson(session)}\n`)
  } else if (sessions.length === 0) {
    context.stderr.write('No sessions.\n')
  } else {
    const lines = renderTable(sessions, sessionColumns(Date.now()), columnsOf(stdout), styleOf(stdout, env))
    stdout.write(`${lines.join('\n')}\n`)
  }
  return exitCodes.completed
}

export function sessionColumns(now: number): Column<Session>[] {
  return [
    { title: 'ID', value: ({ id }) => id.slice(0, 8) },
    { title: 'STATE', value: stateOf },
    { title: 'CHANGED', value: ({ updated_at }) => formatAge(updated_at, now) },
    { title: 'COST', value: ({ cost_usd }) => (cost_usd === undefined ? '' : formatUsd(cost_usd)) },
    { title: 'FOLDER', value: ({ cwd }) => cwd.split(/[/\\]/).at(-1) || cwd },
    { title: 'TITLE', value: ({ title, first_prompt }) => title ?? first_prompt ?? '', grows: true },
  ]
}

function stateOf({ state, pending_approvals, origin, in_use_elsewhere }: Session): string {
  if (pending_approvals > 0) return 'needs you'
  if (in_use_elsewhere) return 'elsewhere'
  return origin === 'terminal' && state === 'idle' ? 'terminal' : state
}

export interface ShowFlags {
  json?: boolean
  limit?: number
}

/** The session's facts, and the end of what was said in it. */
export async function showSession(context: CliContext, id: string, flags: ShowFlags): Promise<ExitCode> {
  const { client } = await connect(context)
  const session = await chooseSession(client, id)
  const { events } = await client.getHistory({
    params: { id: session.id },
    query: { limit: Math.min(Math.max(flags.limit ?? 20, 1), 500) },
  })
  const { stdout, env } = context
  if (flags.json) {
    stdout.write(`${safeJson({ session, events })}\n`)
    return exitCodes.completed
  }
  const style = styleOf(stdout, env)
  for (const [name, value] of factsOf(session))
    stdout.write(`${style.dim(name.padEnd(11))} ${oneLine(value)}\n`)
  stdout.write('\n')
  const write = (text: string) => {
    stdout.write(text)
  }
  const width = () => columnsOf(stdout)
  const printer = new EventPrinter({
    say: write,
    note: write,
    sameScreen: true,
    overwrite: false,
    isOwn: () => false,
    style,
    width,
    stream: true,
    callStarts: false,
  })
  for (const event of events) printer.print(event)
  printer.endLine()
  return exitCodes.completed
}

function factsOf(session: Session): [string, string][] {
  const facts: [string, string | undefined][] = [
    ['session', session.id],
    ['title', session.title],
    ['state', `${session.state}${session.live ? ', live' : ''}${session.demo ? ', demo model' : ''}`],
    ['folder', session.cwd],
    ['branch', session.branch],
    ['model', session.model],
    ['effort', session.effort],
    ['mode', session.permission_mode],
    ['created', session.created_at],
    ['changed', session.updated_at],
    ['cost', session.cost_usd === undefined ? undefined : formatUsd(session.cost_usd)],
    ['waiting', waitingOf(session)],
    ['claude', `claude --resume ${session.cli_session_ids.at(-1) ?? session.id}`],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined)
}

function waitingOf({ pending_approvals, queued_messages, queue_held }: Session): string | undefined {
  const parts = [
    ...(pending_approvals > 0 ? [`${pending_approvals} to approve`] : []),
    ...(queued_messages > 0
      ? [`${queued_messages} messages${queue_held ? ' (paused: the agent was stopped)' : ''}`]
      : []),
  ]
  return parts.length === 0 ? undefined : parts.join(', ')
}

export interface ExportFlags {
  format?: 'markdown' | 'json' | 'html'
  output?: string
}

export async function exportSession(context: CliContext, id: string, flags: ExportFlags): Promise<ExitCode> {
  const { client } = await connect(context)
  const session = await chooseSession(client, id)
  const { format = 'markdown' } = flags
  const { body } = await client.exportSession({ params: { id: session.id }, query: { format } })
  const pieces = body === null ? [] : Readable.fromWeb(body as WebStream).setEncoding('utf8')
  const { stdout } = context
  if (flags.output === undefined) {
    // On a terminal the text must not act; in a pipe or file it stays as it is.
    await whole(pieces, (piece) => written(stdout, stdout.isTTY ? safeText(piece) : piece))
    return exitCodes.completed
  }
  const path = resolve(context.cwd, flags.output)
  const file = await open(path, 'w', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`Can’t write ${path} (${error.code}).`, exitCodes.failed, error)
  })
  try {
    await whole(pieces, (piece) => file.writeFile(piece))
  } finally {
    await file.close()
  }
  context.stderr.write(`Written to ${path}\n`)
  return exitCodes.completed
}

/** A session can have outputs of many megabytes: they pass through, and are not held. */
async function whole(
  pieces: AsyncIterable<string> | Iterable<string>,
  write: (piece: string) => Promise<unknown>,
): Promise<void> {
  try {
    for await (const piece of pieces) await write(piece)
  } catch (error) {
    throw new CliError('The export stopped early, so the file is incomplete.', exitCodes.failed, error)
  }
}

async function written(stream: CliContext['stdout'], text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain')
}
