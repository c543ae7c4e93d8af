/** `dorkos mcp accept <name> [tool…]`: tools that are new or have changed, once somebody has looked. */
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { type ExitCode, exitCodes } from '../../exit-codes.ts'
import { exactLine } from '../../terminal/escape.ts'
import { count } from '../../terminal/mcp/render-mcp-list.ts'
import { type McpTool, renderToolChange } from '../../terminal/mcp/render-mcp-tool.ts'
import { agree, checkedName, type McpFlags, runMcpCommand } from './mcp-command.ts'

export interface AcceptFlags extends McpFlags {
  yes?: boolean
}

/** What is accepted is what was shown: the hashes go along. */
export function acceptTools(
  context: CliContext,
  name: string,
  names: readonly string[],
  flags: AcceptFlags,
): Promise<ExitCode> {
  const params = { name: checkedName(name) }
  return runMcpCommand(context, flags, async (command) => {
    const { client, signal, asAdmin, style, print, notify } = command
    const { id } = await command.workspace(flags.workspace)
    const { tools } = await client.getMcpServer({ params, query: { workspace_id: id }, signal })
    const chosen = choose(tools, names, name)
    if (chosen.length === 0) {
      print(`${exactLine(name)} has nothing to review.\n`)
      return exitCodes.completed
    }
    print(`${chosen.flatMap((tool) => renderToolChange(tool, style)).join('\n')}\n`)
    if (!flags.yes && !command.asker) {
      notify('There’s no terminal to ask on. Use `--yes` to accept what is shown.\n')
      return exitCodes.failed
    }
    if (!flags.yes && !(await agree(command, `Accept ${count(chosen.length, 'tool')} as shown?`))) {
      notify('Nothing accepted.\n')
      return signal.aborted ? exitCodes.interrupted : exitCodes.failed
    }
    const seen = chosen.map((tool) => ({ name: tool.name, hash: tool.pin.hash }))
    await asAdmin(() => client.acceptMcpTools({ params, body: { workspace_id: id, tools: seen }, signal }))
    print(`Accepted ${count(chosen.length, 'tool')} of ${exactLine(name)}\n`)
    return exitCodes.completed
  })
}

function choose(tools: readonly McpTool[], names: readonly string[], server: string): McpTool[] {
  const open = tools.filter(({ pin }) => pin.status !== 'pinned')
  const unknown = names.filter((wanted) => !open.some(({ name }) => name === wanted))
  if (unknown.length > 0)
    throw new CliError(
      `${exactLine(server)} has no new or changed tool named ${unknown.map(exactLine).join(', ')}.`,
      exitCodes.usage,
    )
  return names.length === 0 ? open : open.filter(({ name }) => names.includes(name))
}
