/** MCP servers. */
import type { McpService } from '../../core/services.ts'
import type { Handlers } from '../route.ts'

export function mcpRoutes(mcp: McpService) {
  return {
    listMcpServers: ({ actor, query }) => mcp.list(actor, query.workspace_id),
    getMcpServer: ({ actor, params, query }) => mcp.get(actor, params.name, query.workspace_id),
    addMcpServers: ({ actor, body }) => mcp.add(actor, body),
    changeMcpServer: ({ actor, params, body }) => mcp.change(actor, params.name, body),
    removeMcpServer: ({ actor, params }) => mcp.remove(actor, params.name),
    testMcpServer: ({ actor, params, body }) => mcp.test(actor, params.name, body.workspace_id),
    reconnectMcpServer: ({ actor, params, body }) => mcp.reconnect(actor, params.name, body.workspace_id),
    beginMcpSignIn: ({ actor, params, body }) => mcp.beginSignIn(actor, params.name, body),
    finishMcpSignIn: ({ actor, body }) => mcp.finishSignIn(actor, body),
    endMcpSignIn: ({ actor, params, query }) => mcp.endSignIn(actor, params.name, query.workspace_id),
    callMcpTool: ({ actor, params, body }) => mcp.call(actor, params.name, body),
    acceptMcpTools: ({ actor, params, body }) => mcp.accept(actor, params.name, body),
    switchMcp: ({ actor, body }) => mcp.switch(actor, body),
    shareMcpServer: ({ actor, params, body }) => mcp.share(actor, params.name, body),
    listMcpImports: ({ actor, query }) => mcp.imports(actor, query.workspace_id),
    importMcpServers: ({ actor, body }) => mcp.import(actor, body),
    exportMcpServers: ({ actor, query }) => mcp.export(actor, query.workspace_id),
    getSessionMcp: ({ actor, params }) => mcp.ofSession(actor, params.id),
    listToolModules: ({ actor, query }) => mcp.toolModules(actor, query.workspace_id),
  } satisfies Partial<Handlers>
}
