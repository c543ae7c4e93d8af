import type { McpServer } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { formatMs } from '../ui/format.ts'
import { callFigures } from './call-figures.ts'
import { groupServers, overriddenBy, totalsOf } from './group-servers.ts'
import { historyStrip } from './history-parts.ts'
import { launchLine } from './launch-line.ts'
import { openTools, realTools } from './open-tools.ts'
import {
  hasPage,
  isModules,
  isOwnEntry,
  isRunHere,
  type McpTool,
  nextTryWords,
  pageOf,
  shownState,
  switchKind,
} from './server-state.ts'
import { faultText, locationOf, shortLocation, whyUnused } from './source-text.ts'
import { fittingTools } from './tool-list.tsx'

/** As it is written in an entry. */
const variable = (name: string) => `\${${name}}`

type Health = NonNullable<McpServer['health']>

function health(change: Partial<Health> = {}): Health {
  return {
    state: 'connected',
    since: '2026-11-15T10:00:00.000Z',
    failures: 0,
    pids: [],
    own_connections: 0,
    sessions: 1,
    tools: 3,
    resources: 0,
    prompts: 0,
    context_tokens: 100,
    asks_for_input: false,
    ...change,
  }
}

function server(name: string, change: Partial<McpServer> = {}): McpServer {
  return {
    name,
    source: { scope: 'dorkos', file: '/home/ada/.dorkos/config.jsonc', line: 3 },
    entry: { type: 'stdio', command: 'npx', args: [] },
    use: 'active',
    held_tools: 0,
    ...change,
  }
}

function tool(name: string, change: Partial<McpTool> = {}): McpTool {
  return {
    name,
    full_name: `mcp__x__${name}`,
    input_schema: {},
    switched_off: false,
    pin: { status: 'pinned', held: false, hash: 'h' },
    stats: { calls: 0, errors: 0 },
    context_tokens: 10,
    ...change,
  }
}

describe('the next try', () => {
  it('is in a while, or now when its time has passed', () => {
    expect(nextTryWords(12_400)).toBe('Retrying in 13 s')
    expect(nextTryWords(200)).toBe('Retrying in 1.0 s')
    for (const past of [0, -13 * 86_400_000, Number.NaN]) expect(nextTryWords(past)).toBe('Retrying now')
  })
})

describe('state', () => {
  it.each<[string, Partial<McpServer>]>([
    ['connected', { health: health() }],
    ['not_started', {}],
    ['not_started', { health: health({ state: 'stopped' }) }],
    ['stopped', { health: health({ state: 'stopped', connect_ms: 5 }) }],
    ['left_to_cli', { entry: { type: 'stdio', command: 'x', passthrough: true } }],
    ['disabled', { use: 'filtered', reason: 'switched_off' }],
    ['disabled', { use: 'filtered', reason: 'disabled' }],
    ['unused', { use: 'filtered', reason: 'trust' }],
    ['unused', { use: 'overridden' }],
  ])('is %s', (state, change) => expect(shownState(server('a', change))).toBe(state))

  it('has a switch only where switching helps', () => {
    const user = { scope: 'user' as const, file: '/x', line: 1 }
    expect(switchKind(server('a'))).toBe('workspace')
    expect(switchKind(server('a', { use: 'filtered', reason: 'switched_off' }))).toBe('workspace')
    expect(switchKind(server('a', { use: 'filtered', reason: 'disabled' }))).toBe('entry')
    expect(switchKind(server('a', { use: 'filtered', reason: 'disabled', source: user }))).toBe('none')
    expect(switchKind(server('a', { use: 'filtered', reason: 'trust' }))).toBe('none')
    expect(switchKind(server('a', { use: 'overridden' }))).toBe('none')
  })

  it('knows own entries from the modules of the owner and from other files', () => {
    expect(isOwnEntry(server('github'))).toBe(true)
    expect(isOwnEntry(server('tools'))).toBe(true)
    const folder = { scope: 'dorkos' as const, file: '/home/ada/.dorkos/tools', line: 1 }
    expect(isOwnEntry(server('tools', { source: folder, modules: true }))).toBe(false)
    // Not by its name, nor by where it says to come from.
    const foreign = { scope: 'project' as const, file: '/w/.dorkos/tools', line: 1 }
    expect(isModules(server('tools', { source: foreign }))).toBe(false)
    expect(isModules(server('tools', { source: folder, modules: true }))).toBe(true)
    expect(isOwnEntry(server('x', { source: { scope: 'project', file: '/w/.mcp.json', line: 1 } }))).toBe(
      false,
    )
  })

  it('says what DorkOS runs itself', () => {
    expect(isRunHere(server('a'))).toBe(true)
    expect(isRunHere(server('a', { entry: { type: 'stdio', passthrough: true } }))).toBe(false)
    expect(isRunHere(server('a', { use: 'filtered' }))).toBe(false)
  })

  it('links to names that an address can hold', () => {
    expect(hasPage(server('plugin:docs:search'))).toBe(true)
    expect(hasPage(server('my server'))).toBe(true)
    for (const name of ['../x', 'a/b', 'a?b', '', '.x']) expect(hasPage(server(name))).toBe(false)
    expect(hasPage(server('x', { use: 'overridden' }))).toBe(false)
    expect(pageOf('plugin:docs:my server', 'ws_1')).toBe('/mcp/plugin:docs:my%20server?workspace=ws_1')
    expect(pageOf('a', undefined)).toBe('/mcp/a')
  })
})

