/** A server's entry ↔ what stands in its form. Pure. */
import { type McpEntryInput, type McpServer, mcpEntrySchema } from '@dorkos/shared'
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

export const emptyDraft: EntryDraft = {
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

const nameForm = /^(?!.*__)[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

/** `isChange`: of an entry that was shown masked. There the server keeps what still stands masked, and refuses what it cannot tell. */
export function readEntry(draft: EntryDraft, { isChange = false } = {}): ReadEntry {
  const isFault = isChange ? () => false : isMasked
  const faults = {
    ...commonFaults(draft),
    ...(draft.type === 'stdio' ? stdioFaults(draft, isFault) : remoteFaults(draft, isFault)),
  }
  if (Object.keys(faults).length > 0) return { entry: undefined, faults }
  const parsed = mcpEntrySchema.safeParse(entryOf(draft))
  if (parsed.success) return { entry: parsed.data, faults }
  return { entry: undefined, faults: { entry: parsed.error.issues[0]?.message ?? text.ui.unknownError } }
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

function commonFaults(draft: EntryDraft): EntryFaults {
  const words = text.mcp.entry.faults
  const seconds = draft.timeoutSeconds.trim() === '' ? 60 : Number(draft.timeoutSeconds)
  return {
    ...(!nameForm.test(draft.name.trim()) && { name: words.name }),
    ...(!draft.host && !draft.container && { modes: words.modes }),
    ...(!(seconds >= 1 && seconds <= 86_400) && { timeout: words.timeout }),
  }
}

type IsFault = (value: string) => boolean

function stdioFaults({ command, args, env, cwd }: EntryDraft, isFault: IsFault): EntryFaults {
  const words = text.mcp.entry.faults
  const pairs = pairsFault(env, isFault)
  return {
    ...(command.trim() === '' ? { command: words.command } : isFault(command) && { command: words.masked }),
    ...(args.some(isFault) && { args: words.masked }),
    ...(pairs !== undefined && { env: pairs }),
    ...(isFault(cwd) && { cwd: words.masked }),
  }
}

function remoteFaults({ url, headers }: EntryDraft, isFault: IsFault): EntryFaults {
  const words = text.mcp.entry.faults
  const pairs = pairsFault(headers, isFault)
  const isAddress = /^https?:\/\/\S+$/i.test(url.trim()) || /^\$\{[A-Za-z_]\w*/.test(url.trim())
  return {
    ...(isFault(url) ? { url: words.masked } : !isAddress && { url: words.url }),
    ...(pairs !== undefined && { headers: pairs }),
  }
}

function pairsFault(pairs: readonly Pair[], isFault: IsFault): string | undefined {
  const words = text.mcp.entry.faults
  const names = pairs.map(({ name }) => name.trim())
  if (names.some((name) => name === '')) return words.pairName
  if (new Set(names).size !== names.length) return words.pairTwice
  return pairs.some(({ value }) => isFault(value)) ? words.masked : undefined
}
