import type { McpScope } from '@dorkos/shared'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeHealth, describeServers, type HealthRow } from './describe-servers.ts'
import type { FoundServer } from './found-server.ts'

const secret = 'sk-very-secret'

const server = (scope: McpScope, name: string, file = `/files/${scope}.json`, line = 3): FoundServer => ({
  name,
  scope,
  file,
  line,
  entry: { type: 'stdio', command: secret, args: [secret], env: { TOKEN: secret } },
})

it('describes each source in a section of its own', () => {
  const remote: FoundServer = {
    ...server('user', 'remote'),
    entry: { type: 'http', url: `https://${secret}@a.example/`, headers: { Authorization: secret } },
  }
  const lines = describeServers({
    active: [
      { server: server('dorkos', 'github'), plan: { kind: 'bridged' } },
      { server: server('local', 'notes', '/home/ada/.claude.json', 40) },
      { server: server('settings', 'old') },
      { server: remote, plan: { kind: 'passthrough' } },
      { server: server('project', 'db') },
      { server: server('plugin', 'plugin:tools:find') },
    ],
    overridden: [{ server: server('user', 'github'), by: server('dorkos', 'github') }],
    filtered: [
      { server: server('project', 'my server'), sentence: { message: 'The workspace isn’t trusted.' } },
    ],
    faults: [
      { file: '/w/.mcp.json', line: 7, scope: 'project', name: 'bad', reason: 'it has no command' },
      { file: '/w/.mcp.json', scope: 'project', reason: 'it is not JSON' },
    ],
  })
  expect(lines).toEqual([
    'Configured (DorkOS):',
    '  github (DorkOS: /files/dorkos.json:3)',
    'Global:',
    '  notes (local: /home/ada/.claude.json:40)',
    '  old (settings.json, which Claude Code itself does not read: /files/settings.json:3)',
    '  remote (user: /files/user.json:3), left to Claude Code',
    'Project:',
    '  db (project: /files/project.json:3)',
    'Plugins:',
    '  plugin:tools:find (plugin: /files/plugin.json:3)',
    'Overridden:',
    '  github (user: /files/user.json:3) by github (DorkOS: /files/dorkos.json:3)',
    'Filtered out:',
    '  "my server" (project: /files/project.json:3): The workspace isn’t trusted.',
    'Faults:',
    '  bad (/w/.mcp.json:7): it has no command',
    '  /w/.mcp.json: it is not JSON',
  ])
  expect(lines.join('\n')).not.toContain(secret)
})

it('leaves out sections with nothing in them, and says that there is nothing at all', () => {
  const nothing = { active: [], overridden: [], filtered: [] }
  expect(describeServers(nothing)).toEqual(['No MCP servers.'])
  expect(describeServers({ ...nothing, active: [{ server: server('project', 'db') }] })).toEqual([
    'Project:',
    '  db (project: /files/project.json:3)',
  ])
})

it('says how servers do, and how many are connected of those that should be', () => {
  expect(
    describeHealth([
      { name: 'github', state: 'connected', ms: 341.6, tools: 12, error: 'of an earlier try' },
      { name: 'one', state: 'connected', tools: 1 },
      { name: 'broken', state: 'failed', ms: 20, error: 'spawn nothing ENOENT', tools: 0 },
      { name: 'remote', state: 'needs_auth', error: 'The server answered 401.' },
      { name: 'slow', state: 'pending' },
      { name: 'later', state: 'stopped' },
      { name: 'off', state: 'disabled' },
    ]),
  ).toEqual([
    '[OK] github: 12 tools, 342 ms',
    '[OK] one: 1 tool',
    '[FAILED] broken: spawn nothing ENOENT, 20 ms',
    '[NEEDS AUTH] remote: The server answered 401.',
    '[PENDING] slow',
    '[PENDING] later',
    '[DISABLED] off',
    '2 of 6 connected, 1 disabled',
  ])
  expect(describeHealth([{ name: 'a', state: 'connected' }]).at(-1)).toBe('1 of 1 connected')
  expect(describeHealth([])).toEqual([])
})

it('lets no name, file or error begin another line or hide a part of one', () => {
  const nasty = 'x\n[OK] evil: 3 tools\r\u2028\u0085\u001b[2K\u202e\u200b\0\ud800'
  const lines = [
    ...describeServers({
      active: [{ server: server('user', nasty, `/a/${nasty}`) }],
      overridden: [{ server: server('user', nasty), by: server('dorkos', nasty) }],
      filtered: [{ server: server('user', nasty), sentence: { message: nasty } }],
      faults: [{ file: nasty, scope: 'user', name: nasty, reason: nasty }],
    }),
    ...describeHealth([{ name: nasty, state: 'failed', error: nasty }]),
  ]
  expect(lines).toHaveLength(10)
  for (const line of lines) {
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
    expect(line.startsWith('[OK]')).toBe(false)
  }
  expect(lines.at(-2)).toContain('[FAILED] "x [OK] evil: 3 tools')
})

it('keeps to one short line for whatever text', () => {
  const row = fc.record({
    name: fc.string({ unit: 'binary', maxLength: 300 }),
    error: fc.string({ unit: 'binary' }),
  })
  fc.assert(
    fc.property(row, ({ name, error }) => {
      const [line = ''] = describeHealth([{ name, error, state: 'failed' } satisfies HealthRow])
      expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
      expect(line.length).toBeLessThan(1500)
    }),
  )
  const [long = ''] = describeHealth([{ name: 'a', state: 'failed', error: `x${'🔥'.repeat(9_999)}` }])
  expect(long.length).toBeLessThan(600)
  expect(long).not.toMatch(/\p{Cs}/u)
})
