/** Entries of MCP servers that others wrote, as npm installs them. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ServerEntry } from '../../src/server-entry.ts'
import { type PlainOptions, stdioEntry } from './gateway-fixture.ts'

const require = createRequire(import.meta.url)

export function realEntry(
  server: 'everything' | 'filesystem' | 'memory',
  args: string[] = [],
  options: PlainOptions = {},
): ServerEntry {
  const folder = dirname(require.resolve(`@modelcontextprotocol/server-${server}/package.json`))
  return stdioEntry(process.execPath, [join(folder, 'dist/index.js'), ...args], { name: server, ...options })
}
