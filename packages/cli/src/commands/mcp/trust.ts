/** `dorkos mcp trust`: shows exactly what would run in a workspace, and trusts it as it was shown. */
import type { Workspace, WorkspaceTrust } from '@dorkos/shared'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { type ExitCode, exitCodes } from '../../exit-codes.ts'
import { exactLine } from '../../terminal/escape.ts'
import { renderTrust } from '../../terminal/mcp/render-trust.ts'
import { shownArgv } from '../../terminal/shown-argv.ts'
import { workspaceLine } from './list.ts'
import { agree, type McpCommand, type McpFlags, runMcpCommand } from './mcp-command.ts'

export interface TrustFlags extends McpFlags {
  yes?: boolean
  digest?: string
  revoke?: boolean
  /** Also the texts of the files. */
  text?: boolean
}

export function trustWorkspace(context: CliContext, flags: TrustFlags): Promise<ExitCode> {
  if (flags.yes && flags.digest === undefined)
    throw new CliError(
      '`--yes` needs `--digest <digest>`: run `dorkos mcp trust` first, review what it shows, and pass the digest at the end.',
      exitCodes.usage,
    )
  return runMcpCommand(context, flags, async (command) => {
    const workspace = await command.workspace(flags.workspace)
    if (flags.revoke) return revoke(command, workspace)
    const { client, signal } = command
    const trust = await client.getWorkspaceTrust({ params: { id: workspace.id }, signal })
    if (!flags.json) {
      const lines = renderTrust(trust, { withText: flags.text === true, style: command.style })
      const heading = workspaceLine({ ...workspace, trust: trust.state }, command.style)
      command.print(`${[heading, ...lines, '', `digest ${exactLine(trust.digest)}`].join('\n')}\n`)
    }
    return give(command, workspace, trust, flags)
  })
}

async function revoke(
  { client, asAdmin, signal, print }: McpCommand,
  { id, name }: Workspace,
): Promise<ExitCode> {
  await asAdmin(() => client.takeWorkspaceTrust({ params: { id }, signal }))
  print(`The workspace ${exactLine(name)} is no longer trusted\n`)
  return exitCodes.completed
}

async function give(
  command: McpCommand,
  workspace: Workspace,
  trust: WorkspaceTrust,
  flags: TrustFlags,
): Promise<ExitCode> {
  const { client, asAdmin, signal, notify, print } = command
  const { digest, faults, state } = trust
  if (flags.digest !== undefined && flags.digest !== digest) {
    notify('The workspace has changed and no longer matches that digest. Review it again.\n')
    return exitCodes.failed
  }
  const mayGive = state !== 'trusted' && faults.length === 0
  if (flags.json && !(flags.yes && mayGive)) {
    command.printJson(trust)
    return flags.yes && faults.length > 0 ? exitCodes.failed : exitCodes.completed
  }
  if (!mayGive) return faults.length > 0 ? exitCodes.failed : exitCodes.completed
  if (!flags.yes && !(await isWanted(command, workspace, digest)))
    return signal.aborted ? exitCodes.interrupted : exitCodes.failed
  const call = { params: { id: workspace.id }, body: { digest }, signal }
  const trusted = await asAdmin(() => client.giveWorkspaceTrust(call))
  if (flags.json) command.printJson(trusted)
  else print(`The workspace ${exactLine(workspace.name)} is trusted as shown\n`)
  return exitCodes.completed
}

async function isWanted(command: McpCommand, { name }: Workspace, digest: string): Promise<boolean> {
  if (!command.asker) {
    const line = shownArgv(['--workspace', name, '--yes', '--digest', digest])
    command.notify(`To trust it as shown: dorkos mcp trust ${line}\n`)
    return false
  }
  if (await agree(command, `Trust ${exactLine(name)} as shown?`)) return true
  command.notify('Not trusted.\n')
  return false
}
