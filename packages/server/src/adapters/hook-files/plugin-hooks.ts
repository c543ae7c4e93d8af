/**
 * Hooks that plugins bring. As the CLI finds them (seen with 2.1.325): in `hooks/hooks.json`, and in `hooks` of the manifest, which names
 * files or holds them; without a manifest, the marketplace's entry is the manifest.
 */
import { join } from 'node:path'
import type { HookFault } from '@dorkos/shared'
import { isRecord, record } from '../../core/event-map/untrusted.ts'
import type { HookFile } from '../../core/hooks/file-hooks.ts'
import { settingsHooks } from '../../core/hooks/settings-hooks.ts'
import { type JsonNode, memberOf } from '../../core/mcp/json-tree.ts'
import { type FoundPlugin, findPlugins, isPathInside, type PluginsInput } from '../mcp-files/find-plugins.ts'
import { SourceFiles } from '../mcp-files/source-files.ts'
import { readSettings } from './read-settings.ts'

export interface PluginHooks {
  files: HookFile[]
  faults: HookFault[]
}

export async function readPluginHooks(
  input: PluginsInput,
  events: ReadonlySet<string>,
): Promise<PluginHooks> {
  const sources = new SourceFiles()
  const found: PluginHooks = { files: [], faults: [] }
  for await (const plugin of findPlugins(input, sources)) await addHooks(plugin, events, found)
  found.faults.unshift(...sources.faults.map(({ file, reason }) => ({ file, reason })))
  return found
}

async function addHooks(plugin: FoundPlugin, events: ReadonlySet<string>, found: PluginHooks): Promise<void> {
  const { root } = plugin.origin
  const ownFile = join(root, '.claude-plugin', 'plugin.json')
  const own = await readSettings(ownFile, found.faults, root)
  const file = own === undefined ? (plugin.listed.file ?? ownFile) : ownFile
  const given = own === undefined ? plainValue(memberOf(plugin.listed.entry, 'hooks')) : own.hooks
  const parts = Array.isArray(given) ? given.slice(0, 20) : given === undefined ? [] : [given]
  const paths = ['./hooks/hooks.json', ...parts.filter((part) => typeof part === 'string')]
  const seen = new Set<string>()
  const add = (hooks: unknown, from: string) => {
    const hooksOf = settingsHooks(hooks, { source: 'plugin', plugin: plugin.id, file: from }, events)
    if (hooksOf) found.files.push({ source: 'plugin', hooks: hooksOf.hooks })
    else found.faults.push({ file: from, reason: 'Its hooks have a form that the CLI does not take.' })
  }
  for (const path of paths) {
    if (!isPathInside(path) || !path.endsWith('.json')) {
      const reason = 'hooks: a path must begin with ./, end with .json and stay in the plugin.'
      found.faults.push({ file, reason })
      continue
    }
    const at = join(root, path)
    if (seen.has(at)) continue
    seen.add(at)
    const value = await readSettings(at, found.faults, root)
    if (value !== undefined) add(value.hooks, at)
  }
  for (const part of parts.filter(isRecord)) add(isRecord(part.hooks) ? part.hooks : part, file)
}

function plainValue(node: JsonNode | undefined): unknown {
  if (node?.kind === 'array') return node.items.map(plainValue)
  if (node?.kind === 'object')
    return record(Object.fromEntries(node.members.map(({ key, node: value }) => [key, plainValue(value)])))
  return node?.value
}
