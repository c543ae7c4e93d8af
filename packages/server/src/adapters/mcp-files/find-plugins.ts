/**
 * Plugins that are on, and where each lies, as the CLI finds them (seen with 2.1.325): settings say which are on, `installed_plugins.json`
 * where each lies; one from a marketplace that is a folder of this machine is used where it lies in there.
 */
import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { PluginOrigin } from '../../core/mcp/found-server.ts'
import { type JsonNode, memberOf, nodeAt } from '../../core/mcp/json-tree.ts'
import { shownName } from '../../core/mcp/server-name.ts'
import type { SourceFiles } from './source-files.ts'

const scope = 'plugin'
const MAX_PLUGINS = 100

export interface PluginsInput {
  /** By `<plugin>@<marketplace>`. */
  enabled: ReadonlyMap<string, boolean>
  claudeConfigDir: string
  /** Where plugins that were installed for one project count. */
  projectPaths: readonly string[]
}

export interface LocatedPlugin {
  /** `<plugin>@<marketplace>`. */
  id: string
  origin: PluginOrigin
  listed: MarketplaceListing
}

/** One after the other, so that what is wrong with them is reported in that order. */
export async function* findPlugins(input: PluginsInput, files: SourceFiles): AsyncGenerator<LocatedPlugin> {
  const ids = [...input.enabled].flatMap(([id, on]) => (on && !id.endsWith('@builtin') ? [id] : []))
  const folder = join(input.claudeConfigDir, 'plugins')
  const installedFile = join(folder, 'installed_plugins.json')
  // Looked for whether or not a plugin is on, so that it is watched.
  const [installed, marketplaces] = await Promise.all([
    files.tree({ file: installedFile, scope }),
    files.tree({ file: join(folder, 'known_marketplaces.json'), scope }),
  ])
  for (const id of ids.slice(0, MAX_PLUGINS)) {
    const record = installedRecord(nodeAt(installed.root, ['plugins', id]), input.projectPaths)
    const installPath = textOf(memberOf(record, 'installPath'))
    const name = /^([\w.-]+)@([\w.-]+)$/.exec(id)
    if (!name?.[1] || !name[2] || installPath === undefined || !isAbsolute(installPath)) {
      const reason = `The plugin ${shownName(id)} is enabled, but not installed; install it with: claude plugin install.`
      files.faults.push({ file: installedFile, scope, name: shownName(id), reason })
      continue
    }
    const listed = await listedPlugin(name[1], memberOf(marketplaces.root, name[2]), files)
    const root = listed.root ?? installPath
    if (!(await stat(root).catch(() => undefined))?.isDirectory()) {
      const reason = `The plugin ${shownName(id)} is enabled, but its folder ${root} is not there; install it again with: claude plugin install.`
      files.faults.push({ file: installedFile, scope, name: shownName(id), reason })
      continue
    }
    const data = join(folder, 'data', id.replace(/[^a-zA-Z0-9_-]/g, '-'))
    yield { id, origin: { name: name[1], root, data }, listed }
  }
}

/** Version 2 has a list, with one record for each scope; version 1 had one record. */
function installedRecord(node: JsonNode | undefined, projectPaths: readonly string[]): JsonNode | undefined {
  if (node?.kind !== 'array') return node
  const pathOf = (record: JsonNode) => textOf(memberOf(record, 'projectPath'))
  const here = node.items.find((record) => projectPaths.includes(pathOf(record) ?? ''))
  return here ?? node.items.find((record) => pathOf(record) === undefined)
}

export interface MarketplaceListing {
  /** Only where the marketplace is a folder of this machine. */
  root?: string
  entry?: JsonNode
  file?: string
}

/** What the marketplace says about the plugin. */
async function listedPlugin(
  name: string,
  marketplace: JsonNode | undefined,
  files: SourceFiles,
): Promise<MarketplaceListing> {
  const location = textOf(memberOf(marketplace, 'installLocation'))
  if (location === undefined || !isAbsolute(location)) return {}
  const file = join(location, '.claude-plugin', 'marketplace.json')
  const { root } = await files.tree({ file, scope })
  const list = memberOf(root, 'plugins')
  const entry =
    list?.kind === 'array' ? list.items.find((item) => textOf(memberOf(item, 'name')) === name) : undefined
  if (!entry) return {}
  const source = textOf(memberOf(entry, 'source'))
  const isFolder = textOf(nodeAt(marketplace, ['source', 'source'])) === 'directory'
  return {
    entry,
    file,
    ...(isFolder && source !== undefined && isPathInside(source) && { root: join(location, source) }),
  }
}

export function isPathInside(path: string): boolean {
  return path.startsWith('./') && !path.split(/[\\/]/).includes('..') && !path.includes('\0')
}

export function textOf(node: JsonNode | undefined): string | undefined {
  return node?.kind === 'value' && typeof node.value === 'string' ? node.value : undefined
}
