/** Plugins on disk, as the CLI finds them. */
import { basename } from 'node:path'
import type { Frame } from './cli.ts'
import type { Rig } from './rig.ts'

const then = '2026-01-01T00:00:00.000Z'

export interface InstalledPlugin {
  /** For a settings file: switches it on. */
  enabled: Frame
}

/** A plugin `p@m` that was installed from a folder, with these files. It still has to be switched on. */
export async function installPlugin(rig: Rig, files: Record<string, unknown>): Promise<InstalledPlugin> {
  const market = `${rig.home}/market`
  const source = { source: 'directory', path: market }
  await rig.write('market/.claude-plugin/marketplace.json', {
    name: 'm',
    owner: { name: 'o' },
    plugins: [{ name: 'p', source: './p' }],
  })
  await writePlugin(rig, 'market/p', files)
  const known = { source, installLocation: market, lastUpdated: then }
  await rig.write('.claude/plugins/known_marketplaces.json', { m: known })
  const record = {
    scope: 'user',
    installPath: `${market}/p`,
    version: '1.0.0',
    installedAt: then,
    lastUpdated: then,
  }
  await rig.write('.claude/plugins/installed_plugins.json', { version: 2, plugins: { 'p@m': [record] } })
  return { enabled: { enabledPlugins: { 'p@m': true }, extraKnownMarketplaces: { m: { source } } } }
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
