/** `dorkos mcp list`. */
import type { McpList, Workspace } from '@dorkos/shared'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { type ExitCode, exitCodes } from '../../exit-codes.ts'
import { chooseSession } from '../../session/choose-session.ts'
import { exactLine } from '../../terminal/escape.ts'
import { renderMcpList } from '../../terminal/mcp/render-mcp-list.ts'
import { shownArgv } from '../../terminal/shown-argv.ts'
import type { Style } from '../../terminal/style.ts'
import { type McpCommand, type McpFlags, runMcpCommand } from './mcp-command.ts'

export interface McpListFlags extends McpFlags {
  session?: string
}

export function listServers(context: CliContext, flags: McpListFlags): Promise<ExitCode> {
  return runMcpCommand(context, flags, async (command) => {
    const { style } = command
    const { heading, list, hint } = await (flags.session === undefined
      ? ofWorkspace(command, flags.workspace)
      : ofSession(command, flags.session, flags.workspace))
    if (flags.json) command.printJson(list)
    else command.print(`${[heading, ...renderMcpList(list, Date.now(), style), ...hint].join('\n')}\n`)
    return exitCodes.completed
  })
}

async function ofWorkspace({ client, workspace, signal, style }: McpCommand, wanted: string | undefined) {
  const found = await workspace(wanted)
  // Checks the files now: what the list says of trust is then true now.
  const { state } = await client.getWorkspaceTrust({ params: { id: found.id }, signal })
  const list = await client.listMcpServers({ query: { workspace_id: found.id }, signal })
  const checked = { ...found, trust: state }
  return { heading: workspaceLine(checked, style), list, hint: trustHint(checked, list) }
}

async function ofSession({ client, signal, style }: McpCommand, id: string, workspace: string | undefined) {
  if (workspace !== undefined)
    throw new CliError('A session already has a workspace. Leave out --workspace.', exitCodes.usage)
  const session = await chooseSession(client, id)
  const list = await client.getSessionMcp({ params: { id: session.id }, signal })
  return { heading: style.dim(`session ${session.id} in ${exactLine(session.cwd)}`), list, hint: [] }
}

/** Which workspace it is about, and whether its own servers count. */
export function workspaceLine(
  { name, path, trust, mode }: Pick<Workspace, 'name' | 'path' | 'trust' | 'mode'>,
  style: Style,
): string {
  const container = mode === 'container' ? ', in a container' : ''
  return style.dim(`workspace ${exactLine(name)}, ${exactLine(path)}: ${trustWords[trust]}${container}`)
}

export const trustWords: Record<Workspace['trust'], string> = {
  trusted: 'trusted',
  untrusted: 'not trusted',
  changed: 'changed since it was trusted',
}

function trustHint({ name, trust }: Pick<Workspace, 'name' | 'trust'>, { servers }: McpList): string[] {
  const isHeld = trust === 'changed' || servers.some(({ reason }) => reason === 'trust')
  return isHeld
    ? [
        '',
        `Review what the workspace would run, and trust it: dorkos mcp trust --workspace ${shownArgv([name])}`,
      ]
    : []
}
