/** `dorkos mcp enable | disable`: a server or one tool of it, for a workspace or a session. */
import type { McpList } from '@dorkos/shared'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { type ExitCode, exitCodes } from '../../exit-codes.ts'
import { chooseSession } from '../../session/choose-session.ts'
import { exactLine } from '../../terminal/escape.ts'
import { locationOf } from '../../terminal/mcp/render-mcp-list.ts'
import { checkedName, type McpCommand, type McpFlags, runMcpCommand } from './mcp-command.ts'

export interface SwitchFlags extends McpFlags {
  tool?: string
  session?: string
}

export function switchServer(
  context: CliContext,
  name: string,
  off: boolean,
  flags: SwitchFlags,
): Promise<ExitCode> {
  checkedName(name)
  return runMcpCommand(context, flags, async (command) => {
    const { client, signal, asAdmin, print, notify } = command
    const target = await targetOf(command, flags)
    const known = (await target.list()).servers.find((one) => one.name === name)
    if (!known)
      throw new CliError(
        `There’s no MCP server ${exactLine(name)} here; \`dorkos mcp list\` shows them.`,
        exitCodes.usage,
      )
    const tool = flags.tool === undefined ? {} : { tool: flags.tool }
    await asAdmin(() => client.switchMcp({ body: { ...target.body, server: name, ...tool, off }, signal }))
    const what = flags.tool === undefined ? exactLine(name) : `${exactLine(flags.tool)} of ${exactLine(name)}`
    print(`Turned ${what} ${off ? 'off' : 'on'} for ${target.words}\n`)
    if (!off) warnUnused(await target.list(), name, notify)
    return exitCodes.completed
  })
}

interface SwitchTarget {
  body: { workspace_id: string } | { session_id: string }
  words: string
  list(): Promise<McpList>
}

async function targetOf(
  { client, workspace, signal }: McpCommand,
  flags: SwitchFlags,
): Promise<SwitchTarget> {
  if (flags.session === undefined) {
    const { id, name } = await workspace(flags.workspace)
    return {
      body: { workspace_id: id },
      words: `the workspace ${exactLine(name)}`,
      list: () => client.listMcpServers({ query: { workspace_id: id }, signal }),
    }
  }
  if (flags.workspace !== undefined)
    throw new CliError('Use either --workspace or --session, not both.', exitCodes.usage)
  const { id } = await chooseSession(client, flags.session)
  return {
    body: { session_id: id },
    words: `the session ${id}`,
    list: () => client.getSessionMcp({ params: { id }, signal }),
  }
}

/** Something else than a switch keeps it from agents. */
function warnUnused({ servers }: McpList, name: string, notify: McpCommand['notify']): void {
  const named = servers.filter((one) => one.name === name)
  const [first] = named
  if (!first || named.some(({ use }) => use === 'active')) return
  notify(`It still isn’t used: ${exactLine(first.message ?? first.use)} (${locationOf(first.source)})\n`)
}
