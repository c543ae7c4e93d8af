/** The MCP server `dorkos`: made once at the start, and given to every session. */
import { type AnySdkTool, createSdkMcpServer, type SdkMcpServer, tool } from 'claude-code-agent'
import { createProposeCommitHandler } from '../../core/tools/commit-tools.ts'
import { createGetConfigHandler, createSetConfigHandler } from '../../core/tools/config-tools.ts'
import { createGetCostsHandler } from '../../core/tools/cost-tools.ts'
import type { McpToolDeps, ServerToolDeps } from '../../core/tools/mcp-tool-deps.ts'
import { createGetServerInfoHandler, handleGetServerInfo, handlePing } from '../../core/tools/server-tools.ts'
import {
  createGetSessionCountHandler,
  createGetSessionDetailsHandler,
  createListActiveSessionsHandler,
  createListSessionsHandler,
} from '../../core/tools/session-tools.ts'
import { toolDefinitions as about, dorkosServerName } from '../../core/tools/tool-definitions.ts'

export function createDorkOsToolServer(deps: McpToolDeps): SdkMcpServer {
  const { server } = deps
  return createSdkMcpServer({
    name: dorkosServerName,
    version: '1.0.0',
    // They are few: the model should not have to search for them.
    alwaysLoad: true,
    tools: [
      tool('ping', about.ping.description, about.ping.shape, handlePing, extras('ping')),
      tool(
        'get_server_info',
        about.get_server_info.description,
        about.get_server_info.shape,
        server ? createGetServerInfoHandler(server) : handleGetServerInfo,
        extras('get_server_info'),
      ),
      tool(
        'get_session_count',
        about.get_session_count.description,
        about.get_session_count.shape,
        createGetSessionCountHandler(deps),
        extras('get_session_count'),
      ),
      ...(server ? serverTools(server) : []),
    ],
  })
}

function serverTools(deps: ServerToolDeps): AnySdkTool[] {
  return [
    tool(
      'list_sessions',
      about.list_sessions.description,
      about.list_sessions.shape,
      createListSessionsHandler(deps),
      extras('list_sessions'),
    ),
    tool(
      'get_session_details',
      about.get_session_details.description,
      about.get_session_details.shape,
      createGetSessionDetailsHandler(deps),
      extras('get_session_details'),
    ),
    tool(
      'list_active_sessions',
      about.list_active_sessions.description,
      about.list_active_sessions.shape,
      createListActiveSessionsHandler(deps),
      extras('list_active_sessions'),
    ),
    tool(
      'get_config',
      about.get_config.description,
      about.get_config.shape,
      createGetConfigHandler(deps),
      extras('get_config'),
    ),
    tool(
      'set_config',
      about.set_config.description,
      about.set_config.shape,
      createSetConfigHandler(deps),
      extras('set_config'),
    ),
    tool(
      'get_costs',
      about.get_costs.description,
      about.get_costs.shape,
      createGetCostsHandler(deps),
      extras('get_costs'),
    ),
    tool(
      'propose_commit_message',
      about.propose_commit_message.description,
      about.propose_commit_message.shape,
      createProposeCommitHandler(deps),
      extras('propose_commit_message'),
    ),
  ]
}

function extras(name: keyof typeof about) {
  return { annotations: about[name].annotations }
}
