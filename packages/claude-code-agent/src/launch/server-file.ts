/** The external MCP servers as the CLI gets them: those with headers or variables in a private file. */
import type { PrivateFiles } from './private-files.ts'

export type ExternalServers = Record<string, Record<string, unknown>>

/** The path of a file of the servers, or the servers themselves where that gives nothing away. */
export function handOverServers(servers: ExternalServers, files: PrivateFiles): ExternalServers | string {
  return holdsSecrets(servers) ? files.write('mcp.json', JSON.stringify({ mcpServers: servers })) : servers
}

function holdsSecrets(servers: ExternalServers): boolean {
  return Object.values(servers).some(({ headers, env }) => hasEntries(headers) || hasEntries(env))
}

function hasEntries(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}
