/** Small helpers for values of unknown origin that have to end up as JSON. */
import { isRecord } from '@dorkos/processes'

export type JsonCopy = { ok: true; value: unknown } | { ok: false; reason: string }

/** Beyond it readers of JSON fail, each at a depth of its own; the writer of newer Nodes has none. */
const mostLevels = 1000

/** The value as JSON would carry it, or why it cannot be carried. Never throws. */
export function copyAsJson(value: unknown): JsonCopy {
  try {
    const text = JSON.stringify(value)
    if (text === undefined) return { ok: false, reason: `${describe(value)} cannot be written as JSON` }
    const copy: unknown = JSON.parse(text)
    if (isDeeper(copy, mostLevels)) return { ok: false, reason: `it has more than ${mostLevels} levels` }
    return { ok: true, value: copy }
  } catch (error) {
    return { ok: false, reason: errorText(error).split('\n', 1)[0] ?? 'it cannot be written as JSON' }
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((child) => isDeeper(child, levels - 1))
}

/** What kind of thing a value is, for messages: "undefined", "a number", "an array". */
export function describe(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (Array.isArray(value)) return 'an array'
  const kind = typeof value
  return kind === 'object' ? 'an object' : `a ${kind}`
}

/** The text of whatever was thrown. Never throws itself. */
export function errorText(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return thrown.message || thrown.name
    if (typeof thrown === 'string') return thrown
    if (isRecord(thrown) && typeof thrown.message === 'string') return thrown.message
    return (typeof thrown === 'object' && JSON.stringify(thrown)) || String(thrown)
  } catch {
    return `${describe(thrown)} was thrown`
  }
}
