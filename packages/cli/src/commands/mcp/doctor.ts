/** `dorkos mcp doctor`: each MCP server that is not fine, what is wrong with it, and what to do. */
import { join } from 'node:path'
import type { McpServer, McpServerDetails } from '@dorkos/shared'
import type { CliContext } from '../../context.ts'
import { type ExitCode, exitCodes } from '../../exit-codes.ts'
import { homeOf } from '../../server-files.ts'
import { isLeftToCli } from '../../terminal/mcp/mcp-mark.ts'
import { renderDiagnosis } from '../doctor.ts'
import { diagnoseList, diagnoseServer, type McpDiagnosis } from './diagnose-servers.ts'
import { findProgram } from './find-program.ts'
import { type McpCommand, type McpFlags, runMcpCommand } from './mcp-command.ts'

export function mcpDoctor(context: CliContext, flags: McpFlags): Promise<ExitCode> {
  return runMcpCommand(context, flags, async (command) => {
    const { client, signal, style, print, printJson } = command
    const workspace = await command.workspace(flags.workspace)
    const { state } = await client.getWorkspaceTrust({ params: { id: workspace.id }, signal })
    const list = await client.listMcpServers({ query: { workspace_id: workspace.id }, signal })
    const known = { configFile: join(homeOf(context.env), 'config.jsonc'), findProgram: findHere(context) }
    const found = diagnoseList({ ...workspace, trust: state }, list, known)
    for (const server of list.servers.filter(({ use }) => use === 'active'))
      found.push(...diagnoseServer(await detailsOf(command, server, workspace.id), known))
    if (flags.json) printJson(found)
    else print(renderDiagnosis(found.length === 0 ? [allFine(list.servers)] : found, style))
    return found.some(({ state }) => state === 'fault') ? exitCodes.failed : exitCodes.completed
  })
}

async function detailsOf(
  { client, signal }: McpCommand,
  server: McpServer,
  workspaceId: string,
): Promise<Pick<McpServerDetails, 'server' | 'faults' | 'stderr'>> {
  if (!server.health) return { server, faults: [], stderr: [] }
  return client.getMcpServer({ params: { name: server.name }, query: { workspace_id: workspaceId }, signal })
}

function findHere({ env }: CliContext) {
  return (command: string) => findProgram(command, env.PATH)
}

function allFine(servers: readonly McpServer[]): McpDiagnosis {
  const idle = servers.filter((one) => one.use === 'active' && !one.health && !isLeftToCli(one)).length
  const waiting = idle === 0 ? '' : `; ${idle} not started yet (try one with \`dorkos mcp test <name>\`)`
  return { check: 'MCP servers', state: 'ok', detail: `no problems found${waiting}` }
}
