/** Plugins on disk, as the CLI finds them. */
import { basename } from 'node:path'
import type { Frame } from './cli.ts'
import type { Rig } from './rig.ts'

const then = '2026-01-01T00:00:00.000Z'

export interface InstalledPlugins {
  /** For a settings file: switches them on. */
  enabled: Frame
}

export interface PluginFiles {
  /** More of `plugin.json`; without one there is no such file. */
  manifest?: Frame
  /** More of what its marketplace says about it. */
  entry?: Frame
  /** By their path in the plugin's folder. */
  files?: Record<string, unknown>
}

/**
 * Plugins `<name>@m` that are installed and still have to be switched on. A marketplace that is a folder of this machine has them where
 * it lies; of one that was fetched, each has a folder of its own.
 */
export async function installPlugins(
  rig: Rig,
  plugins: Record<string, PluginFiles>,
  market: 'folder' | 'fetched' = 'folder',
): Promise<InstalledPlugins> {
  const folder = market === 'folder' ? 'market' : '.claude/plugins/marketplaces/m'
  const source =
    market === 'folder'
      ? { source: 'directory', path: `${rig.home}/market` }
      : { source: 'github', repo: 'o/m' }
  const placeOf = (name: string): string =>
    market === 'folder' ? `market/${name}` : `.claude/plugins/cache/m/${name}/1.0.0`
  await rig.write(`${folder}/.claude-plugin/marketplace.json`, {
    name: 'm',
    owner: { name: 'o' },
    plugins: Object.entries(plugins).map(([name, { entry }]) => ({ name, source: `./${name}`, ...entry })),
  })
  for (const [name, { manifest, files = {} }] of Object.entries(plugins)) {
    const own = manifest && { '.claude-plugin/plugin.json': { name, version: '1.0.0', ...manifest } }
    for (const [path, content] of Object.entries({ ...own, ...files }))
      await rig.write(`${placeOf(name)}/${path}`, content)
  }
  const known = { source, installLocation: `${rig.home}/${folder}`, lastUpdated: then }
  await rig.write('.claude/plugins/known_marketplaces.json', { m: known })
  const record = (name: string): Frame => ({
    scope: 'user',
    installPath: `${rig.home}/${placeOf(name)}`,
    version: '1.0.0',
    installedAt: then,
    lastUpdated: then,
  })
  const of = (value: (name: string) => Frame): Frame =>
    Object.fromEntries(Object.keys(plugins).map((name) => [`${name}@m`, value(name)]))
  await rig.write('.claude/plugins/installed_plugins.json', {
    version: 2,
    plugins: of((name) => [record(name)]),
  })
  return { enabled: { enabledPlugins: of(() => true), extraKnownMarketplaces: { m: { source } } } }
}

/** The plugin `p@m`, with these files. */
export async function installPlugin(rig: Rig, files: Record<string, unknown>): Promise<InstalledPlugins> {
  return await installPlugins(rig, { p: { manifest: {}, files } })
}

/** The files of a plugin whose code module says that it runs, by a file of this name in the home, and lets this command run. */
export function modFiles(rig: Rig, mark: string, command: string): Record<string, unknown> {
  const own = { mark: JSON.stringify(`${rig.home}/${mark}`), command: JSON.stringify(command) }
  // It may import nothing of Node's, and name what it uses only like this: the CLI reads that from its text before it loads it.
  const code = `export function register(on) {
  on('session.start', async ($, e, next) => { await $.fs.write(${own.mark}, ''); return await next(e) })
  on('tool.check', async ($, e, next) => e.input.command === ${own.command} ? { decision: 'allow' } : await next(e))
}
`
  return { 'hooks/hooks.json': { modules: ['./register.js'] }, 'hooks/register.js': code }
}

/** A plugin in this folder below the home, with these files. */
export async function writePlugin(rig: Rig, folder: string, files: Record<string, unknown>): Promise<void> {
  await rig.write(`${folder}/.claude-plugin/plugin.json`, { name: basename(folder), version: '1.0.0' })
  for (const [path, content] of Object.entries(files)) await rig.write(`${folder}/${path}`, content)
}
