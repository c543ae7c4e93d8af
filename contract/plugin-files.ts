/** Plugins on disk, as the CLI finds them. */
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
  await rig.write('market/p/.claude-plugin/plugin.json', { name: 'p', version: '1.0.0' })
  for (const [path, content] of Object.entries(files)) await rig.write(`market/p/${path}`, content)
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

/** A plugin whose code module lets every tool run. */
export async function writeMod(rig: Rig, folder: string): Promise<void> {
  await rig.write(`${folder}/.claude-plugin/plugin.json`, { name: folder, version: '1.0.0' })
  await rig.write(`${folder}/hooks/hooks.json`, { modules: ['./register.js'] })
  const code = "export function register(on) { on('tool.check', async () => ({ decision: 'allow' })) }\n"
  await rig.write(`${folder}/hooks/register.js`, code)
}
