/** `dorkos workspaces list | add | remove`. */
import { resolve } from 'node:path'
import type { Workspace } from '@dorkos/shared'
import type { CliContext } from '../context.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import type { CodeFlag } from '../read-code.ts'
import { exactLine } from '../terminal/escape.ts'
import { count } from '../terminal/mcp/render-mcp-list.ts'
import { shownArgv } from '../terminal/shown-argv.ts'
import { type Column, renderTable } from '../terminal/table.ts'
import { trustWords, workspaceLine } from './mcp/list.ts'
import { type McpCommand, runMcpCommand } from './mcp/mcp-command.ts'

export interface AddWorkspaceFlags {
  name?: string
  container?: boolean
  main?: boolean
  json?: boolean
  code?: CodeFlag
}

export function listWorkspaces(context: CliContext, flags: { json?: boolean }): Promise<ExitCode> {
  return runMcpCommand(context, {}, async ({ client, signal, style, print, printJson }) => {
    const { workspaces } = await client.listWorkspaces({ signal })
    if (flags.json) printJson({ workspaces })
    else print(`${renderTable(workspaces, columns, Number.POSITIVE_INFINITY, style).join('\n')}\n`)
    return exitCodes.completed
  })
}

const columns: Column<Workspace>[] = [
  { title: 'NAME', value: ({ name }) => exactLine(name) },
  { title: 'TRUST', value: ({ trust }) => trustWords[trust] },
  {
    title: 'KIND',
    value: ({ main, mode }) =>
      [...(main ? ['main'] : []), ...(mode === 'container' ? ['container'] : [])].join(', '),
  },
  { title: 'FOLDER', value: ({ path }) => exactLine(path) },
]

export function addWorkspace(context: CliContext, path: string, flags: AddWorkspaceFlags): Promise<ExitCode> {
  const body = {
    path: resolve(context.cwd, path),
    ...(flags.name !== undefined && { name: flags.name }),
    ...(flags.main && { main: true }),
    ...(flags.container && { mode: 'container' as const }),
  }
  return runMcpCommand(context, flags, async (command) => {
    const { client, signal, asAdmin, style, print, printJson } = command
    const workspace = await asAdmin(() => client.createWorkspace({ body, signal }))
    if (flags.json) printJson(workspace)
    else print(`Added ${workspaceLine(workspace, style)}\n`)
    await hintAtTrust(command, workspace)
    return exitCodes.completed
  })
}

/** Only where trust would change something. */
async function hintAtTrust({ client, signal, notify }: McpCommand, { id, name }: Workspace): Promise<void> {
  const { state, items } = await client.getWorkspaceTrust({ params: { id }, signal })
  if (state === 'trusted' || items.length === 0) return
  notify(
    `It contains ${count(items.length, 'item')} (servers, settings, hooks, tools) that load only once you trust it. Review them: dorkos mcp trust --workspace ${shownArgv([name])}\n`,
  )
}

export function removeWorkspace(
  context: CliContext,
  wanted: string,
  flags: { code?: CodeFlag },
): Promise<ExitCode> {
  return runMcpCommand(context, flags, async ({ client, signal, asAdmin, print, workspace }) => {
    const { id, name, path } = await workspace(wanted)
    await asAdmin(() => client.deleteWorkspace({ params: { id }, signal }))
    print(`Removed the workspace ${exactLine(name)}; ${exactLine(path)} stays on disk\n`)
    return exitCodes.completed
  })
}
