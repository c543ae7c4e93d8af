import type { TrustItem } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { languageOf } from './language-of.ts'
import { groupItems } from './trust-groups.ts'
import { trustHunk } from './trust-hunk.ts'
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

it('knows a language by the ending', () => {
  expect(languageOf({ kind: 'server', path: '.mcp.json' })).toBe('json')
  expect(languageOf({ kind: 'file', path: '.claude/agents/a.MD' })).toBe('markdown')
  expect(languageOf({ kind: 'script', path: 'run.sh' })).toBe('bash')
  expect(languageOf({ kind: 'script', path: 'constructor' })).toBeUndefined()
  expect(languageOf({ kind: 'script', path: 'x.constructor' })).toBeUndefined()
})

describe('trustHunk', () => {
  it('counts from the line that both sides begin with', () => {
    expect(trustHunk('@@ line 4 @@\n ---\n-old\n+new\n ')).toEqual({
      oldStart: 4,
      newStart: 4,
      lines: [' ---', '-old', '+new', ' '],
    })
  })

  it.each([
    ['lines are left out', '@@ line 1 @@\n-a\n…\n+b'],
    ['it has another head', '@@ -1,2 +1,2 @@\n-a\n+b'],
    ['it is empty', ''],
  ])('has no numbers where %s', (_, diff) => expect(trustHunk(diff)).toBeUndefined())
})