describe('groups', () => {
  const servers = [
    server('ok', { health: health() }),
    server('bad', { health: health({ state: 'failed', tools: 0, context_tokens: 0 }) }),
    server('held', { health: health(), held_tools: 2 }),
    server('off', { use: 'filtered', reason: 'switched_off' }),
    server('far', { use: 'filtered', reason: 'scope' }),
    server('ok', {
      use: 'overridden',
      source: { scope: 'user', file: '/u', line: 9 },
      overridden_by: { scope: 'dorkos', file: '/home/ada/.dorkos/config.jsonc', line: 3 },
    }),
  ]

  it('puts what needs a look first, and what is not used apart', () => {
    const { used, unused } = groupServers(servers)
    expect(used.map(({ name }) => name)).toEqual(['bad', 'held', 'ok', 'off'])
    expect(unused.map(({ name }) => name)).toEqual(['far', 'ok'])
  })

  it('counts what sessions get', () => {
    expect(totalsOf(servers)).toEqual({
      active: 3,
      connected: 2,
      off: 1,
      tools: 6,
      contextTokens: 200,
      held: 2,
    })
  })

  it('finds what a server overrides by its source', () => {
    const [first] = servers
    expect(first && overriddenBy(first, servers).map(({ source }) => source.file)).toEqual(['/u'])
    expect(overriddenBy(server('ok', { source: { scope: 'user', file: '/v', line: 3 } }), servers)).toEqual(
      [],
    )
  })
})

