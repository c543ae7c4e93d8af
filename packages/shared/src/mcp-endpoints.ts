/** The part of the endpoint table that is about MCP servers and the owner's own tools. */
import { z } from 'zod'
import { sessionParams } from './endpoint-fields.ts'
import { recordIdSchema } from './ids.ts'
import {
  mcpCallSchema,
  mcpExportSchema,
  mcpImportableSchema,
  mcpListSchema,
  mcpServerDetailsSchema,
  mcpServerSchema,
  mcpSignInStepSchema,
  mcpSwitchSchema,
  newMcpServersSchema,
  toolModuleSchema,
} from './mcp.ts'
import { mcpEntrySchema, mcpSharingSchema } from './mcp-entry.ts'

/** Names in other programs’ files may hold more than those that DorkOS takes itself. */
const server = z.object({ name: z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}_.:@ -]{0,127}$/u) })
/** Which servers there are depends on the workspace; without one, it is the main one. */
const workspaceQuery = z.strictObject({ workspace_id: recordIdSchema.optional() })
const workspaceBody = z.strictObject({ workspace_id: recordIdSchema.optional() })

export const mcpEndpoints = {
  listMcpServers: {
    method: 'GET',
    path: '/api/mcp/servers',
    summary: 'MCP servers of a workspace: source, health, and why some are not used',
    scope: 'read',
    query: workspaceQuery,
    response: mcpListSchema,
  },
  getMcpServer: {
    method: 'GET',
    path: '/api/mcp/servers/:name',
    summary: 'One MCP server with its tools, history and last output',
    scope: 'read',
    params: server,
    query: workspaceQuery,
    response: mcpServerDetailsSchema,
  },
  addMcpServers: {
    method: 'POST',
    path: '/api/mcp/servers',
    summary: 'Add servers to DorkOS’s configuration, also from a pasted snippet',
    scope: 'admin',
    body: newMcpServersSchema,
    response: z.object({
      added: z.array(z.string()),
      faults: z.array(z.string()),
      fill_in: z.array(z.string()),
    }),
    status: 201,
  },
  changeMcpServer: {
    method: 'PATCH',
    path: '/api/mcp/servers/:name',
    summary:
      'Replace the entry of a server in DorkOS’s configuration, disable it there, or leave it to the CLI',
    scope: 'admin',
    params: server,
    body: z.union([
      z.strictObject({ entry: mcpEntrySchema }),
      z.strictObject({ disabled: z.boolean() }),
      z.strictObject({ passthrough: z.boolean() }),
    ]),
    response: mcpServerSchema,
  },
  removeMcpServer: {
    method: 'DELETE',
    path: '/api/mcp/servers/:name',
    summary: 'Take a server out of DorkOS’s configuration',
    scope: 'admin',
    params: server,
  },
  testMcpServer: {
    method: 'POST',
    path: '/api/mcp/servers/:name/test',
    summary: 'Start the server unless it runs, and wait until it is connected or has failed',
    scope: 'admin',
    params: server,
    body: workspaceBody,
    response: mcpServerDetailsSchema,
  },
  reconnectMcpServer: {
    method: 'POST',
    path: '/api/mcp/servers/:name/reconnect',
    summary: 'End the server and start it anew',
    scope: 'admin',
    params: server,
    body: workspaceBody,
    response: mcpServerDetailsSchema,
  },
  beginMcpSignIn: {
    method: 'POST',
    path: '/api/mcp/servers/:name/sign-in',
    summary: 'Begin to sign in to a server (OAuth): where to send the person',
    scope: 'admin',
    params: server,
    body: z.strictObject({
      workspace_id: recordIdSchema.optional(),
      /** Back to the page (`/mcp-sign-in` under one of this server's own names), or to a program on this machine. */
      redirect_uri: z.url().max(500),
      /** Of a program that was registered by hand, where the authorization server takes no others. */
      client_id: z.string().min(1).max(500).optional(),
      client_secret: z.string().min(1).max(2000).optional(),
      /** With `client_id`: whom it was registered with, as `needs_client` says. Nobody else gets the secret. */
      issuer: z.string().min(1).max(2000).optional(),
    }),
    response: mcpSignInStepSchema,
  },
  finishMcpSignIn: {
    method: 'POST',
    path: '/api/mcp/sign-ins',
    summary: 'Finish a sign-in with what the authorization server sent back, and connect the server',
    scope: 'admin',
    body: z.strictObject({
      state: z.string().min(1).max(200),
      code: z.string().min(1).max(4000).optional(),
      iss: z.string().max(500).optional(),
      /** Instead of `code`: why the authorization server refused. */
      error: z.string().max(200).optional(),
      error_description: z.string().max(1000).optional(),
    }),
    response: z.object({
      name: z.string(),
      workspace_id: recordIdSchema.optional(),
      details: mcpServerDetailsSchema,
    }),
  },
  endMcpSignIn: {
    method: 'DELETE',
    path: '/api/mcp/servers/:name/sign-in',
    summary: 'Sign out of a server: its tokens are revoked where that can be, and forgotten',
    scope: 'admin',
    params: server,
    query: workspaceQuery,
  },
  callMcpTool: {
    method: 'POST',
    path: '/api/mcp/servers/:name/call',
    summary: 'Call one tool of a server and see what it gives: for trying it, written to the audit log',
    scope: 'admin',
    params: server,
    body: z.strictObject({
      workspace_id: recordIdSchema.optional(),
      tool: z.string().min(1).max(128),
      input: z.record(z.string(), z.unknown()).default({}),
    }),
    response: mcpCallSchema,
  },
  acceptMcpTools: {
    method: 'POST',
    path: '/api/mcp/servers/:name/accept',
    summary: 'Accept tools that are new or have changed, as they were shown',
    scope: 'admin',
    params: server,
    body: z.strictObject({
      workspace_id: recordIdSchema.optional(),
      tools: z.array(z.strictObject({ name: z.string().max(128), hash: z.string().max(128) })).max(2000),
    }),
    response: mcpServerDetailsSchema,
  },
  switchMcp: {
    method: 'POST',
    path: '/api/mcp/switches',
    summary: 'Switch a server or one tool off or on, for a workspace or a session',
    scope: 'admin',
    body: mcpSwitchSchema,
  },
  shareMcpServer: {
    method: 'POST',
    path: '/api/mcp/servers/:name/sharing',
    summary: 'Choose for a workspace whether its sessions share a server’s process',
    scope: 'admin',
    params: server,
    body: z.strictObject({ workspace_id: recordIdSchema.optional(), sharing: mcpSharingSchema }),
    response: mcpServerSchema,
  },
  listMcpImports: {
    method: 'GET',
    path: '/api/mcp/imports',
    summary: 'Servers in the files of other programs on this machine',
    scope: 'admin',
    query: workspaceQuery,
    response: mcpImportableSchema,
  },
  importMcpServers: {
    method: 'POST',
    path: '/api/mcp/imports',
    summary: 'Copy servers from another program’s file into DorkOS’s configuration',
    scope: 'admin',
    body: z.strictObject({
      file: z.string().max(4096),
      /** As they were shown. */
      servers: z
        .array(z.strictObject({ name: z.string().max(128), hash: z.string().max(128) }))
        .min(1)
        .max(200),
      workspace_id: recordIdSchema.optional(),
    }),
    response: z.object({
      added: z.array(z.string()),
      faults: z.array(z.string()),
      fill_in: z.array(z.string()),
    }),
    status: 201,
  },
  exportMcpServers: {
    method: 'GET',
    path: '/api/mcp/export',
    summary: 'Servers as other programs take them, without secrets',
    scope: 'read',
    query: workspaceQuery,
    response: mcpExportSchema,
  },
  getSessionMcp: {
    method: 'GET',
    path: '/api/sessions/:id/mcp',
    summary: 'The MCP servers of a session, used or not and why',
    scope: 'read',
    params: sessionParams,
    response: mcpListSchema,
  },
  listToolModules: {
    method: 'GET',
    path: '/api/tool-modules',
    summary: 'The owner’s own tools, by folder, with what does not load',
    scope: 'read',
    query: workspaceQuery,
    response: z.object({ folders: z.array(toolModuleSchema) }),
  },
} as const
