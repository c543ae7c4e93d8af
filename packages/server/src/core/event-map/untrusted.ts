/** Reading fields of a message that may hold anything: a value of the wrong kind counts as absent. */
import { isRecord } from '@dorkos/shared'

export type Fields = Readonly<Record<string, unknown>>

/** The object in a field; an empty one where there is none. */
export function record(value: unknown): Fields {
  return isRecord(value) ? value : {}
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A string that is not empty. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function finite(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function integer(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined
}

/** The last moment that is written with a year of four digits. */
const lastTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Milliseconds since 1970 → the contract's form of a time; undefined for what is no time. */
export function checkedTime(milliseconds: unknown): string | undefined {
  const value = finite(milliseconds)
  if (value === undefined || value < 0 || value > lastTime) return undefined
  return new Date(value).toISOString()
}

/** A `timestamp` of the CLI's, in the contract's form. */
export function cliTime(timestamp: unknown): string | undefined {
  return typeof timestamp === 'string' ? checkedTime(Date.parse(timestamp)) : undefined
}

/** The object without its undefined fields: optional fields of an event are absent, never undefined. */
export function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> }
}
