/**
 * Servers that plugins bring. As the CLI finds them (seen with 2.1.325): settings say which plugins are on, `installed_plugins.json` where
 * each lies; one from a marketplace that is a folder of this machine is used where it lies in there. Its servers stand in `.mcp.json` and
 * in `mcpServers` of its manifest, which is stronger; without a manifest, the marketplace's entry is the manifest.
 */
import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { FoundServer, PluginOrigin } from '../../core/mcp/found-server.ts'
import { type JsonNode, memberOf, nodeAt } from '../../core/mcp/json-tree.ts'
import { entriesOf } from '../../core/mcp/parse-entries.ts'
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

export async function readPlugins(input: PluginsInput, files: SourceFiles): Promise<FoundServer[]> {
  const ids = [...input.enabled].flatMap(([id, on]) => (on && !id.endsWith('@builtin') ? [id] : []))
  const folder = join(input.claudeConfigDir, 'plugins')
  const installedFile = join(folder, 'installed_plugins.json')
  // Looked for whether or not a plugin is on, so that it is watched.
  const [installed, marketplaces] = await Promise.all([
    files.tree({ file: installedFile, scope }),
    files.tree({ file: join(folder, 'known_marketplaces.json'), scope }),
  ])
  const servers: FoundServer[] = []
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
    servers.push(...(await serversOf({ name: name[1], root, data }, listed, files)))
  }
  return servers
}

/** Version 2 has a list, with one record for each scope; version 1 had one record. */
function installedRecord(node: JsonNode | undefined, projectPaths: readonly string[]): JsonNode | undefined {
  if (node?.kind !== 'array') return node
  const pathOf = (record: JsonNode) => textOf(memberOf(record, 'projectPath'))
  const here = node.items.find((record) => projectPaths.includes(pathOf(record) ?? ''))
  return here ?? node.items.find((record) => pathOf(record) === undefined)
}

interface Listed {
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
): Promise<Listed> {
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

async function serversOf(plugin: PluginOrigin, listed: Listed, files: SourceFiles): Promise<FoundServer[]> {
  const within = plugin.root
  const ownFile = join(plugin.root, '.claude-plugin', 'plugin.json')
  const manifest = await files.tree({ file: ownFile, scope, within })
  const usesOwn = manifest.root !== undefined || manifest.broken
  const file = usesOwn ? ownFile : (listed.file ?? ownFile)
  const given = memberOf(usesOwn ? manifest.root : listed.entry, 'mcpServers')
  const parts = given?.kind === 'array' ? given.items : given ? [given] : []
  const servers: FoundServer[] = []
  for (const part of parts.slice(0, 20)) {
    const path = textOf(part)
    if (path === undefined) servers.push(...files.keep(entriesOf(part, { file, scope, plugin })))
    else if (!isPathInside(path) || !path.endsWith('.json')) {
      const reason = `mcpServers: the path ${shownName(path)} cannot be used; it must begin with ./, end with .json and stay in the plugin.`
      files.faults.push({ file, scope, line: part.line, reason })
    } else {
      servers.push(
        ...(await files.entries({ file: join(plugin.root, path), scope, plugin, within, orTop: true })),
      )
    }
  }
  const usual = join(plugin.root, '.mcp.json')
  if (parts.some((part) => join(plugin.root, textOf(part) ?? '') === usual)) return servers
  return [...servers, ...(await files.entries({ file: usual, scope, plugin, within, orTop: true }))]
}

function isPathInside(path: string): boolean {
  return path.startsWith('./') && !path.split(/[\\/]/).includes('..') && !path.includes('\0')
}

function textOf(node: JsonNode | undefined): string | undefined {
  return node?.kind === 'value' && typeof node.value === 'string' ? node.value : undefined
}
