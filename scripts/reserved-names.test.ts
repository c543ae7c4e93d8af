/** The SDK stands alone, so what the CLI keeps for itself is written down there and in `shared`: both must say the same. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isReservedServerName, normalizeName } from '../packages/claude-code-agent/src/tools/server-names.ts'
import { foldServerName, serverNameFault } from '../packages/shared/src/mcp-server-name.ts'

const sources = ['claude-code-agent/src/tools/server-names.ts', 'shared/src/mcp-server-name.ts'].map((file) =>
  readFileSync(new URL(`../packages/${file}`, import.meta.url), 'utf8'),
)
/** The names in each one's list. */
const lists = sources.map((text) => {
  const [, list = ''] = /new Set\(\[([^\]]*)\]\)/.exec(text) ?? []
  return [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name).toSorted()
})

it('names that the CLI keeps for itself are the same for the SDK and for the server', () => {
  expect(lists[0]?.length).toBeGreaterThan(0)
  expect(lists[0]).toEqual(lists[1])
  for (const name of lists[0] ?? []) {
    expect(isReservedServerName(name)).toBe(true)
    expect(serverNameFault(name)).toContain('keeps this name')
  }
})

it.each(['computer use', 'remote.devices', 'plain', 'Ünïcode', 'a__b', ''])('%j is folded alike', (name) => {
  expect(foldServerName(name)).toBe(normalizeName(name))
})
