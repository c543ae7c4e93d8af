/** `dorkos agents list | show | check | add | edit | remove | import`. */
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import {
  ApiError,
  isRecord,
  newProfileText,
  type ProfileDetails,
  type ProfileEntry,
  type ProfileFault,
} from '@dorkos/shared'
import { CliError } from '../cli-error.ts'
import { type CliContext, isInteractive } from '../context.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import type { CodeFlag } from '../read-code.ts'
import { homeOf } from '../server-files.ts'
import { editText } from '../terminal/edit-text.ts'
import { exactLine, safeText } from '../terminal/escape.ts'
import { type Column, renderTable } from '../terminal/table.ts'
import { type McpCommand, runMcpCommand } from './mcp/mcp-command.ts'

interface ProfileFlags {
  workspace?: string
  name?: string
  json?: boolean
  code?: CodeFlag
}

export function listProfiles(context: CliContext, flags: ProfileFlags): Promise<ExitCode> {
  return runMcpCommand(context, {}, async (command) => {
    const { client, signal, style, print, printJson } = command
    const query = await around(command, flags.workspace)
    const { profiles } = await client.listProfiles({ query, signal })
    if (flags.json) printJson({ profiles })
    else print(`${renderTable(profiles, columns, Number.POSITIVE_INFINITY, style).join('\n')}\n`)
    return exitCodes.completed
  })
}

const columns: Column<ProfileEntry>[] = [
  { title: 'NAME', value: ({ name }) => name },
  {
    title: 'FROM',
    value: ({ origin }) => ({ shipped: 'DorkOS', owner: 'you', workspace: 'workspace' })[origin],
  },
  { title: 'STATE', value: stateOf },
  { title: 'DESCRIPTION', value: ({ description = '' }) => exactLine(description) },
]

function stateOf({ faults, untrusted, overridden_by: by }: ProfileEntry): string {
  if (untrusted) return 'not trusted'
  if (faults[0]) return `error in line ${faults[0].line}`
  return by === undefined ? 'ready' : `replaced by ${by === 'owner' ? 'yours' : 'the workspace’s'}`
}

export function showProfile(context: CliContext, name: string, flags: ProfileFlags): Promise<ExitCode> {
  return runMcpCommand(context, {}, async (command) => {
    const { client, signal, print, printJson, notify } = command
    const query = await around(command, flags.workspace)
    const details = await client.getProfile({ params: { name }, query, signal })
    if (flags.json) printJson(details)
    else print(context.stdout.isTTY ? safeText(details.text) : details.text)
    printFaults(notify, details.file ?? name, details.faults)
    return details.faults.length > 0 ? exitCodes.failed : exitCodes.completed
  })
}

export function checkProfile(context: CliContext, file: string, flags: ProfileFlags): Promise<ExitCode> {
  return runMcpCommand(context, {}, async (command) => {
    const { client, signal, print, printJson, notify } = command
    const text = await readText(context, file)
    const body = { name: nameOf(file, flags), text, ...(await around(command, flags.workspace)) }
    const answer = await client.checkProfile({ body, signal })
    if (flags.json) printJson(answer)
    else if (answer.profile) print(`${exactLine(file)} is a valid profile\n`)
    printFaults(notify, file, answer.faults)
    return answer.profile ? exitCodes.completed : exitCodes.failed
  })
}

export async function addProfile(context: CliContext, file: string, flags: ProfileFlags): Promise<ExitCode> {
  const text = await readText(context, file)
  return runMcpCommand(context, flags, async (command) => {
    const saved = await save(command, nameOf(file, flags), text, null, flags, file)
    return reportSaved(command, saved)
  })
}

/** Until it is without errors, or the person gives up: nothing that was typed is lost on the way. */
export function editProfile(context: CliContext, name: string, flags: ProfileFlags): Promise<ExitCode> {
  if (!isInteractive(context))
    throw new CliError(
      'An editor needs a terminal. Elsewhere, use `dorkos agents add <file>`.',
      exitCodes.usage,
    )
  return runMcpCommand(context, flags, async (command) => {
    const { client, signal, asker, notify, lendTerminal } = command
    const workspace_id = await inWorkspace(command, flags.workspace)
    const origin = workspace_id === undefined ? ('owner' as const) : ('workspace' as const)
    const known = await client
      .getProfile({ params: { name }, query: { origin, ...(workspace_id && { workspace_id }) }, signal })
      .catch(unlessMissing)
    await command.signIn()
    let text = known?.text ?? newProfileText(name)
    for (;;) {
      const options = { env: context.env, folder: homeOf(context.env), signal, fileName: `${name}.md` }
      const edited = await lendTerminal(() => editText(text, options))
      if (edited === known?.text) {
        notify('Nothing was changed.\n')
        return exitCodes.completed
      }
      text = edited
      try {
        return reportSaved(command, await save(command, name, text, known?.digest ?? null, flags, name))
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'invalid_request') || !asker) throw error
        const again = await asker.ask('Edit it again? [Enter] yes  [n] no > ')
        if (again === undefined || /^n/i.test(again.trim())) return exitCodes.failed
      }
    }
  })
}

