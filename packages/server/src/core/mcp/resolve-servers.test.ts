import type { McpScope } from '@dorkos/shared'
import { foldServerName } from '@dorkos/shared'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FoundServer, type McpEntry, type McpPolicy, mcpScopes } from './found-server.ts'
import { type ResolveInput, resolveServers, type WorkspaceRights } from './resolve-servers.ts'

/** Of the plugins below. */
const plugins = ['/p', '/q']
const main: WorkspaceRights = { main: true, mode: 'host', trusted: true, plugins }
const stdio = (command: string, ...args: string[]): McpEntry => ({ type: 'stdio', command, args, env: {} })
const remote = (url: string): McpEntry => ({ type: 'http', url, headers: {} })
const server = (scope: McpScope, name = 's', entry: McpEntry = stdio(`${scope}-${name}`)): FoundServer => ({
  name,
  scope,
  file: `/${scope}`,
  line: 1,
  entry,
  ...(scope === 'plugin' && { plugin: { name: 'p', root: '/p', data: '/data/p' } }),
})
const label = ({ scope, name }: FoundServer) => `${scope}/${name}`

function resolve(
  found: FoundServer[],
  more: Partial<Omit<ResolveInput, 'policy'>> & { policy?: Partial<McpPolicy> } = {},
) {
  const { policy, ...rest } = more
  const { active, overridden, filtered } = resolveServers({
    found,
    workspace: main,
    switchedOff: { servers: new Set() },
    ...rest,
    policy: { disabledProject: [], denied: [], ...policy },
  })
  return {
    active: active.map(label),
    overridden: overridden.map(({ server: weaker, by }) => `${label(weaker)} by ${label(by)}`),
    filtered: filtered.map(({ server: out, reason }) => `${label(out)}: ${reason}`),
    sentences: filtered.map(({ sentence }) => sentence.message),
  }
}

describe('who gets what', () => {
  const all = mcpScopes.map((scope) => server(scope, scope === 'dorkos' ? 'own' : scope))
  const inContainers = server('dorkos', 'boxed', { ...stdio('boxed'), modes: ['container'] })
  const everywhere = server('dorkos', 'both', { ...stdio('both'), modes: ['host', 'container'] })
  const found = [...all, inContainers, everywhere]

  it.each<[string, WorkspaceRights, string[], string[]]>([
    [
      'main, host, trusted',
      { main: true, mode: 'host', trusted: true, plugins },
      [
        'dorkos/own',
        'dorkos/both',
        'local/local',
        'project/project',
        'user/user',
        'settings/settings',
        'plugin/plugin',
      ],
      ['dorkos/boxed: mode'],
    ],
    [
      'main, host, not trusted',
      { main: true, mode: 'host', trusted: false, plugins },
      ['dorkos/own', 'dorkos/both', 'user/user', 'settings/settings'],
      ['local/local: trust', 'project/project: trust', 'plugin/plugin: trust', 'dorkos/boxed: mode'],
    ],
    [
      'other, host, trusted',
      { main: false, mode: 'host', trusted: true, plugins },
      ['dorkos/own', 'dorkos/both', 'project/project'],
      [
        'local/local: scope',
        'user/user: scope',
        'settings/settings: scope',
        'plugin/plugin: scope',
        'dorkos/boxed: mode',
      ],
    ],
    [
      'other, host, not trusted',
      { main: false, mode: 'host', trusted: false, plugins },
      ['dorkos/own', 'dorkos/both'],
      [
        'local/local: scope',
        'project/project: trust',
        'user/user: scope',
        'settings/settings: scope',
        'plugin/plugin: scope',
        'dorkos/boxed: mode',
      ],
    ],
    [
      'main, container, trusted',
      { main: true, mode: 'container', trusted: true, plugins },
      ['dorkos/boxed', 'dorkos/both', 'project/project'],
      [
        'dorkos/own: mode',
        'local/local: mode',
        'user/user: mode',
        'settings/settings: mode',
        'plugin/plugin: mode',
      ],
    ],
    [
      'other, container, not trusted',
      { main: false, mode: 'container', trusted: false, plugins },
      ['dorkos/boxed', 'dorkos/both'],
      [
        'dorkos/own: mode',
        'local/local: scope',
        'project/project: trust',
        'user/user: scope',
        'settings/settings: scope',
        'plugin/plugin: scope',
      ],
    ],
  ])('%s', (_name, workspace, active, filtered) => {
    const resolved = resolve(found, { workspace })
    expect(new Set(resolved.active)).toEqual(new Set(active))
    expect(new Set(resolved.filtered)).toEqual(new Set(filtered))
    expect(resolved.overridden).toEqual([])
  })

  it('lets nothing that is filtered out override anything', () => {
    const servers = [server('local'), server('project'), server('user')]
    const workspace = { ...main, trusted: false, plugins }
    expect(resolve(servers, { workspace })).toMatchObject({ active: ['user/s'], overridden: [] })
  })
})

