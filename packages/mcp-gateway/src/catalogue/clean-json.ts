/** A copy of a JSON value of unknown origin: bounded, free of hidden characters, and made of plain objects. */
import { cleanText, hasHiddenCharacters } from './clean-text.ts'

/** Nesting that a schema or any other field may have. */
const MAX_DEPTH = 32
/** Values within one field; keeps the work linear where an object is reached by many ways. */
const MAX_NODES = 50_000

/** Why a value cannot be kept; its message completes "it …". */
export class UncleanValue extends Error {}

/** Throws UncleanValue. What JSON cannot carry is left out, or null in arrays. */
export function cleanJson(value: unknown): unknown {
  const budget = { nodes: MAX_NODES }
  return copy(value, MAX_DEPTH, budget)
}

function copy(value: unknown, depthLeft: number, budget: { nodes: number }): unknown {
  if (--budget.nodes < 0) throw new UncleanValue('has too many parts')
  switch (typeof value) {
    case 'string':
      return cleanText(value)
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value + 0 : null
    case 'object':
      break
    default:
      return undefined
  }
  if (value === null) return null
  if (depthLeft <= 0) throw new UncleanValue(`is nested more than ${MAX_DEPTH} deep`)
  if (Array.isArray(value)) return value.map((item) => copy(item, depthLeft - 1, budget) ?? null)
  return copyObject(value, depthLeft, budget)
}

function copyObject(value: object, depthLeft: number, budget: { nodes: number }): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    if (key === '__proto__') throw new UncleanValue("has a key '__proto__'")
    if (hasHiddenCharacters(key)) throw new UncleanValue('has a key with hidden characters')
    const item = copy((value as Record<string, unknown>)[key], depthLeft - 1, budget)
    if (item !== undefined) result[key] = item
  }
  return result
}
