/** `dorkos mcp export`: the servers of a workspace as other programs take them, without secrets. */
import type { CliContext } from '../../context.ts'
import { type ExitCode, exitCodes } from '../../exit-codes.ts'
import { exactLine, safeJson } from '../../terminal/escape.ts'
import { type McpFlags, runMcpCommand } from './mcp-command.ts'

export function exportServers(context: CliContext, flags: McpFlags): Promise<ExitCode> {
  return runMcpCommand(context, flags, async ({ client, workspace, signal, print, notify }) => {
    const { id } = await workspace(flags.workspace)
    const { mcpServers, fill_in } = await client.exportMcpServers({ query: { workspace_id: id }, signal })
    print(`${safeJson({ mcpServers }, 2)}\n`)
    for (const gap of fill_in) notify(`To fill in: ${exactLine(gap)}\n`)
    return exitCodes.completed
  })
}