describe('precedence', () => {
  it('leaves out servers of a plugin that nobody allowed', () => {
    const found = [server('plugin'), server('user', 'u')]
    expect(resolve(found, { workspace: { ...main, plugins: ['/q'] } })).toMatchObject({
      active: ['user/u'],
      filtered: ['plugin/s: plugin'],
    })
  })

  it('goes from DorkOS’s own down to plugins, and names what was overridden by what', () => {
    const servers = mcpScopes.map((scope) => server(scope)).reverse()
    expect(resolve(servers)).toMatchObject({
      active: ['dorkos/s'],
      overridden: mcpScopes.slice(1).map((scope) => `${scope}/s by dorkos/s`),
    })
  })

  it('compares names as the CLI folds them', () => {
    expect(resolve([server('user', 'a.b'), server('project', 'a b'), server('user', 'A.b')])).toMatchObject({
      active: ['project/a b', 'user/A.b'],
      overridden: ['user/a.b by project/a b'],
    })
  })

  it('takes the first of two in one scope', () => {
    const [first, second] = [server('plugin', 's', stdio('1')), server('plugin', 's', stdio('2'))]
    expect(resolve([first, second]).overridden).toEqual(['plugin/s by plugin/s'])
  })

  it('takes a plugin’s server for one that is started alike, but not for one of another plugin’s own files', () => {
    const path = `\${CLAUDE_PLUGIN_ROOT}/s.js`
    const inPlugin = (name: string): FoundServer => ({
      ...server('plugin', `plugin:${name}:s`, stdio('node', path)),
      plugin: { name, root: `/${name}`, data: `/data/${name}` },
    })
    const same = server('plugin', 'plugin:p:same', stdio('x', 'y'))
    const url = server('plugin', 'plugin:p:url', remote('https://a.example'))
    const mine = [
      server('user', 'mine', stdio('x', 'y')),
      server('user', 'there', remote('https://a.example')),
    ]
    expect(resolve([inPlugin('p'), inPlugin('q'), same, url, ...mine])).toMatchObject({
      active: ['user/mine', 'user/there', 'plugin/plugin:p:s', 'plugin/plugin:q:s'],
      overridden: ['plugin/plugin:p:same by user/mine', 'plugin/plugin:p:url by user/there'],
    })
  })
})

describe('what people switched off', () => {
  it('keeps its name taken', () => {
    const servers = [server('project', 'git.hub'), server('user', 'git.hub')]
    expect(resolve(servers, { switchedOff: { servers: new Set(['git hub']) } })).toMatchObject({
      active: [],
      filtered: ['project/git.hub: switched_off'],
      overridden: ['user/git.hub by project/git.hub'],
    })
  })

  it('keeps its name taken in DorkOS’s own configuration, too', () => {
    const off = server('dorkos', 's', { ...stdio('x'), disabled: true })
    expect(resolve([off, server('user')])).toMatchObject({
      active: [],
      filtered: ['dorkos/s: disabled'],
      overridden: ['user/s by dorkos/s'],
    })
  })

  it('is off when it was switched off in a terminal, whatever its scope; DorkOS’s own entries are not', () => {
    const policy = { disabled: ['s', 'own'] }
    expect(resolve([server('project'), server('user'), server('dorkos', 'own')], { policy })).toMatchObject({
      active: ['dorkos/own'],
      filtered: ['project/s: disabled'],
      overridden: ['user/s by project/s'],
    })
  })
})

