/** A plugin of the marketplace `market`, as Claude Code installs one from a folder; settings have to turn it on. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export function put(file: string, content: unknown): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
}

/** Answers with its folder. `name@market` is its id. */
export function installPlugin(
  { root }: { root: string },
  name: string,
  files: Record<string, unknown>,
): string {
  const market = join(root, 'market')
  const folder = join(market, name)
  const time = '2026-01-01T00:00:00.000Z'
  put(join(folder, '.claude-plugin/plugin.json'), { name, version: '1.0.0' })
  for (const [path, content] of Object.entries(files)) put(join(folder, path), content)
  put(join(market, '.claude-plugin/marketplace.json'), {
    name: 'market',
    owner: { name: 'somebody' },
    plugins: [{ name, source: `./${name}` }],
  })
  const plugins = join(root, '.claude/plugins')
  put(join(plugins, 'known_marketplaces.json'), {
    market: { source: { source: 'directory', path: market }, installLocation: market, lastUpdated: time },
  })
  const installed = {
    scope: 'user',
    installPath: folder,
    version: '1.0.0',
    installedAt: time,
    lastUpdated: time,
  }
  put(join(plugins, 'installed_plugins.json'), { version: 2, plugins: { [`${name}@market`]: [installed] } })
  return folder
}
