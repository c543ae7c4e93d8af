/** One hook as settings hold it → what people are shown of it. Pure. */
import { defined, type Fields, finite, record, text } from '../event-map/untrusted.ts'
import type { HookText } from '../ports/hook-files.ts'
import { maskCommand, maskPair, maskWords } from '../trust/mask-text.ts'

export type HookOrigin = Pick<HookText, 'source' | 'file' | 'plugin'>

/** Where in the settings it stands. */
export interface HookSpot extends HookOrigin {
  event: string
  matcher: string
}

/** Asked about tool calls, so what they say can decide whether one runs. */
const decidingEvents: ReadonlySet<string> = new Set(['PreToolUse', 'PermissionRequest'])

const MAX_RUNS = 8000
const MAX_SHORT = 500

/** Undefined for what the CLI (2.1.325) leaves out too: another kind, or a field of the wrong type. */
export function toHook(entry: Fields, { event, matcher, ...origin }: HookSpot): HookText | undefined {
  const { type } = entry
  const timeout = finite(entry.timeout)
  const runs = typeof type === 'string' ? whatRuns(type, entry) : undefined
  if (typeof type !== 'string' || runs === undefined) return undefined
  if (entry.timeout !== undefined && (timeout === undefined || timeout <= 0)) return undefined
  const condition = text(entry.if)
  const isLong = runs.length > MAX_RUNS
  const decides = decidingEvents.has(event)
  const isBackground = type === 'command' && isInBackground(entry)
  // What a policy brings Claude Code runs itself, and takes its word.
  const isHeard = origin.source === 'policy' || (entry.if === undefined && !isBackground)
  return defined({
    event: short(event),
    // To the CLI they are the same.
    matcher: matcher === '' || matcher === '*' ? undefined : short(matcher),
    kind: short(type),
    runs: isLong ? runs.slice(0, MAX_RUNS) : runs,
    cut: isLong || undefined,
    ...origin,
    condition: condition === undefined ? undefined : short(maskCommand(condition)),
    timeout_seconds: timeout,
    background: isBackground || undefined,
    once: entry.once === true || undefined,
    decides: decides || undefined,
    can_allow: (decides && isHeard) || undefined,
  })
}

/** The turn does not wait for it, so it decides nothing. */
export function isInBackground(entry: Fields): boolean {
  return entry.async === true || entry.asyncRewake === true
}

const short = (value: string) => (value.length > MAX_SHORT ? `${value.slice(0, MAX_SHORT)}…` : value)

function whatRuns(type: string, entry: Fields): string | undefined {
  if (type === 'command') return commandLine(entry)
  if (type === 'prompt' || type === 'agent') return masked(entry.prompt)
  if (type === 'http') return request(entry)
  if (type !== 'mcp_tool') return undefined
  const [server, tool] = [masked(entry.server), masked(entry.tool)]
  return server === undefined || tool === undefined ? undefined : `${server}/${tool}`
}

/** The address, and a line for each header. */
function request({ url, headers }: Fields): string | undefined {
  const address = masked(url)
  if (address === undefined) return undefined
  const lines = Object.entries(record(headers)).map(([name, value]) => `${name}: ${maskPair(String(value))}`)
  return [address, ...lines].join('\n')
}

const masked = (value: unknown) => (typeof value === 'string' ? maskCommand(value) : undefined)

/** With `args` no shell is between: each is one word, whatever is in it. */
function commandLine({ command, args }: Fields): string | undefined {
  if (typeof command !== 'string') return undefined
  if (args === undefined) return maskCommand(command)
  // More than can be shown does not run.
  if (!Array.isArray(args) || args.length > 500 || !args.every((arg) => typeof arg === 'string'))
    return undefined
  const words: string[] = maskWords([command, ...args])
  return words.map((word) => (/^[^\s"'\\]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
}
