import type { TrustItem, TrustState } from '@dorkos/shared'
import type { Tone } from '../ui/notice.tsx'

export const trustTones: Record<TrustState, Tone> = { trusted: 'ok', untrusted: 'neutral', changed: 'warn' }

/** Before an address, in what the server says that an item runs. */
const connectsTo = 'connects to '

/** What of an item runs, and what it only connects to. What could be a command of these very words counts as one. */
export function launches({ kind, runs, text }: TrustItem): { addresses: string[]; commands: string[] } {
  const [first, ...rest] = runs
  if (kind !== 'server' || !first?.startsWith(connectsTo) || !isRemote(text))
    return { addresses: [], commands: runs }
  return { addresses: [first.slice(connectsTo.length)], commands: rest }
}

/** As its entry says, in the words in which the server reads it. */
function isRemote(text: string | undefined): boolean {
  try {
    const entry: unknown = JSON.parse(text ?? '')
    if (typeof entry !== 'object' || entry === null) return false
    if ('type' in entry) return entry.type !== 'stdio'
    return 'url' in entry && !('command' in entry)
  } catch {
    return false
  }
}

/** What a settings file lets run unasked (`permissions.allow`), as its rules say it; undefined where it cannot be read here. */
export function allowedUnasked({ kind, text, cut }: TrustItem): string[] | undefined {
  if (kind !== 'settings') return []
  if (text === undefined || cut) return undefined
  try {
    const settings: unknown = JSON.parse(text)
    const permissions = fieldOf(settings, 'permissions')
    const allow = fieldOf(permissions, 'allow')
    if (allow === undefined) return []
    if (!Array.isArray(allow)) return undefined
    return allow.map((rule) => (typeof rule === 'string' ? rule : JSON.stringify(rule)))
  } catch {
    return undefined
  }
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}
