/** MCP servers. */
import type { McpService } from '../../core/services.ts'
import type { Handlers } from '../route.ts'

export function mcpRoutes(mcp: McpService) {
  return {
    listMcpServers: ({ query }) => mcp.list(query.workspace_id),
    getMcpServer: ({ params, query }) => mcp.get(params.name, query.workspace_id),
    addMcpServers: ({ caller, body }) => mcp.add(caller, body),
    changeMcpServer: ({ caller, params, body }) => mcp.change(caller, params.name, body),
    removeMcpServer: ({ caller, params }) => mcp.remove(caller, params.name),
    testMcpServer: ({ caller, params, body }) => mcp.test(caller, params.name, body.workspace_id),
    reconnectMcpServer: ({ caller, params, body }) => mcp.reconnect(caller, params.name, body.workspace_id),
    beginMcpSignIn: ({ caller, params, body }) => mcp.beginSignIn(caller, params.name, body),
    finishMcpSignIn: ({ caller, body }) => mcp.finishSignIn(caller, body),
    endMcpSignIn: ({ caller, params, query }) => mcp.endSignIn(caller, params.name, query.workspace_id),
    callMcpTool: ({ caller, params, body }) => mcp.call(caller, params.name, body),
    acceptMcpTools: ({ caller, params, body }) => mcp.accept(caller, params.name, body),
    switchMcp: ({ caller, body }) => mcp.switch(caller, body),
    listMcpImports: ({ query }) => mcp.imports(query.workspace_id),
    importMcpServers: ({ caller, body }) => mcp.import(caller, body),
    exportMcpServers: ({ query }) => mcp.export(query.workspace_id),
    getSessionMcp: ({ params }) => mcp.ofSession(params.id),
    listToolModules: ({ query }) => mcp.toolModules(query.workspace_id),
  } satisfies Partial<Handlers>
}