describe('policy', () => {
  it('says no to a project’s server and yes to the user’s own of that name', () => {
    const policy = { disabledProject: ['s'], enabledProject: ['s'] }
    expect(resolve([server('project'), server('user')], { policy })).toMatchObject({
      active: ['user/s'],
      filtered: ['project/s: disabled'],
    })
  })

  it('takes of a project only what is enabled, unless all is', () => {
    const servers = [server('project', 'a'), server('project', 'b'), server('user', 'c')]
    expect(resolve(servers, { policy: { enabledProject: ['a'] } })).toMatchObject({
      active: ['project/a', 'user/c'],
      filtered: ['project/b: not_enabled'],
    })
    expect(resolve(servers, { policy: { enabledProject: [] } }).active).toEqual(['user/c'])
    expect(resolve(servers, { policy: { enabledProject: ['a'], enableAllProject: true } }).filtered).toEqual(
      [],
    )
  })

  it('denies by name, by exact command, and by address', () => {
    const servers = [
      server('user', 'by.name'),
      server('user', 'command', stdio('npx', '-y', 'bad')),
      server('user', 'longer', stdio('npx', '-y', 'bad', 'x')),
      server('user', 'url', remote('https://mcp.bad.example/x?y')),
      server('dorkos', 'ours', remote('https://MCP.bad.example')),
    ]
    const denied = [
      { serverName: 'by name', file: '/etc/managed.json' },
      { serverCommand: ['npx', '-y', 'bad'] },
      { serverUrl: 'https://*.bad.example/*' },
    ]
    const resolved = resolve(servers, { policy: { denied } })
    expect(resolved.active).toEqual(['user/longer'])
    expect(resolved.sentences[0]).toBe('deniedMcpServers in /etc/managed.json denies it.')
  })

  it('denies what would run, not only what is written', () => {
    const hidden = server('user', 'hidden', stdio(`\${X:-npx}`, 'bad'))
    const policy = { denied: [{ serverCommand: ['npx', 'bad'] }] }
    expect(resolve([hidden], { policy }).active).toHaveLength(1)
    expect(resolve([hidden], { policy, expanded: () => stdio('npx', 'bad') }).filtered).toEqual([
      'user/hidden: denied',
    ])
  })

  it('allows by name, and only by command or address once a list names one', () => {
    const servers = [server('user', 'a', stdio('x')), server('user', 'b', remote('https://b.example/mcp'))]
    const allow = (...allowed: NonNullable<McpPolicy['allowed']>) =>
      resolve(servers, { policy: { allowed } }).active
    expect(allow([])).toEqual([])
    expect(allow([{ serverName: 'a' }])).toEqual(['user/a'])
    expect(allow([{ serverName: 'a' }, { serverCommand: ['y'] }])).toEqual([])
    expect(allow([{ serverName: 'b' }, { serverCommand: ['x'] }])).toEqual(['user/a', 'user/b'])
    expect(allow([{ serverName: 'b' }, { serverUrl: 'https://c.example/*' }])).toEqual([])
    expect(allow([{ serverUrl: 'https://*.example/*' }, { serverName: 'a' }])).toEqual(['user/a', 'user/b'])
    expect(allow([{ serverName: 'a' }, { serverName: 'b' }], [{ serverName: 'b' }])).toEqual(['user/b'])
  })

  it.each([
    ['https://*.good.example/*', 'https://bad.example/x.good.example/', false],
    ['https://*.good.example/*', 'https://bad.example?.good.example/', false],
    ['https://*.good.example/*', 'https://bad.example#.good.example/', false],
    ['https://*.good.example/*', 'https://a.good.example:8443/', false],
    ['https://*.good.example/*', 'http://a.good.example/', false],
    ['https://good.example/*', 'https://good.example.bad.example/', false],
    ['https://good.example/*', 'https://GOOD.example:443/a/../b?c', true],
    ['https://good.example', 'https://good.example', true],
    ['https://good.example', 'https://good.example/x', false],
    ['https://good.example:443/mcp', 'https://good.example/mcp', true],
    ['*://127.0.0.1:*/mcp', 'http://127.0.0.1:9000/mcp', true],
    ['https://good.example/a*a', 'https://good.example/a', false],
    ['https://good.example/a*b*a', 'https://good.example/axbya', true],
    ['*', 'https://good.example/', false],
  ])('allows by %s: %s %s', (serverUrl, url, yes) => {
    const { active } = resolve([server('user', 's', remote(url))], { policy: { allowed: [[{ serverUrl }]] } })
    expect(active.length === 1).toBe(yes)
  })

  it.each(['*', '*bad*', 'https://bad.example/*', 'https://BAD.example/*', 'https://*/*'])(
    'denies by %s',
    (serverUrl) => {
      const found = [server('user', 's', remote('https://Bad.example/mcp'))]
      expect(resolve(found, { policy: { denied: [{ serverUrl }] } }).active).toEqual([])
    },
  )
})

