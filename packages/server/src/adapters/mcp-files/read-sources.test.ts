import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resolveServers } from '../../core/mcp/resolve-servers.ts'
import { readMcpSources, type SourcesInput } from './read-sources.ts'

let home: string
let workspace: string
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'dorkos-sources-')))
  workspace = join(home, 'work')
  await mkdir(workspace)
})
afterEach(() => rm(home, { recursive: true }))

const s = (command: string) => ({ command })
async function put(path: string, value: unknown): Promise<string> {
  const file = join(home, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value, null, 1))
  return file
}
const read = (more: Partial<SourcesInput> = {}) =>
  readMcpSources({
    configServers: {},
    configFile: join(home, 'config.jsonc'),
    claudeConfigDir: join(home, 'claude'),
    claudeConfigFile: join(home, 'claude', '.claude.json'),
    workspacePath: workspace,
    plugins: true,
    managedSettingsFile: join(home, 'managed.json'),
    ...more,
  })
const found = async (more?: Partial<SourcesInput>) =>
  (await read(more)).servers.map(({ scope, name, entry }) => {
    return `${scope} ${name} ${entry.type === 'stdio' ? entry.command : entry.url}`
  })

describe('sources', () => {
  it('reads each, with file, scope and line', async () => {
    const configFile = await put(
      'config.jsonc',
      '{\n // mine\n "mcpServers": {\n  "own": { "command": "old" }\n }\n}',
    )
    const claude = await put('claude/.claude.json', {
      mcpServers: { u: s('user') },
      projects: { [workspace]: { mcpServers: { l: s('local') } }, '/other': { mcpServers: { no: s('no') } } },
    })
    const settings = await put('claude/settings.json', { mcpServers: { t: s('settings') } })
    const project = await put(
      'work/.mcp.json',
      '// theirs\n{ "mcpServers": {\n "p": { "command": "project" }, } }',
    )
    const { servers, faults, policy, files } = await read({
      configServers: { own: s('new'), late: s('late') },
    })
    expect(faults).toEqual([])
    expect(servers.map(({ name, scope, file, line }) => [name, scope, file, line])).toEqual([
      ['own', 'dorkos', configFile, 4],
      ['late', 'dorkos', configFile, 3],
      ['l', 'local', claude, 10],
      ['u', 'user', claude, 3],
      ['p', 'project', project, 3],
      ['t', 'settings', settings, 3],
    ])
    expect(servers[0]?.entry).toMatchObject({ command: 'new' })
    expect(policy).toEqual({ disabledProject: [], denied: [] })
    expect(files).toEqual(
      expect.arrayContaining([
        configFile,
        claude,
        settings,
        project,
        join(home, 'managed.json'),
        join(workspace, '.claude', 'settings.json'),
        join(workspace, '.claude', 'settings.local.json'),
        join(home, 'claude', 'plugins', 'installed_plugins.json'),
      ]),
    )
  })

  it('is content with no files at all, and with no workspace', async () => {
    expect(await read()).toMatchObject({
      servers: [],
      faults: [],
      policy: { disabledProject: [], denied: [] },
    })
    await put('work/.mcp.json', { mcpServers: { p: s('project') } })
    await put('claude/.claude.json', { mcpServers: { u: s('user') } })
    expect(await found({ workspacePath: undefined })).toEqual(['user u user'])
  })

  it('takes what belongs to a project from the top folder of its repository, as the CLI does', async () => {
    await mkdir(join(workspace, '.git'))
    await mkdir(join(workspace, 'sub'))
    await put('claude/.claude.json', {
      projects: {
        [workspace]: { mcpServers: { top: s('top') } },
        [join(workspace, 'sub')]: { mcpServers: { sub: s('sub') } },
      },
    })
    expect(await found({ workspacePath: join(workspace, 'sub') })).toEqual(['local top top'])
  })

  it('reports a broken file and of a broken entry, and reads the rest', async () => {
    const broken = await put('work/.mcp.json', '{ "mcpServers": { "p": \n} }')
    const settings = await put('claude/settings.json', {
      mcpServers: { bad: {}, dorkos: s('x'), t: s('settings') },
    })
    await put('claude/.claude.json', { mcpServers: { u: s('user') } })
    const { faults } = await read()
    expect(await found()).toEqual(['user u user', 'settings t settings'])
    expect(faults.map(({ file, line, scope, name }) => [file, line, scope, name])).toEqual([
      [broken, 2, 'project', undefined],
      [settings, 3, 'settings', 'bad'],
      [settings, 4, 'settings', 'dorkos'],
    ])
  })
})

