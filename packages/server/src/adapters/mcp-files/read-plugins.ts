/**
 * Servers that plugins bring. They stand in `.mcp.json` and in `mcpServers` of the manifest, which is stronger; without a manifest, the
 * marketplace's entry is the manifest (seen with 2.1.325).
 */
import { join } from 'node:path'
import type { FoundServer, PluginOrigin } from '../../core/mcp/found-server.ts'
import { memberOf } from '../../core/mcp/json-tree.ts'
import { entriesOf } from '../../core/mcp/parse-entries.ts'
import { shownName } from '../../core/mcp/server-name.ts'
import {
  findPlugins,
  isPathInside,
  type MarketplaceListing,
  type PluginsInput,
  textOf,
} from './find-plugins.ts'
import type { SourceFiles } from './source-files.ts'

const scope = 'plugin'

export async function readPlugins(input: PluginsInput, files: SourceFiles): Promise<FoundServer[]> {
  const servers: FoundServer[] = []
  for await (const { origin, listed } of findPlugins(input, files))
    servers.push(...(await serversOf(origin, listed, files)))
  return servers
}

async function serversOf(
  plugin: PluginOrigin,
  listed: MarketplaceListing,
  files: SourceFiles,
): Promise<FoundServer[]> {
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