export function removeProfile(context: CliContext, name: string, flags: ProfileFlags): Promise<ExitCode> {
  return runMcpCommand(context, flags, async (command) => {
    const { client, signal, asAdmin, print } = command
    const workspace_id = await inWorkspace(command, flags.workspace)
    const query = workspace_id === undefined ? {} : { workspace_id }
    await asAdmin(() => client.deleteProfile({ params: { name }, query, signal }))
    print(`Deleted the profile ${exactLine(name)}\n`)
    return exitCodes.completed
  })
}

export function importProfile(
  context: CliContext,
  file: string | undefined,
  flags: ProfileFlags,
): Promise<ExitCode> {
  return runMcpCommand(context, flags, async (command) => {
    const { client, signal, asAdmin, style, print, printJson } = command
    const query = await around(command, flags.workspace)
    const { found } = await asAdmin(() => client.listProfileImports({ query, signal }))
    if (file === undefined) {
      if (flags.json) printJson({ found })
      else if (found.length === 0) print('No agents found that could be imported.\n')
      else print(`${renderTable(found, importColumns, Number.POSITIVE_INFINITY, style).join('\n')}\n`)
      return exitCodes.completed
    }
    const path = resolve(context.cwd, file)
    const one = found.find((each) => each.file === path)
    if (!one) throw new CliError(`${exactLine(path)} isn’t in \`dorkos agents import\`.`, exitCodes.usage)
    const body = { ...query, file: path, name: flags.name ?? one.name }
    return reportSaved(
      command,
      await asAdmin(() => client.importProfile({ body, signal })).catch(rethrow(command, path)),
    )
  })
}

const importColumns: Column<{ name: string; kind: string; exists: boolean; file: string }>[] = [
  { title: 'NAME', value: ({ name }) => name },
  { title: 'FROM', value: ({ kind }) => (kind === 'sandstorm' ? 'sandstorm' : 'Claude Code') },
  { title: 'STATE', value: ({ exists }) => (exists ? 'a profile has this name' : 'can be imported') },
  { title: 'FILE', value: ({ file }) => exactLine(file) },
]

async function save(
  command: McpCommand,
  name: string,
  text: string,
  base_digest: string | null,
  flags: ProfileFlags,
  shown: string,
): Promise<ProfileDetails> {
  const { client, signal, asAdmin } = command
  const workspace_id = await inWorkspace(command, flags.workspace)
  const body = { text, base_digest, ...(workspace_id !== undefined && { workspace_id }) }
  return asAdmin(() => client.saveProfile({ params: { name }, body, signal })).catch(rethrow(command, shown))
}

/** Every fault with its line, and then the error. */
function rethrow({ notify }: McpCommand, shown: string) {
  return (error: unknown): never => {
    const faults = error instanceof ApiError && isRecord(error.details) ? error.details.faults : undefined
    if (Array.isArray(faults)) printFaults(notify, shown, faults as ProfileFault[])
    throw error
  }
}

function reportSaved({ print }: McpCommand, { name, file }: ProfileDetails): ExitCode {
  print(`Saved the profile ${exactLine(name)}${file === undefined ? '' : ` in ${exactLine(file)}`}\n`)
  return exitCodes.completed
}

function printFaults(notify: (text: string) => void, file: string, faults: readonly ProfileFault[]): void {
  for (const { line, path, message } of faults)
    notify(`${exactLine(file)}:${line}: ${exactLine(path === undefined ? message : `${path}: ${message}`)}\n`)
}

/** The workspace that is named, or else the one around this folder, if there is one. */
async function around(command: McpCommand, wanted: string | undefined): Promise<{ workspace_id?: string }> {
  if (wanted !== undefined) return { workspace_id: (await command.workspace(wanted)).id }
  const { workspaces } = await command.client.listWorkspaces({ signal: command.signal })
  const { cwd } = command.context
  const found = workspaces
    .filter(({ path }) => cwd === path || cwd.startsWith(`${path}/`))
    .toSorted((a, b) => b.path.length - a.path.length)[0]
  return found ? { workspace_id: found.id } : {}
}

async function inWorkspace(command: McpCommand, wanted: string | undefined): Promise<string | undefined> {
  return wanted === undefined ? undefined : (await command.workspace(wanted)).id
}

async function readText({ cwd }: CliContext, file: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8')
  } catch (error) {
    throw new CliError(`${exactLine(file)} can’t be read.`, exitCodes.usage, error)
  }
}

const nameOf = (file: string, { name }: ProfileFlags) => name ?? basename(file).replace(/\.md$/, '')

function unlessMissing(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 404) return undefined
  throw error
}