it('takes no server from a file that is not JSON, even where it could be made out', async () => {
  const text = JSON.stringify({
    mcpServers: { a: s('x') },
    projects: { [workspace]: { disabledMcpServers: ['b'] } },
  })
  await put('claude/.claude.json', `${text} x`)
  await put('claude/settings.json', '{ "mcpServers": { "t": { "command": "x" } } ')
  const { servers, policy, faults } = await read()
  expect(servers).toEqual([])
  expect(policy.disabled).toEqual(['b'])
  expect(faults).toHaveLength(2)
})

describe('hostile files', () => {
  const reasons = async () => (await read()).faults.map(({ reason }) => reason)

  it('refuses a link out of the workspace, and follows one inside it', async () => {
    await put('elsewhere.json', { mcpServers: { p: s('stolen') } })
    await symlink(join(home, 'elsewhere.json'), join(workspace, '.mcp.json'))
    expect(await found()).toEqual([])
    expect(await reasons()).toEqual([
      'The file is a link that leads out of its folder; put the file itself there.',
    ])
    await rm(join(workspace, '.mcp.json'))
    await put('work/config/mcp.json', { mcpServers: { p: s('inside') } })
    await symlink(join('config', 'mcp.json'), join(workspace, '.mcp.json'))
    expect(await found()).toEqual(['project p inside'])
  })

  it('refuses a folder of settings that is a link out of the workspace', async () => {
    await put('outside/settings.json', { disabledMcpjsonServers: ['x'] })
    await symlink(join(home, 'outside'), join(workspace, '.claude'))
    const { faults, policy } = await read()
    expect(policy.disabledProject).toEqual([])
    expect(faults).toMatchObject([{ file: join(workspace, '.claude', 'settings.json') }])
  })

  it('waits for no pipe, reads no folder, device or circle, and nothing too large', async () => {
    execFileSync('mkfifo', [join(workspace, '.mcp.json')])
    expect(await reasons()).toEqual(['The file is not a plain file.'])
    await rm(join(workspace, '.mcp.json'))
    await mkdir(join(workspace, '.mcp.json'))
    expect(await reasons()).toEqual(['The file is not a plain file.'])
    await rm(join(workspace, '.mcp.json'), { recursive: true })
    await symlink('.mcp.json', join(workspace, '.mcp.json'))
    expect(await reasons()).toEqual(['The file cannot be read (ELOOP).'])
    await rm(join(workspace, '.mcp.json'))
    await put('work/.mcp.json', ' '.repeat(2 * 1024 * 1024 + 1))
    expect(await reasons()).toEqual(['The file is larger than 2 MiB.'])
    await mkdir(join(home, 'claude'))
    await symlink('/dev/zero', join(home, 'claude', 'settings.json'))
    expect(await reasons()).toContain('The file is not a plain file.')
  })

  it('reads a .claude.json that has grown large', async () => {
    const history = Array.from({ length: 60_000 }, (_, index) => ({
      display: `prompt ${index} ${'x'.repeat(80)}`,
    }))
    await put('claude/.claude.json', { projects: { '/p': { history } }, mcpServers: { u: s('user') } })
    expect(await found()).toEqual(['user u user'])
  })
})

