/** A server's entry ↔ what stands in its form. Pure. */
import { type McpEntryInput, type McpServer, mcpEntrySchema, serverNameFault } from '@dorkos/shared'
import { text } from '../text/page-text.ts'

export interface Pair {
  name: string
  value: string
}

export interface EntryDraft {
  name: string
  type: 'stdio' | 'http' | 'sse'
  command: string
  args: readonly string[]
  env: readonly Pair[]
  cwd: string
  url: string
  headers: readonly Pair[]
  host: boolean
  container: boolean
  timeoutSeconds: string
  sharing: 'auto' | 'shared' | 'session'
  passthrough: boolean
  disabled: boolean
}

export const emptyEntryDraft: EntryDraft = {
  name: '',
  type: 'stdio',
  command: '',
  args: [],
  env: [],
  cwd: '',
  url: '',
  headers: [],
  host: true,
  container: false,
  timeoutSeconds: '',
  sharing: 'auto',
  passthrough: false,
  disabled: false,
}

/** What the server writes in place of a secret. */
const mask = '•••'

export function isMasked(value: string): boolean {
  return value.includes(mask)
}

export function draftOfEntry(name: string, entry: McpServer['entry']): EntryDraft {
  const modes = entry.modes ?? ['host']
  return {
    name,
    type: entry.type,
    command: entry.command ?? '',
    args: entry.args ?? [],
    env: pairsOf(entry.env),
    cwd: entry.cwd ?? '',
    url: entry.url ?? '',
    headers: pairsOf(entry.headers),
    host: modes.includes('host'),
    container: modes.includes('container'),
    timeoutSeconds: entry.timeout === undefined ? '' : String(entry.timeout / 1000),
    sharing: entry.sharing ?? 'auto',
    passthrough: entry.passthrough ?? false,
    disabled: entry.disabled ?? false,
  }
}

function pairsOf(record: Readonly<Record<string, string>> | undefined): Pair[] {
  return Object.entries(record ?? {}).map(([name, value]) => ({ name, value }))
}

export type EntryFaults = Partial<
  Record<
    'name' | 'command' | 'args' | 'env' | 'cwd' | 'url' | 'headers' | 'modes' | 'timeout' | 'entry',
    string
  >
>

export interface ReadEntry {
  /** Undefined while there is a fault. */
  entry: McpEntryInput | undefined
  faults: EntryFaults
}

/** `isChange`: of an entry that was shown masked. There the server keeps what still stands masked, and refuses what it cannot resolve. */
export function readEntry(draft: EntryDraft, { isChange = false } = {}): ReadEntry {
  const { data, error } = mcpEntrySchema.safeParse(entryOf(draft))
  const faults = {
    ...Object.fromEntries((error?.issues ?? []).map(({ path, message }) => faultAt(path[0], message))),
    ...pairFaults(draft),
    ...(isChange ? {} : maskedFaults(draft)),
    ...(serverNameFault(draft.name.trim()) !== undefined && { name: text.mcp.entry.faults.name }),
    ...(!draft.host && !draft.container && { modes: text.mcp.entry.faults.modes }),
  }
  return { entry: Object.keys(faults).length > 0 ? undefined : data, faults }
}

/** The page's words for a part that does not fit, where it has some. */
function faultAt(part: PropertyKey | undefined, message: string): [keyof EntryFaults, string] {
  const { command, url, timeout } = text.mcp.entry.faults
  switch (part) {
    case 'command':
      return [part, command]
    case 'url':
      return [part, url]
    case 'timeout':
      return [part, timeout]
    case 'args':
    case 'env':
    case 'cwd':
    case 'headers':
      return [part, text.mcp.entry.faults.other(message)]
    default:
      return ['entry', message]
  }
}

/** As people would write it: without what is empty or goes without saying. */
function entryOf(draft: EntryDraft): McpEntryInput {
  const args = givenArgs(draft.args)
  const launch =
    draft.type === 'stdio'
      ? {
          command: draft.command.trim(),
          ...(args.length > 0 && { args }),
          ...(draft.env.length > 0 && { env: recordOf(draft.env) }),
          ...(draft.cwd.trim() !== '' && { cwd: draft.cwd.trim() }),
        }
      : {
          type: draft.type,
          url: draft.url.trim(),
          ...(draft.headers.length > 0 && { headers: recordOf(draft.headers) }),
        }
  const modes = [...(draft.host ? ['host' as const] : []), ...(draft.container ? ['container' as const] : [])]
  return {
    ...launch,
    ...(draft.container && { modes }),
    ...(draft.timeoutSeconds.trim() !== '' && { timeout: Math.round(Number(draft.timeoutSeconds) * 1000) }),
    ...(draft.sharing !== 'auto' && { sharing: draft.sharing }),
    ...(draft.passthrough && { passthrough: true }),
    ...(draft.disabled && { disabled: true }),
  }
}

/** An empty field at the end was added and not filled in. Between others it may be meant: what follows keeps its place. */
function givenArgs(args: readonly string[]): string[] {
  return args.slice(0, args.findLastIndex((arg) => arg !== '') + 1)
}

function recordOf(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name.trim(), value]))
}

function maskedFaults({ type, command, args, env, cwd, url, headers }: EntryDraft): EntryFaults {
  const valuesOf = (pairs: readonly Pair[]) => pairs.map(({ value }) => value)
  const texts =
    type === 'stdio'
      ? { command: [command], args, env: valuesOf(env), cwd: [cwd] }
      : { url: [url], headers: valuesOf(headers) }
  const masked = Object.entries(texts).filter(([, values]) => values.some(isMasked))
  return Object.fromEntries(masked.map(([part]) => [part, text.mcp.entry.faults.masked]))
}

function pairFaults({ type, env, headers }: EntryDraft): EntryFaults {
  const words = text.mcp.entry.faults
  const names = (type === 'stdio' ? env : headers).map(({ name }) => name.trim())
  const part = type === 'stdio' ? 'env' : 'headers'
  if (names.includes('')) return { [part]: words.pairName }
  return new Set(names).size < names.length ? { [part]: words.pairTwice } : {}
}
