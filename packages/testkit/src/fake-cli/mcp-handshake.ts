import type { HostRequests } from './host-requests.ts'
import type { JsonObject } from './scenario.ts'

const protocolVersion = '2025-11-25'

/** What is known of a server once it is connected. */
export interface McpServerFacts {
  serverInfo: unknown
  tools: JsonObject[]
}

/** The MCP handshake over the control channel: initialize (id 0), initialized, tools/list (id 1). */
export async function handshake(
  requests: HostRequests,
  server: string,
  version: string,
): Promise<McpServerFacts> {
  const clientInfo = { name: 'claude-code', title: 'Claude Code', version }
  const params = { protocolVersion, capabilities: {}, clientInfo }
  const { serverInfo } = await call(requests, server, { method: 'initialize', params, id: 0 })
  await call(requests, server, { method: 'notifications/initialized' })
  return { serverInfo, tools: await listTools(requests, server, 1) }
}

export async function listTools(requests: HostRequests, server: string, id: number): Promise<JsonObject[]> {
  const { tools } = await call(requests, server, { method: 'tools/list', id })
  return (tools ?? []) as JsonObject[]
}

async function call(requests: HostRequests, server: string, message: JsonObject): Promise<JsonObject> {
  const answer = await requests.mcp(server, message, 'handshake')
  if (answer.outcome !== 'answered') throw new Error(answer.outcome === 'error' ? answer.error : 'no answer')
  const response = (answer.response.mcp_response ?? {}) as { result?: JsonObject; error?: JsonObject }
  if (response.error !== undefined) throw new Error(String(response.error.message))
  return response.result ?? {}
}

/** A manifest is used as by the real CLI: only if it names the protocol version that would be asked for. */
export function readManifest(manifest: unknown): McpServerFacts | 'malformed' | 'protocol_version_mismatch' {
  const { initializeResult, toolsListResult } = manifest as Record<string, JsonObject | undefined>
  if (initializeResult === undefined) return 'malformed'
  if (initializeResult.protocolVersion !== protocolVersion) return 'protocol_version_mismatch'
  const tools = (toolsListResult?.tools ?? []) as JsonObject[]
  return { serverInfo: initializeResult.serverInfo, tools }
}