describe('policy', () => {
  it('joins what restricts', async () => {
    await put('managed.json', {
      deniedMcpServers: [{ serverName: 'm' }],
      allowedMcpServers: [{ serverName: 'a' }],
    })
    await put('claude/settings.json', {
      disabledMcpjsonServers: ['u'],
      allowedMcpServers: [{ serverName: 'b' }],
    })
    await put('claude/.claude.json', {
      projects: { [workspace]: { disabledMcpjsonServers: ['c'], disabledMcpServers: ['off'] } },
    })
    await put('work/.claude/settings.json', {
      disabledMcpjsonServers: ['p'],
      deniedMcpServers: [{ serverUrl: 'x' }],
    })
    await put('work/.claude/settings.local.json', { disabledMcpjsonServers: ['l'] })
    const { policy, faults } = await read()
    expect(faults).toEqual([])
    expect(policy).toEqual({
      disabledProject: ['u', 'c', 'p', 'l'],
      disabled: ['off'],
      denied: [{ serverName: 'm', file: join(home, 'managed.json') }],
      ofWorkspace: {
        allowed: [],
        denied: [{ serverUrl: 'x', file: join(workspace, '.claude', 'settings.json') }],
      },
      allowed: [
        [{ serverName: 'a', file: join(home, 'managed.json') }],
        [{ serverName: 'b', file: join(home, 'claude', 'settings.json') }],
      ],
    })
  })

  it('takes the files of the machine’s folder for one with its own', async () => {
    await put('managed.json', { allowedMcpServers: [{ serverName: 'a' }] })
    await put('managed-settings.d/20.json', { deniedMcpServers: [{ serverName: 'm' }] })
    await put('managed-settings.d/10.json', { allowedMcpServers: [{ serverName: 'b' }] })
    await put('managed-settings.d/.hidden.json', { deniedMcpServers: [{ serverName: 'hidden' }] })
    const { policy, files } = await read()
    const more = (name: string) => join(home, 'managed-settings.d', name)
    expect(policy.denied).toEqual([{ serverName: 'm', file: more('20.json') }])
    const allowed = [
      { serverName: 'a', file: join(home, 'managed.json') },
      { serverName: 'b', file: more('10.json') },
    ]
    expect(policy.allowed).toEqual([allowed])
    expect(files).toEqual(expect.arrayContaining([more('10.json'), more('20.json')]))
    await put('managed-settings.d/30.json', '{ "deniedMcpServers": [')
    expect((await read()).policy.allowed).toEqual([[]])
  })

  it('lets no workspace enable what its owner left out', async () => {
    await put('work/.claude/settings.json', { enabledMcpjsonServers: ['theirs'] })
    expect((await read()).policy).toMatchObject({ enabledProject: ['theirs'] })
    await put('work/.claude/settings.local.json', { enableAllProjectMcpServers: true })
    expect((await read()).policy).toMatchObject({ enableAllProject: true })
    await put('claude/settings.json', { enabledMcpjsonServers: ['mine'] })
    const { policy } = await read()
    expect(policy).toEqual({ enabledProject: ['mine'], disabledProject: [], denied: [] })
  })

  it('takes an empty file of a workspace for none: a sandbox keeps its place so', async () => {
    const before = await read()
    for (const name of ['.mcp.json', '.claude/settings.json', '.claude/settings.local.json'])
      await put(`work/${name}`, '')
    expect(await read()).toEqual(before)
    await put('managed.json', '')
    expect(await read()).toMatchObject({ policy: { allowed: [[]] } })
  })

  it('takes the empty list that the CLI puts into each record of a project for no word of the owner', async () => {
    const record = (enabledMcpjsonServers: unknown) =>
      put('claude/.claude.json', { projects: { [workspace]: { enabledMcpjsonServers, mcpServers: {} } } })
    const enabled = async () => (await read()).policy.enabledProject
    await record([])
    expect(await enabled()).toBeUndefined()
    // Nor does it take the word from the workspace.
    await put('work/.claude/settings.json', { enabledMcpjsonServers: ['theirs'] })
    expect(await enabled()).toEqual(['theirs'])
    await record(['mine'])
    expect(await enabled()).toEqual(['mine'])
    // What was meant to be a list, or may have been cut off, is taken for a restriction as ever.
    for (const value of ['none', [1]]) {
      await record(value)
      expect(await enabled()).toEqual([])
    }
    await put(
      'claude/.claude.json',
      `{ "projects": { ${JSON.stringify(workspace)}: { "enabledMcpjsonServers": [`,
    )
    expect(await enabled()).toEqual([])
    await put('claude/.claude.json', {})
    await put('claude/settings.json', { enabledMcpjsonServers: [] })
    expect(await enabled()).toEqual([])
  })

  it('takes from a broken file what restricts, and nothing that opens', async () => {
    const text =
      '{ "disabledMcpjsonServers": ["a"], "enableAllProjectMcpServers": true, "enabledPlugins": { "p@m": true } '
    await put('claude/settings.json', text)
    await put('work/.claude/settings.json', { enabledMcpjsonServers: ['b'] })
    const { policy, servers } = await read()
    expect(policy).toEqual({ disabledProject: ['a'], enabledProject: ['b'], denied: [] })
    expect(servers).toEqual([])
  })

  it('allows nothing while the settings of the machine cannot be read', async () => {
    await put('managed.json', '{ "deniedMcpServers": [')
    await put('claude/.claude.json', { mcpServers: { u: s('user') } })
    const { servers, policy, faults } = await read()
    const workspace = { main: true, mode: 'host', trusted: true, plugins: [] } as const
    const resolved = resolveServers({
      found: servers,
      policy,
      workspace,
      switchedOff: { servers: new Set() },
    })
    expect(resolved.active).toEqual([])
    expect(resolved.filtered).toMatchObject([{ reason: 'not_allowed' }])
    expect(faults.map(({ reason }) => reason).join()).toMatch(/no MCP server is allowed/)
  })

  it('reports items that are none; what was meant to restrict still does', async () => {
    await put('claude/settings.json', {
      deniedMcpServers: ['plain', { serverNam: 'x' }, { serverCommand: [] }],
      allowedMcpServers: 'all',
      disabledMcpjsonServers: [1, 'd'],
    })
    const { policy, faults } = await read()
    expect(policy).toMatchObject({ denied: [{ serverName: 'plain' }], allowed: [[]], disabledProject: ['d'] })
    expect(faults).toHaveLength(5)
  })
})
