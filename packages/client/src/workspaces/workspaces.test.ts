import type { TrustItem } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { patchRows } from '../render/diff-lines.ts'
import { languageOf } from './language-of.ts'
import { groupItems } from './trust-panel.tsx'
import { allowedUnasked, launches } from './trust-words.ts'
import { whatLoads } from './what-loads.ts'

describe('whatLoads', () => {
  it.each([
    [
      'main, host, trusted',
      true,
      'host',
      true,
      'user project local',
      'dorkosHost local project user settings plugin',
      'own workspace',
    ],
    ['main, host', true, 'host', false, 'user', 'dorkosHost user settings', 'own'],
    ['other, host, trusted', false, 'host', true, 'project local', 'dorkosHost project', 'own workspace'],
    ['other, host', false, 'host', false, '', 'dorkosHost', 'own'],
    ['container, trusted', false, 'container', true, 'project', 'dorkosContainer project', ''],
    ['container', false, 'container', false, '', 'dorkosContainer', ''],
    ['main in a container', true, 'container', false, '', 'dorkosContainer', ''],
  ] as const)('%s', (_, main, mode, trusted, settings, servers, modules) => {
    const loads = whatLoads({ main, mode }, trusted)
    expect(loads.settings.join(' ')).toBe(settings)
    expect(loads.servers.join(' ')).toBe(servers)
    expect(loads.modules.join(' ')).toBe(modules)
  })

  it('gives nothing more without trust than with it', () => {
    for (const main of [true, false])
      for (const mode of ['host', 'container'] as const) {
        const trusted = whatLoads({ main, mode }, true)
        const without = whatLoads({ main, mode }, false)
        for (const part of ['settings', 'servers', 'modules'] as const)
          for (const one of without[part]) expect(trusted[part]).toContain(one)
      }
  })
})

it('groups by kind, and leaves nothing out', () => {
  const item = (kind: TrustItem['kind'], path: string): TrustItem => ({ kind, path, runs: [] })
  const items = [
    item('file', 'a'),
    item('server', 'b'),
    item('script', 'c'),
    item('server', 'd'),
    item('tool', 'e'),
    item('settings', 'f'),
  ]
  const groups = groupItems(items)
  expect(groups.map(({ kind }) => kind)).toEqual(['server', 'settings', 'tool', 'script', 'file'])
  expect(groups.flatMap((group) => group.items)).toHaveLength(items.length)
})

it('sums up what settings allow without asking, and owns up where it cannot', () => {
  const settings = (text: string | undefined, more: Partial<TrustItem> = {}): TrustItem => ({
    kind: 'settings',
    path: '.claude/settings.json',
    runs: [],
    ...(text !== undefined && { text }),
    ...more,
  })
  const allow = JSON.stringify({ permissions: { allow: ['Bash(npm test:*)', 'Read', 5], deny: ['Write'] } })
  expect(allowedUnasked(settings(allow))).toEqual(['Bash(npm test:*)', 'Read', '5'])
  expect(allowedUnasked(settings('{"permissions":{}}'))).toEqual([])
  expect(allowedUnasked(settings('[]'))).toEqual([])
  expect(allowedUnasked(settings(allow, { kind: 'file' }))).toEqual([])
  expect(allowedUnasked(settings(allow, { cut: true }))).toBeUndefined()
  expect(allowedUnasked(settings('{ // a note'))).toBeUndefined()
  expect(allowedUnasked(settings(undefined))).toBeUndefined()
  expect(allowedUnasked(settings('{"permissions":{"allow":"Bash"}}'))).toBeUndefined()
})

it('distinguishes an address from a command, and no command passes for an address', () => {
  const connects = 'connects to https://example.org/mcp'
  const item = (entry: unknown, runs = [connects]): TrustItem => ({
    kind: 'server',
    path: '.mcp.json',
    name: 'x',
    runs,
    text: typeof entry === 'string' ? entry : JSON.stringify(entry),
  })
  const address = { addresses: ['https://example.org/mcp'], commands: [] }
  const url = 'https://example.org/mcp'
  expect(launches(item({ url }))).toEqual(address)
  expect(launches(item({ type: 'sse', url }))).toEqual(address)
  expect(launches(item({ url }, [connects, 'NODE_OPTIONS: ./x.cjs']))).toMatchObject({
    commands: ['NODE_OPTIONS: ./x.cjs'],
  })
  for (const entry of [
    { command: 'connects', args: ['to', url] },
    { command: 'connects', args: ['to', url], url },
    { type: 'stdio', command: 'connects', args: ['to', url], url },
    '{"url": "https://exa',
  ])
    expect(launches(item(entry))).toEqual({ addresses: [], commands: [connects] })
  expect(launches({ ...item({ url }), kind: 'settings' }).commands).toEqual([connects])
})

it('knows a language by the ending', () => {
  expect(languageOf({ kind: 'server', path: '.mcp.json' })).toBe('json')
  expect(languageOf({ kind: 'file', path: '.claude/agents/a.MD' })).toBe('markdown')
  expect(languageOf({ kind: 'script', path: 'run.sh' })).toBe('bash')
  expect(languageOf({ kind: 'script', path: 'constructor' })).toBeUndefined()
  expect(languageOf({ kind: 'script', path: 'x.constructor' })).toBeUndefined()
})

it('reads the diff of something that trust covers, with the numbers of its lines', () => {
  const diff = ['@@ -2,3 +2,2 @@', ' b', '-c', ' ---', '@@ -9,0 +9,2 @@', '+@@ x', '+'].join('\n')
  const rows = patchRows(diff)?.sections.map((section) =>
    section.rows.map(({ before = '', after = '', text }) => `${before}|${after}|${text}`),
  )
  expect(rows).toEqual([
    ['2|2|b', '3||c', '4|3|---'],
    ['|9|@@ x', '|10|'],
  ])
})
