import { createHash } from 'node:crypto'

/** Nothing that people or models write is nested this deep; what is cannot be shown, and is refused. */
const deepest = 200

/**
 * JSON with the keys of every object in order, so that equal values give equal text. Throws `RangeError` for a value that is
 * nested too deep.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0)
}

/** SHA-256 over the canonical JSON, in hex: what an answer is bound to. */
export function inputHash(input: Record<string, unknown>): string {
  return hashText(canonicalJson(input))
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function write(value: unknown, depth: number): string {
  if (depth > deepest) throw new RangeError(`nested deeper than ${deepest} levels`)
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const record = value as Record<string, unknown>
  const members = Object.keys(record)
    .filter((key) => record[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${write(record[key], depth + 1)}`)
  return `{${members.join(',')}}`
}
