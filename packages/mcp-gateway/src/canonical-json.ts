/** One text for equal JSON values, whatever the order of their keys: what hashes are made of. */

/** Nothing that people or models write is nested this deep. */
const DEFAULT_MAX_DEPTH = 200

/**
 * Keys are sorted by their UTF-16 code units; properties that are undefined are left out. Throws TypeError for what JSON cannot
 * carry, for cycles, and for values nested deeper than `maxDepth`.
 */
export function canonicalJson(value: unknown, maxDepth = DEFAULT_MAX_DEPTH): string {
  return write(value, maxDepth, new Set())
}

function write(value: unknown, depthLeft: number, above: Set<object>): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${value} cannot be written as JSON`)
    return JSON.stringify(value)
  }
  if (typeof value !== 'object') throw new TypeError(`A ${typeof value} cannot be written as JSON`)
  if (above.has(value)) throw new TypeError('A value that contains itself cannot be written as JSON')
  if (depthLeft <= 0) throw new TypeError('The value is nested too deeply')
  above.add(value)
  const text = Array.isArray(value)
    ? `[${value.map((item) => write(item, depthLeft - 1, above)).join(',')}]`
    : writeObject(value, depthLeft, above)
  above.delete(value)
  return text
}

function writeObject(value: object, depthLeft: number, above: Set<object>): string {
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError('Only plain objects can be written as canonical JSON')
  const fields: string[] = []
  for (const key of Object.keys(value).sort()) {
    const item = (value as Record<string, unknown>)[key]
    if (item === undefined) continue
    fields.push(`${JSON.stringify(key)}:${write(item, depthLeft - 1, above)}`)
  }
  return `{${fields.join(',')}}`
}
