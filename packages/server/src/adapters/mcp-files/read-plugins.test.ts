import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readPlugins } from './read-plugins.ts'
import { SourceFiles } from './source-files.ts'

let home: string
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'dorkos-plugins-')))
})
afterEach(() => rm(home, { recursive: true }))

const s = (command: string) => ({ command })
async function put(path: string, value: unknown): Promise<void> {
  const file = join(home, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value))
}
const installed = (plugins: Record<string, unknown>) =>
  put('plugins/installed_plugins.json', { version: 2, plugins })
const at = (path: string, more: object = {}) => [{ installPath: join(home, path), ...more }]

async function read(ids: string[], projectPaths: string[] = []) {
  const files = new SourceFiles()
  const enabled = new Map(ids.map((id) => [id, true]))
  const servers = await readPlugins({ enabled, claudeConfigDir: home, projectPaths }, files)
  return { servers, names: servers.map(({ name }) => name), files, faults: files.faults }
}

it('looks for what is installed even when no plugin is on, so that it is watched', async () => {
  const { files, names } = await read([])
  expect(names).toEqual([])
  expect([...files.inspected]).toContain(join(home, 'plugins', 'installed_plugins.json'))
})

it('names servers as the CLI does, and knows where the plugin lies', async () => {
  await installed({ 'my.plugin@mk': at('p') })
  await put('p/.mcp.json', { s: s('x') })
  const { servers } = await read(['my.plugin@mk'])
  const plugin = {
    name: 'my.plugin',
    root: join(home, 'p'),
    data: join(home, 'plugins', 'data', 'my-plugin-mk'),
  }
  expect(servers).toMatchObject([{ name: 'plugin:my.plugin:s', scope: 'plugin', plugin }])
})

it('keeps to the plugin’s folder', async () => {
  await put('outside.json', { s: s('stolen') })
  const paths = [
    '../outside.json',
    './a/../../outside.json',
    '/etc/x.json',
    join(home, 'outside.json'),
    './bundle.mcpb',
  ]
  await put('p/.claude-plugin/plugin.json', { name: 'p', mcpServers: [...paths, './link.json', './in.json'] })
  await put('p/in.json', { inside: s('x') })
  await symlink(join(home, 'outside.json'), join(home, 'p', 'link.json'))
  await installed({ 'p@mk': at('p') })
  const { names, faults } = await read(['p@mk'])
  expect(names).toEqual(['plugin:p:inside'])
  expect(faults).toHaveLength(paths.length + 1)
  expect(faults.at(-1)?.reason).toMatch(/leads out of its folder/)
})

it('takes a marketplace’s word for a folder only where it stays inside, and only of one on this machine', async () => {
  await put('plugins/known_marketplaces.json', {
    here: { source: { source: 'directory' }, installLocation: join(home, 'here') },
    far: { source: { source: 'github' }, installLocation: join(home, 'far') },
  })
  const list = {
    plugins: [
      { name: 'in', source: './in' },
      { name: 'out', source: './../out' },
    ],
  }
  await put('here/.claude-plugin/marketplace.json', list)
  await put('far/.claude-plugin/marketplace.json', list)
  for (const folder of ['here/in', 'far/in', 'out', 'copy'])
    await put(`${folder}/.mcp.json`, { [folder.replace('/', '-')]: s('x') })
  await installed({ 'in@here': at('copy'), 'out@here': at('copy'), 'in@far': at('copy') })
  expect((await read(['in@here'])).names).toEqual(['plugin:in:here-in'])
  expect((await read(['out@here'])).names).toEqual(['plugin:out:copy'])
  expect((await read(['in@far'])).names).toEqual(['plugin:in:copy'])
})

it('counts what was installed for one project there only', async () => {
  await put('p/.mcp.json', { s: s('x') })
  await installed({ 'p@mk': at('p', { scope: 'project', projectPath: '/w' }) })
  expect((await read(['p@mk'], ['/w'])).names).toEqual(['plugin:p:s'])
  const elsewhere = await read(['p@mk'], ['/other'])
  expect(elsewhere.names).toEqual([])
  expect(elsewhere.faults[0]?.reason).toMatch(/is enabled, but not installed/)
})

it('reports what is not there, and harms no other plugin', async () => {
  await put('good/.mcp.json', { s: s('x') })
  await put('bad/.claude-plugin/plugin.json', '{')
  await put('bad/.mcp.json', { t: s('y') })
  await installed({
    'good@mk': at('good'),
    'bad@mk': at('bad'),
    'gone@mk': at('gone'),
    'odd@mk': 5,
    'rel@mk': [{ installPath: 'p' }],
  })
  const { names, faults } = await read([
    'bad@mk',
    'gone@mk',
    'odd@mk',
    'rel@mk',
    '../x',
    '__proto__',
    'x@builtin',
    'good@mk',
  ])
  expect(names).toEqual(['plugin:bad:t', 'plugin:good:s'])
  expect(faults.map(({ name, reason }) => name ?? reason.slice(0, 20))).toEqual([
    'The file is not JSON',
    'gone@mk',
    'odd@mk',
    'rel@mk',
    '../x',
    '__proto__',
  ])
})
