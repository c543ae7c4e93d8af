/** The real CLI and we read the same files: we must come to the same servers, but where we differ on purpose. */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { foldServerName } from '@dorkos/shared'
import { type Offline, realCliPath, startOffline } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { readMcpSources } from '../../src/adapters/mcp-files/read-sources.ts'
import { expandVariables } from '../../src/core/mcp/expand-variables.ts'
import type { FoundServer } from '../../src/core/mcp/found-server.ts'
import { resolveServers } from '../../src/core/mcp/resolve-servers.ts'

const run = promisify(execFile)
const script = fileURLToPath(new URL('../support/named-mcp-server.mjs', import.meta.url))
const s = (name: string, ...args: string[]) => ({ command: process.execPath, args: [script, name, ...args] })

type Files = Record<string, unknown>

async function put(offline: Offline, files: Files): Promise<void> {
  for (const [path, value] of Object.entries(files)) {
    const file = join(path.startsWith('cfg/') ? offline.configDir : offline.cwd, path.replace(/^\w+\//, ''))
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, JSON.stringify(value))
  }
}

interface Offered {
  args: string[]
  root?: string
  data?: string
}

/** What the model is offered, by the name of the tool. */
async function askTheCli(offline: Offline): Promise<Map<string, Offered>> {
  const begun = run(realCliPath(), ['-p', 'hi'], { cwd: offline.cwd, env: offline.env })
  begun.child.stdin?.end()
  await begun
  const body = offline.model.requests.at(-1)?.body as { tools?: { name: string; description: string }[] }
  const tools = (body.tools ?? []).filter(({ name }) => name.startsWith('mcp__'))
  return new Map(tools.map(({ name, description }) => [name, JSON.parse(description) as Offered]))
}

async function resolveOurs(offline: Offline) {
  const reading = await readMcpSources({
    configServers: {},
    configFile: join(offline.home, 'none.jsonc'),
    claudeConfigDir: offline.configDir,
    claudeConfigFile: join(offline.configDir, '.claude.json'),
    workspacePath: offline.cwd,
    plugins: true,
  })
  const plugins = reading.servers.flatMap(({ plugin }) => plugin?.root ?? [])
  const workspace = { main: true, mode: 'host', trusted: true, plugins } as const
  const expanded = (server: FoundServer) => expand(server, offline)
  const { active } = resolveServers({
    found: reading.servers,
    policy: reading.policy,
    workspace,
    switchedOff: { servers: new Set() },
    expanded,
  })
  return { ...reading, active }
}

function expand({ entry, plugin }: FoundServer, offline: Offline) {
  return expandVariables({
    entry,
    allowed: new Set(['FOO', 'EMPTY', 'NOPE', 'lower']),
    lookUp: (name) => offline.env[name],
    ...(plugin && { known: { CLAUDE_PLUGIN_ROOT: plugin.root, CLAUDE_PLUGIN_DATA: plugin.data } }),
  }).entry
}

/** The same, as we would offer it. */
async function askUs(offline: Offline): Promise<Map<string, Offered>> {
  const { active } = await resolveOurs(offline)
  return new Map(
    active.map((server) => {
      const entry = expand(server, offline)
      if (entry?.type !== 'stdio') throw new Error(`${server.name} cannot be expanded`)
      const [, tool, ...args] = entry.args
      const { root, data } = server.plugin ?? {}
      return [
        `mcp__${foldServerName(server.name)}__from_${tool}`,
        { args, ...(root !== undefined && { root }), ...(data !== undefined && { data }) },
      ]
    }),
  )
}

const sorted = (tools: Map<string, Offered>) => [...tools].toSorted(([a], [b]) => (a < b ? -1 : 1))

async function both(makeFiles: (cwd: string) => Files, extra: Record<string, string> = {}) {
  await using offline = await startOffline(['ok', 'ok', 'ok'], { extra })
  await put(offline, makeFiles(offline.cwd))
  return { cli: sorted(await askTheCli(offline)), ours: sorted(await askUs(offline)) }
}

const user = { mcpServers: { dup: s('user'), 'git.hub': s('other') } }
const project = { mcpServers: { dup: s('project'), p: s('p') } }

describe('the same servers as the CLI', () => {
  it.each<[string, string[], (cwd: string) => Files]>([
    [
      'local before project before user',
      ['mcp__dup__from_local', 'mcp__git_hub__from_other', 'mcp__p__from_p'],
      (cwd) => ({
        'cfg/.claude.json': { ...user, projects: { [cwd]: { mcpServers: { dup: s('local') } } } },
        'cwd/.mcp.json': project,
      }),
    ],
    [
      'a project’s server that is disabled lets the user’s through',
      ['mcp__dup__from_user', 'mcp__git_hub__from_other', 'mcp__p__from_p'],
      () => ({
        'cfg/.claude.json': user,
        'cwd/.mcp.json': project,
        'cfg/settings.json': { disabledMcpjsonServers: ['dup', 'git.hub'] },
      }),
    ],
    [
      // What it denies is another matter: the CLI lets a project take its user's servers away, and we do not.
      'what the project itself disables',
      ['mcp__dup__from_user', 'mcp__git_hub__from_other'],
      () => ({
        'cfg/.claude.json': user,
        'cwd/.mcp.json': project,
        'cwd/.claude/settings.json': { disabledMcpjsonServers: ['dup'] },
        'cwd/.claude/settings.local.json': { disabledMcpjsonServers: ['p'] },
      }),
    ],
    [
      'a record of the project as the CLI begins it',
      ['mcp__dup__from_project', 'mcp__git_hub__from_other', 'mcp__p__from_p'],
      (cwd) => ({
        'cfg/.claude.json': {
          ...user,
          projects: { [cwd]: { enabledMcpjsonServers: [], disabledMcpjsonServers: [], mcpServers: {} } },
        },
        'cwd/.mcp.json': project,
      }),
    ],
    [
      'what was switched off with /mcp',
      ['mcp__p__from_p'],
      (cwd) => ({
        'cfg/.claude.json': { ...user, projects: { [cwd]: { disabledMcpServers: ['dup', 'git.hub'] } } },
        'cwd/.mcp.json': project,
      }),
    ],
    [
      'a command that is denied, with its variables put in',
      ['mcp__dup__from_project', 'mcp__git_hub__from_other'],
      () => ({
        'cfg/.claude.json': user,
        'cwd/.mcp.json': { mcpServers: { ...project.mcpServers, p: s('p', `\${FOO}`) } },
        'cfg/settings.json': {
          deniedMcpServers: [{ serverCommand: [process.execPath, script, 'p', 'foo'] }],
        },
      }),
    ],
    [
      'a list of allowed names',
      ['mcp__p__from_p'],
      () => ({
        'cfg/.claude.json': user,
        'cwd/.mcp.json': project,
        'cfg/settings.json': { allowedMcpServers: [{ serverName: 'p' }] },
      }),
    ],
    [
      'a list of allowed commands: a name is not enough then',
      ['mcp__git_hub__from_other'],
      () => ({
        'cfg/.claude.json': user,
        'cwd/.mcp.json': project,
        'cfg/settings.json': {
          allowedMcpServers: [{ serverName: 'p' }, { serverCommand: [process.execPath, script, 'other'] }],
        },
      }),
    ],
    [
      'broken entries',
      ['mcp__dup__from_user'],
      () => ({
        'cfg/.claude.json': { mcpServers: { dup: s('user'), bad: { command: 5 }, worse: { type: 'ws' } } },
      }),
    ],
  ])('%s', async (_name, expected, files) => {
    const { cli, ours } = await both(files, { FOO: 'foo' })
    expect(cli.map(([name]) => name)).toEqual(expected)
    expect(ours).toEqual(cli)
  })

  it('puts the same values in the place of variables', async () => {
    const texts = [
      `\${FOO}`,
      `\${NOPE:-d}`,
      `\${FOO:-x}`,
      `\${EMPTY:-x}`,
      '$FOO',
      `\${}`,
      `\${A B}`,
      `\${lower:-z}`,
      `\${NOPE:-}`,
      `$\${FOO}`,
      `\${NOPE:-a:b-c}`,
      `\${FOO-x}`,
    ]
    const files = () => ({ 'cfg/.claude.json': { mcpServers: { e: s('e', ...texts) } } })
    const { cli, ours } = await both(files, { FOO: `\${EMPTY}`, EMPTY: '' })
    expect(cli).toHaveLength(1)
    expect(ours).toEqual(cli)
  })
})

describe('plugins', () => {
  const plugin = (name: string, files: Files): Files =>
    Object.fromEntries(Object.entries(files).map(([path, value]) => [`cfg/market/${name}/${path}`, value]))
  const here = [`\${CLAUDE_PLUGIN_ROOT}`, `\${CLAUDE_PLUGIN_DATA}`]
  const market: Files = {
    'cfg/market/.claude-plugin/marketplace.json': {
      name: 'mk',
      owner: { name: 'o' },
      plugins: [
        { name: 'p1', source: './p1' },
        { name: 'p2', source: './p2', mcpServers: { unused: s('unused') } },
        { name: 'p3', source: './p3' },
        { name: 'p4', source: './p4', mcpServers: { listed: s('p4') } },
        { name: 'off', source: './off' },
      ],
    },
    ...plugin('p1', { '.claude-plugin/plugin.json': { name: 'p1' }, '.mcp.json': { a: s('p1', ...here) } }),
    ...plugin('p2', {
      '.claude-plugin/plugin.json': { name: 'p2', mcpServers: { b: s('p2manifest'), same: s('mine') } },
      '.mcp.json': { mcpServers: { b: s('p2file'), c: s('p2c') } },
    }),
    ...plugin('p3', {
      '.claude-plugin/plugin.json': { name: 'p3', mcpServers: ['./servers/one.json', './servers/two.json'] },
      'servers/one.json': { d: s('p3d') },
      'servers/two.json': { mcpServers: { e: s('p3e') } },
    }),
    ...plugin('p4', { 'commands/x.json': {} }),
    ...plugin('off', { '.claude-plugin/plugin.json': { name: 'off' }, '.mcp.json': { a: s('off') } }),
  }

  it('brings the servers of what is installed and enabled, as the CLI does', async () => {
    await using offline = await startOffline(['ok', 'ok', 'ok'])
    await put(offline, { ...market, 'cfg/.claude.json': { mcpServers: { mine: s('mine') } } })
    const claude = (...args: string[]) =>
      run(realCliPath(), ['plugin', ...args], { cwd: offline.cwd, env: offline.env })
    await claude('marketplace', 'add', join(offline.configDir, 'market'))
    for (const name of ['p1', 'p2', 'p3', 'off']) await claude('install', `${name}@mk`)
    await claude('install', 'p4@mk', '--scope', 'project')
    await claude('disable', 'off@mk')

    const cli = sorted(await askTheCli(offline))
    expect(cli.map(([name]) => name)).toEqual([
      'mcp__mine__from_mine',
      'mcp__plugin_p1_a__from_p1',
      'mcp__plugin_p2_b__from_p2manifest',
      'mcp__plugin_p2_c__from_p2c',
      'mcp__plugin_p3_d__from_p3d',
      'mcp__plugin_p3_e__from_p3e',
      'mcp__plugin_p4_listed__from_p4',
    ])
    expect(sorted(await askUs(offline))).toEqual(cli)
    const { faults, files } = await resolveOurs(offline)
    expect(faults).toEqual([])
    expect(files).toContain(join(offline.configDir, 'market', 'p1', '.mcp.json'))

    // An installed copy, where the marketplace is not a folder of this machine.
    const copy = join(offline.configDir, 'copy')
    await put(offline, {
      'cfg/plugins/known_marketplaces.json': {
        mk: {
          source: { source: 'github', repo: 'o/mk' },
          installLocation: join(offline.configDir, 'market'),
          lastUpdated: '2026-01-01T00:00:00.000Z',
        },
      },
      'cfg/plugins/installed_plugins.json': {
        version: 2,
        plugins: {
          'p1@mk': [
            {
              scope: 'user',
              installPath: copy,
              version: '1.0.0',
              installedAt: '2026-01-01T00:00:00.000Z',
              lastUpdated: '2026-01-01T00:00:00.000Z',
            },
          ],
        },
      },
      'cfg/copy/.claude-plugin/plugin.json': { name: 'p1' },
      'cfg/copy/.mcp.json': { a: s('copy', ...here) },
      'cfg/settings.json': { enabledPlugins: { 'p1@mk': true } },
      'cwd/.claude/settings.json': {},
    })
    const copied = sorted(await askTheCli(offline))
    expect(copied.map(([name]) => name)).toEqual(['mcp__mine__from_mine', 'mcp__plugin_p1_a__from_copy'])
    expect(copied[1]?.[1].args[0]).toBe(copy)
    expect(sorted(await askUs(offline))).toEqual(copied)
  })
})