describe('words', () => {
  it('shows locations whole and short', () => {
    expect(locationOf({ file: '/a/b', line: 4 })).toBe('/a/b:4')
    expect(locationOf({ file: '/a/b' })).toBe('/a/b')
    expect(shortLocation({ file: '/projects/ada/shop/.mcp.json', line: 2 })).toBe('…/shop/.mcp.json:2')
    expect(shortLocation({ file: '/a/b', line: 2 })).toBe('/a/b:2')
  })

  it('says why a server is not used', () => {
    const by = { scope: 'project' as const, file: '/w/.mcp.json', line: 7 }
    expect(whyUnused(server('a', { use: 'overridden', overridden_by: by }))).toContain('/w/.mcp.json:7')
    expect(whyUnused(server('a', { use: 'filtered', message: 'The workspace isn’t trusted.' }))).toBe(
      'The workspace isn’t trusted.',
    )
  })

  it('says the name of an entry once', () => {
    expect(faultText({ name: 'a', message: 'a: no command' })).toBe('a: no command')
    expect(faultText({ name: 'a', message: 'no command' })).toBe('a: no command')
    expect(faultText({ message: 'not JSON' })).toBe('not JSON')
  })

  it('puts in quotes what a reader could take for two words', () => {
    expect(launchLine({ type: 'stdio', command: 'npx', args: ['-y', 'a b', '', variable('X')] })).toBe(
      `npx -y "a b" "" ${variable('X')}`,
    )
    expect(launchLine({ type: 'http', url: 'https://x' })).toBe('https://x')
  })

  it('shows milliseconds', () => {
    expect([0.44, 8.26, 94.6, 1400, 12_345].map(formatMs)).toEqual([
      '0.4 ms',
      '8.3 ms',
      '95 ms',
      '1.4 s',
      '12 s',
    ])
  })
})

describe('calls', () => {
  it('takes the middle by how often each tool was called, and the slowest tail', () => {
    const stats = [
      { calls: 1, errors: 1, p50_ms: 500, p95_ms: 500 },
      { calls: 10, errors: 0, p50_ms: 20, p95_ms: 90 },
      { calls: 3, errors: 0, p50_ms: 40, p95_ms: 60 },
      { calls: 0, errors: 0 },
    ]
    expect(callFigures(stats.map((one) => tool('x', { stats: one })))).toEqual({
      calls: 14,
      errors: 1,
      p50Ms: 20,
      p95Ms: 500,
    })
    expect(callFigures([])).toEqual({ calls: 0, errors: 0, p50Ms: undefined, p95Ms: undefined })
  })
})

describe('tools', () => {
  const tools = [
    tool('get', { description: 'Reads an issue' }),
    tool('issue_list', { title: 'All of them' }),
    tool('#instructions', { pin: { status: 'changed', held: true, hash: 'h' } }),
  ]

  it('are found by all words, names first', () => {
    expect(fittingTools(tools, 'ISSUE').map(({ name }) => name)).toEqual(['issue_list', 'get'])
    expect(fittingTools(tools, 'issue reads').map(({ name }) => name)).toEqual(['get'])
    expect(fittingTools(tools, ' ')).toHaveLength(3)
    expect(fittingTools(tools, 'nothing')).toEqual([])
  })

  it('wait for a person until they are as accepted; instructions are none', () => {
    expect(openTools(tools).map(({ name }) => name)).toEqual(['#instructions'])
    expect(realTools(tools).map(({ name }) => name)).toEqual(['get', 'issue_list'])
  })
})

describe('history', () => {
  const at = (seconds: number) => new Date(1_000_000 + seconds * 1000).toISOString()

  it('makes a part of each state, up to the next or to now', () => {
    const strip = historyStrip(
      [
        { state: 'pending', time: at(0) },
        { state: 'failed', time: at(2), reason: 'x' },
        { state: 'connected', time: at(62) },
      ],
      1_000_000 + 122_000,
    )
    expect(strip?.parts.map(({ tone, label, from, to }) => [tone, label, to - from])).toEqual([
      ['running', 'Starting, 2.0 s', 2000],
      ['danger', 'Failed, 1 min', 60_000],
      ['ok', 'Connected, 1 min', 60_000],
    ])
    expect([strip?.from, strip?.to]).toEqual([1_000_000, 1_122_000])
  })

  it('holds with clocks that differ, broken times, and nothing', () => {
    expect(historyStrip([], 5)).toBeUndefined()
    expect(historyStrip([{ state: 'failed', time: 'never' }], 5)).toBeUndefined()
    const ahead = historyStrip([{ state: 'connected', time: at(10) }], 1_000_000)
    expect((ahead?.to ?? 0) - (ahead?.from ?? 0)).toBe(1000)
  })
})
