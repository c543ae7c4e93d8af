/** A plugin's folder: the digest of all that is in it, and what it brings in short. What has not changed is not read again. */

import { realpath } from 'node:fs/promises'
import { basename, posix, relative, sep } from 'node:path'
import { canonicalJson } from '@dorkos/mcp-gateway'
import { isRecord, type PluginPart } from '@dorkos/shared'
import { record, text } from '../../core/event-map/untrusted.ts'
import type { FoundPlugin } from '../../core/ports/hook-files.ts'
import { isInside } from '../../core/real-path.ts'
import type { Seal } from '../../core/trust/covered-item.ts'
import { FileList } from '../trust-files/file-list.ts'
import { readBytes } from '../trust-files/read-bytes.ts'
import type { LoadedPlugin } from './plugin-hooks.ts'

/** A file that changed this shortly before it was read may change again without its times showing it. */
const UNSETTLED_MS = 2000
const MAX_FILE = 20 * 1024 * 1024

interface Content {
  signature: string
  digest: string
  brings: FoundPlugin['brings']
  fault: string | undefined
  settled: boolean
}

export class PluginContents {
  readonly #seal: Seal
  readonly #known = new Map<string, Content>()

  constructor(seal: Seal) {
    this.#seal = seal
  }

  async read(plugin: LoadedPlugin): Promise<FoundPlugin> {
    const { id, root, manifest } = plugin
    const { digest, brings, fault } = await this.#content(plugin)
    const version = text(manifest.version)
    return {
      id,
      root,
      ...(version !== undefined && { version }),
      brings,
      digest,
      ...(fault !== undefined && { fault }),
    }
  }

  async #content(plugin: LoadedPlugin): Promise<Content> {
    const begun = Date.now()
    const root = await realpath(plugin.root).catch(() => plugin.root)
    const list = new FileList({ root, within: [root] })
    await list.add(root, (path) => isUnread(relative(root, path)))
    const entry = asText([plugin.id, plugin.root, plugin.entry ?? null])
    const signature = [entry, ...list.marks.toSorted()].join('\n')
    const known = this.#known.get(plugin.id)
    if (known?.settled && known.signature === signature) return known
    const content = {
      signature,
      settled: list.newest < begun - UNSETTLED_MS,
      ...(await this.#inspect(plugin, root, list, entry)),
    }
    this.#known.set(plugin.id, content)
    return content
  }

  async #inspect(
    plugin: LoadedPlugin,
    root: string,
    list: FileList,
    entry: string,
  ): Promise<Pick<Content, 'digest' | 'brings' | 'fault'>> {
    const [problem] = list.faults
    const parts: (string | Buffer)[] = [entry]
    const texts = new Map<string, string>()
    const read = readPaths(plugin)
    try {
      for (const [path, { real }] of [...list.files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        const content = await readBytes(real, MAX_FILE)
        const name = relative(root, path).split(sep).join('/')
        parts.push(name, content)
        if (isInspected(name, read)) texts.set(name, content.toString('utf8'))
      }
    } catch {
      return { digest: this.#seal(entry), brings: [], fault: 'A file of it cannot be read.' }
    }
    const names = [...list.files.keys()].map((path) => relative(root, path).split(sep).join('/'))
    const fault = problem ? `${problem.path}: ${problem.reason}` : hiddenFault(plugin.manifest, entry)
    return { digest: this.#seal(...parts), brings: whatItBrings(names, texts, plugin.manifest, read), fault }
  }
}

/** What git keeps, and what the CLI (2.1.325) writes into an installed plugin to mark whether it is in use. */
function isUnread(path: string): boolean {
  return path === '.git' || path === '.in_use' || basename(path) === '.orphaned_at'
}

/** Nothing of a plugin may lie where it is not checked. */
function hiddenFault(manifest: Readonly<Record<string, unknown>>, entry: string): string | undefined {
  const isNamed = /[/"]\.(?:git|in_use|orphaned_at)(?:[/"\\]|$)/.test(asText(manifest) + entry)
  return isNamed ? 'It names a folder that belongs to git or to Claude Code itself.' : undefined
}

/** Where the CLI (2.1.325) finds what is looked into, within the plugin: in its own places, and in those that are named to it. */
interface ReadPaths {
  styles: string[]
  hooks: ReadonlySet<string>
}

function readPaths({ manifest, entry }: LoadedPlugin): ReadPaths {
  const named = (key: string) =>
    [manifest[key], record(entry)[key]]
      .flat()
      .filter((path) => typeof path === 'string')
      .map((path) => posix.resolve('/', path).slice(1))
  return {
    styles: ['output-styles', ...named('outputStyles')],
    hooks: new Set(['hooks/hooks.json', ...named('hooks')]),
  }
}

const isStyle = (name: string, { styles }: ReadPaths) =>
  /\.md$/i.test(name) && styles.some((path) => isInside(`/${path}`, `/${name}`))

const isInspected = (name: string, read: ReadPaths) =>
  name === 'settings.json' || read.hooks.has(name) || isStyle(name, read)

/** Its head holds the key, however it is quoted, or could: YAML can spell any letter with a backslash. */
function isForced(style: string): boolean {
  const [, head = style] = /^\uFEFF?---[^\n]*\n([\s\S]*?)\n---/.exec(style) ?? []
  return /force-for-plugin|\\/.test(head)
}

const partPatterns: [PluginPart, RegExp][] = [
  ['skills', /(^|^skills\/.*\/)SKILL\.md$/],
  ['commands', /^commands\/.+\.md$/],
  ['agents', /^agents\/.+\.md$/],
  ['workflows', /^workflows\/.+\.js$/],
  ['programs', /^bin\/.+/],
  ['mcp_servers', /^\.mcp\.json$/],
  ['lsp_servers', /^\.lsp\.json$/],
]

/** Keys of a manifest that bring parts from other places. */
const manifestKeys: [PluginPart, string][] = [
  ['skills', 'skills'],
  ['commands', 'commands'],
  ['agents', 'agents'],
  ['workflows', 'workflows'],
  ['mcp_servers', 'mcpServers'],
  ['lsp_servers', 'lspServers'],
]

/** For people, who decide by it; what counts is the digest. */
function whatItBrings(
  names: readonly string[],
  texts: ReadonlyMap<string, string>,
  manifest: Readonly<Record<string, unknown>>,
  read: ReadPaths,
): FoundPlugin['brings'] {
  const counts = new Map<PluginPart, number>()
  const add = (part: PluginPart, n = 1) => counts.set(part, (counts.get(part) ?? 0) + n)
  for (const [part, pattern] of partPatterns) for (const name of names) if (pattern.test(name)) add(part)
  for (const [part, key] of manifestKeys) if (manifest[key] !== undefined && !counts.has(part)) add(part)
  for (const name of read.hooks) {
    const { modules } = parsed(texts.get(name))
    if (modules !== undefined) add('modules', Array.isArray(modules) ? modules.length : 1)
  }
  const settings = isRecord(manifest.settings) ? manifest.settings : parsed(texts.get('settings.json'))
  if (settings.agent !== undefined) add('main_agent')
  for (const [name, content] of texts)
    if (isStyle(name, read)) add(isForced(content) ? 'forced_style' : 'output_style')
  return [...counts].map(([part, count]) => ({ part, count }))
}

function parsed(json: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json ?? '{}')
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function asText(value: unknown): string {
  try {
    return canonicalJson(value)
  } catch {
    return JSON.stringify('nested too deep')
  }
}