it('takes no longer for a pattern that is made to keep it busy', () => {
  const found = [server('user', 's', remote(`https://a.example/${'a'.repeat(4000)}`))]
  const serverUrl = `*${'a*'.repeat(3000)}b`
  expect(resolve(found, { policy: { denied: [{ serverUrl }] } }).active).toHaveLength(1)
})

describe('always', () => {
  const names = fc.constantFrom('a', 'b', 'a.b', 'a_b', 'a b', 'dorkos', 'DORKOS', 'dork.os')
  const entries: fc.Arbitrary<McpEntry> = fc.oneof(
    fc.constantFrom(stdio('x'), stdio('x', 'y'), remote('https://a.example/')),
    fc.record({
      type: fc.constant('stdio' as const),
      command: fc.constantFrom('x', 'z'),
      args: fc.constant([]),
      env: fc.constant({}),
      modes: fc.constantFrom(['host' as const], ['container' as const]),
      disabled: fc.boolean(),
    }),
  )
  const servers = fc.array(
    fc
      .tuple(fc.constantFrom(...mcpScopes), names, entries)
      .map(([scope, name, entry]) => server(scope, name, entry)),
    { maxLength: 12 },
  )
  const list = fc.array(names, { maxLength: 3 })
  const matchers = fc.array(
    fc.oneof(
      names.map((serverName) => ({ serverName })),
      fc.constantFrom({ serverCommand: ['x'] }, { serverUrl: 'https://*/*' }),
    ),
    { maxLength: 3 },
  )
  const policies = fc.record(
    {
      enabledProject: list,
      disabledProject: list,
      enableAllProject: fc.boolean(),
      disabled: list,
      allowed: fc.array(matchers, { maxLength: 2 }),
      denied: matchers,
    },
    { requiredKeys: ['disabledProject', 'denied'] },
  )
  const rights = fc.record({
    main: fc.boolean(),
    mode: fc.constantFrom('host', 'container'),
    trusted: fc.boolean(),
    plugins: fc.constant(plugins),
  })

  it('puts every server in exactly one list, no name twice in use, dorkos never', () => {
    fc.assert(
      fc.property(servers, policies, rights, list, (found, policy, workspace, off) => {
        const resolved = resolveServers({ found, policy, workspace, switchedOff: { servers: new Set(off) } })
        const landed = [
          ...resolved.active,
          ...resolved.overridden.map((item) => item.server),
          ...resolved.filtered.map((item) => item.server),
        ]
        expect(landed).toHaveLength(found.length)
        expect(new Set(landed)).toEqual(new Set(found))
        const folded = resolved.active.map(({ name }) => foldServerName(name))
        expect(new Set(folded).size).toBe(folded.length)
        expect(folded.map((name) => name.toLowerCase())).not.toContain('dorkos')
        // Whoever overrides is in use, or was turned off by name; never something that was filtered for its own sake.
        const holding = resolved.filtered.filter(
          ({ reason }) => reason === 'switched_off' || reason === 'disabled',
        )
        const strong = new Set([...resolved.active, ...holding.map((item) => item.server)])
        for (const { server: weaker, by } of resolved.overridden) {
          expect(strong).toContain(by)
          expect(mcpScopes.indexOf(by.scope)).toBeLessThanOrEqual(mcpScopes.indexOf(weaker.scope))
        }
        if (!workspace.trusted) expect(resolved.active.map(({ scope }) => scope)).not.toContain('project')
      }),
      { numRuns: 2000 },
    )
  })
})

describe('what a workspace says', () => {
  const found = [
    server('dorkos', 'github'),
    server('user', 'notes'),
    server('project', 'github'),
    server('project', 'own'),
  ]

  it.each([
    [
      'denies',
      { allowed: [], denied: [{ serverName: 'github' }, { serverName: 'notes' }, { serverName: 'own' }] },
    ],
    ['allows nothing', { allowed: [[]], denied: [] }],
  ])('%s: that is about its own servers alone', (_what, ofWorkspace) => {
    const { active, filtered } = resolve(found, { policy: { ofWorkspace } })
    expect(active).toEqual(['dorkos/github', 'user/notes'])
    expect(filtered.map((one) => one.split(':')[0])).toEqual(['project/github', 'project/own'])
  })
})
