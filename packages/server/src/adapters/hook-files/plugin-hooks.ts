/**
 * Plugins that would be loaded, and the hooks that they bring. As the CLI finds them (seen with 2.1.325): in `hooks/hooks.json`, and in `hooks`
 * of the manifest, which names files or holds them; without a manifest, the marketplace's entry is the manifest. To the CLI an entry's own
 * hooks stand in place of all others; here all are found, so that none is missed.
 */
import { join } from 'node:path'
import { type HookFault, isRecord } from '@dorkos/shared'
import { record } from '../../core/event-map/untrusted.ts'
import type { HookFile } from '../../core/hooks/file-hooks.ts'
import { settingsHooks } from '../../core/hooks/settings-hooks.ts'
import type { JsonNode } from '../../core/mcp/json-tree.ts'
import { findPlugins, isPathInside, type PluginsInput } from '../mcp-files/find-plugins.ts'
import { SourceFiles } from '../mcp-files/source-files.ts'
import { readSettings } from './read-settings.ts'

export interface LoadedPlugin {
  id: string
  root: string
  /** Its own manifest, or what the marketplace says where it has none. */
  manifest: Record<string, unknown>
  /** What the marketplace says: hooks and servers of the entry count too. */
  entry: unknown
  /** There is a place where it names hooks or code modules, whatever stands there. */
  bringsHooks: boolean
}

export async function readPluginFiles(
  input: PluginsInput,
  inSkills: readonly { id: string; root: string }[],
  events: ReadonlySet<string>,
): Promise<{ plugins: LoadedPlugin[]; files: HookFile[]; faults: HookFault[] }> {
  const sources = new SourceFiles()
  const faults: HookFault[] = []
  const plugins: LoadedPlugin[] = []
  const files: HookFile[] = []
  const data = (id: string) =>
    join(input.claudeConfigDir, 'plugins', 'data', id.replace(/[^a-zA-Z0-9_-]/g, '-'))
  const add = async (id: string, root: string, entry: unknown, entryFile: string | undefined) => {
    const ownFile = join(root, '.claude-plugin', 'plugin.json')
    const own = await readSettings(ownFile, faults, root)
    const manifest = own ?? record(entry)
    const file = own === undefined ? (entryFile ?? ownFile) : ownFile
    const brought = await hooksOf({ root, file, manifest, entry }, faults)
    plugins.push({ id, root, manifest, entry, bringsHooks: brought.length > 0 })
    const plugin = { id, root, data: data(id) }
    for (const hooks of brought) {
      const read = settingsHooks(hooks.value, { source: 'plugin', plugin: id, file: hooks.file }, events)
      if (read) files.push({ source: 'plugin', file: hooks.file, hooks: read, plugin })
      else faults.push({ file: hooks.file, reason: 'Its hooks have a form that the CLI does not take.' })
    }
  }
  for await (const { id, origin, listed } of findPlugins(input, sources))
    await add(id, origin.root, plainValue(listed.entry), listed.file)
  for (const { id, root } of inSkills) await add(id, root, undefined, undefined)
  return {
    plugins,
    files,
    faults: [...sources.faults.map(({ file, reason }) => ({ file, reason })), ...faults],
  }
}

interface HookValue {
  value: unknown
  file: string
}

async function hooksOf(
  {
    root,
    file,
    manifest,
    entry,
  }: { root: string; file: string; manifest: Record<string, unknown> } & Pick<LoadedPlugin, 'entry'>,
  faults: HookFault[],
): Promise<HookValue[]> {
  const given = [manifest.hooks, manifest === entry ? undefined : record(entry).hooks].flat().slice(0, 20)
  const paths = ['./hooks/hooks.json', ...given.filter((part) => typeof part === 'string')]
  const found: HookValue[] = []
  for (const path of new Set(paths)) {
    if (!isPathInside(path) || !path.endsWith('.json')) {
      faults.push({
        file,
        reason: 'hooks: a path must begin with ./, end with .json and stay in the plugin.',
      })
      continue
    }
    const at = join(root, path)
    const value = await readSettings(at, faults, root)
    if (value !== undefined) found.push({ value: value.hooks, file: at })
  }
  for (const part of given.filter(isRecord))
    found.push({ value: isRecord(part.hooks) ? part.hooks : part, file })
  return found
}

function plainValue(node: JsonNode | undefined): unknown {
  if (node?.kind === 'array') return node.items.map(plainValue)
  if (node?.kind === 'object')
    return record(Object.fromEntries(node.members.map(({ key, node: value }) => [key, plainValue(value)])))
  return node?.value
}
