/** Small helpers for values of unknown origin that have to end up as JSON. */
import { isRecord } from '@dorkos/processes'

export type JsonCopy = { ok: true; value: unknown } | { ok: false; reason: string }

/** The value as JSON would carry it, or why it cannot be carried. Never throws. */
export function copyAsJson(value: unknown): JsonCopy {
  try {
    const text = JSON.stringify(value)
    if (text === undefined) return { ok: false, reason: `${describe(value)} cannot be written as JSON` }
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    return { ok: false, reason: errorText(error).split('\n', 1)[0] ?? 'it cannot be written as JSON' }
  }
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
