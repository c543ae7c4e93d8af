/** The keys of the configuration as the page orders and names them. Keys that it does not know are shown too. */

import { ApiError, type ConfigView } from '@dorkos/shared'
import { saidOf } from '../live/untrusted-field.ts'
import { text } from '../text/page-text.ts'
import { serverWords } from '../text/server-words.ts'

export type ConfigEntry = ConfigView['keys'][number]
export type ConfigGroup = keyof typeof text.settings.groups

const groupKeys: readonly [ConfigGroup, RegExp][] = [
  ['server', /^(port|host|insecureLan|tls|publicOrigins|trustedProxies|defaultCwd|roots)$/],
  ['agents', /^(model|anthropicBaseUrl|cliPath|agentEnv|sandbox|sandboxNetwork)$/],
  ['sessions', /^sessions\./],
  ['budgets', /^budgets\./],
  ['approvals', /^(approvals\.|rules$)/],
  ['mcp', /^(mcp\.|mcpServers$)/],
  ['storage', /^(events|log)\./],
]

/** The order on the page: what is changed often comes first. */
const groupOrder: readonly ConfigGroup[] = [
  'agents',
  'sessions',
  'budgets',
  'approvals',
  'mcp',
  'server',
  'storage',
  'other',
]

const names: Readonly<Record<string, string>> = text.settings.names

export function keyName(path: string): string {
  return Object.hasOwn(names, path) ? (names[path] ?? path) : path
}

export function groupOf(path: string): ConfigGroup {
  return groupKeys.find(([, pattern]) => pattern.test(path))?.[0] ?? 'other'
}

/** Those that fit the words, in groups; a group without any is left out. */
export function groupEntries(
  entries: readonly ConfigEntry[],
  words: string,
): { group: ConfigGroup; entries: ConfigEntry[] }[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = ({ path, description, env, flag }: ConfigEntry) => {
    const all = [path, keyName(path), description, env, flag, text.settings.groups[groupOf(path)]]
    const hay = all.join(' ').toLowerCase()
    return wanted.every((word) => hay.includes(word))
  }
  return groupOrder
    .map((group) => ({ group, entries: entries.filter((one) => groupOf(one.path) === group && fits(one)) }))
    .filter((found) => found.entries.length > 0)
}

/** What the file says: the value that waits for a restart, if one does. */
export function fileValue(entry: Pick<ConfigEntry, 'value' | 'pending'>): unknown {
  return 'pending' in entry ? entry.pending : entry.value
}

/** Why a key cannot be changed here; undefined when it can. */
export function fixedBecause(
  entry: Pick<ConfigEntry, 'path' | 'source' | 'env' | 'flag' | 'file_only'>,
): string | undefined {
  const t = text.settings
  if (entry.path === 'mcpServers') return t.mcpElsewhere
  if (entry.source === 'env') return t.byEnv(entry.env ?? '')
  if (entry.source === 'flag') return t.byFlag(entry.flag ?? '')
  return entry.file_only ? t.fileOnly : undefined
}

/** What the server says about one key: its own faults, else the whole message. */
export function faultOf(error: unknown, path: string, whole: string): string {
  if (!(error instanceof ApiError) || !Array.isArray(error.details)) return whole
  const own = error.details.flatMap((detail: unknown) => {
    if (typeof detail !== 'object' || detail === null) return []
    const { path: where, message, said } = detail as { path?: unknown; message?: unknown; said?: unknown }
    const isOwn =
      typeof where === 'string' &&
      (where === path || where.startsWith(`${path}.`) || where.startsWith(`${path}[`))
    return isOwn && typeof message === 'string' ? [serverWords(saidOf(said), message)] : []
  })
  return own.length > 0 ? sentence(own.join('; ')) : whole
}

function sentence(words: string): string {
  const begun = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.?!]$/.test(begun) ? begun : `${begun}.`
}
