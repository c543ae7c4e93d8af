/** `dorkos mcp share`: whether the sessions of a workspace share a server's process. */
import type { McpSharing } from '@dorkos/shared'
import type { CliContext } from '../../context.ts'
import { type ExitCode, exitCodes } from '../../exit-codes.ts'
import { exactLine } from '../../terminal/escape.ts'
import { sharingWords } from '../../terminal/mcp/render-mcp-server.ts'
import { checkedName, type McpFlags, runMcpCommand } from './mcp-command.ts'

export function shareServer(
  context: CliContext,
  name: string,
  sharing: McpSharing,
  flags: McpFlags,
): Promise<ExitCode> {
  checkedName(name)
  return runMcpCommand(context, flags, async ({ client, workspace, signal, asAdmin, print, printJson }) => {
    const chosen = await workspace(flags.workspace)
    const body = { workspace_id: chosen.id, sharing }
    const server = await asAdmin(() => client.shareMcpServer({ params: { name }, body, signal }))
    if (flags.json) printJson(server)
    else if (server.sharing)
      print(
        `${exactLine(name)} in the workspace ${exactLine(chosen.name)}: ${sharingWords(server.sharing)}\n`,
      )
    return exitCodes.completed
  })
}
