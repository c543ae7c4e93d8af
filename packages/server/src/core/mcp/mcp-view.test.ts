import { emptyCatalogue } from '@dorkos/mcp-gateway'
import type { McpServer } from '@dorkos/shared'
import { expect, it } from 'vitest'
import { toDetails } from './mcp-view.ts'

const server: McpServer = {
  name: 'files',
  source: { scope: 'user', file: '/home/ada/.claude.json', line: 3 },
  entry: { type: 'stdio', command: 'npx', args: [] },
  use: 'active',
  held_tools: 0,
}

it.each<[unknown, unknown]>([
  [
    { readOnlyHint: true, openWorldHint: false, title: 'x' },
    { read_only: true, open_world: false },
  ],
  [{ destructiveHint: true, readOnlyHint: 'yes' }, { destructive: true }],
  [{ idempotentHint: true }, undefined],
  [['readOnlyHint'], undefined],
  [undefined, undefined],
])('of the annotations %j of a tool, the hints are %j', (annotations, hints) => {
  const catalogue = { ...emptyCatalogue, tools: [{ name: 'read', inputSchema: {}, annotations }] }
  const known = { status: undefined, catalogue, pins: [], isOwn: false, signIn: {} }
  expect(toDetails(server, known, () => false).tools[0]?.hints).toEqual(hints)
})
