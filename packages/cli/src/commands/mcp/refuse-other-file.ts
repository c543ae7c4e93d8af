/** Where a server is that DorkOS's configuration does not have. */
import { CliError } from '../../cli-error.ts'
import { exitCodes } from '../../exit-codes.ts'
import { exactLine } from '../../terminal/escape.ts'
import { locationOf } from '../../terminal/mcp/render-mcp-list.ts'
import { shownArgv } from '../../terminal/shown-argv.ts'
import type { McpCommand } from './mcp-command.ts'

/** Refuses what other files have, with the location; `todo` says what to do there. What is nowhere, the API refuses. */
export async function refuseOfOtherFile(
  { client, signal }: McpCommand,
  name: string,
  todo: string,
): Promise<void> {
  const { workspaces } = await client.listWorkspaces({ signal })
  const locations = new Set<string>()
  for (const { id } of workspaces) {
    const { servers, faults } = await client.listMcpServers({ query: { workspace_id: id }, signal })
    const named = servers.filter((one) => one.name === name)
    const broken = faults.filter((one) => one.name === name)
    if ([...named.map(({ source }) => source), ...broken].some(({ scope }) => scope === 'dorkos')) return
    for (const { source } of named) locations.add(locationOf(source))
  }
  if (locations.size === 0) return
  throw new CliError(
    `${exactLine(name)} is not in DorkOS’s configuration but in ${[...locations].join(' and ')}: ${todo} there, or keep it from agents: dorkos mcp disable ${shownArgv([name])}`,
    exitCodes.failed,
  )
}
