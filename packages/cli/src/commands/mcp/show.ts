/** `dorkos mcp show <name>`. */
import { type CliContext, columnsOf } from '../../context.ts'
import { type ExitCode, exitCodes } from '../../exit-codes.ts'
import { renderMcpServer } from '../../terminal/mcp/render-mcp-server.ts'
import { checkedName, type McpFlags, runMcpCommand } from './mcp-command.ts'

export function showServer(context: CliContext, name: string, flags: McpFlags): Promise<ExitCode> {
  const params = { name: checkedName(name) }
  return runMcpCommand(context, flags, async ({ client, workspace, signal, style, print, printJson }) => {
    const { id } = await workspace(flags.workspace)
    const details = await client.getMcpServer({ params, query: { workspace_id: id }, signal })
    if (flags.json) printJson(details)
    else {
      const options = { now: Date.now(), width: columnsOf(context.stdout), style }
      print(`${renderMcpServer(details, options).join('\n')}\n`)
    }
    return exitCodes.completed
  })
}
