/**
 * Keeps the secrets of external MCP servers off the command line, which every user of the machine can read: servers
 * with headers or variables are handed over in a private file that is removed once the CLI has read it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type ExternalServers = Record<string, Record<string, unknown>>

export interface ServerFile {
  path: string
  remove(): void
}

export function holdsSecrets(servers: ExternalServers): boolean {
  return Object.values(servers).some(({ headers, env }) => hasEntries(headers) || hasEntries(env))
}

/** In a folder of its own that only this user can enter. */
export function writeServerFile(servers: ExternalServers): ServerFile {
  const folder = mkdtempSync(join(tmpdir(), 'claude-code-agent-'))
  const path = join(folder, 'mcp.json')
  writeFileSync(path, JSON.stringify({ mcpServers: servers }), { mode: 0o600, flag: 'wx' })
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

function hasEntries(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}
