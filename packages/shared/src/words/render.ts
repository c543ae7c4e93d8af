/** From a reason and its parameters to a sentence, in the words of any table. */
import type { Said } from './said.ts'

/** Undefined for a reason that the table lacks, or parameters that it was not written for. */
export function render(
  table: Readonly<Record<string, unknown>>,
  { reason, params }: Said,
): string | undefined {
  const word = Object.hasOwn(table, reason) ? table[reason] : undefined
  if (typeof word === 'string') return word
  if (typeof word !== 'function') return undefined
  const inWords = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inWords)
    return isSaid(value) ? (render(table, value) ?? value.reason) : value
  }
  try {
    const filled = Object.entries(params ?? {}).map(([name, value]) => [name, inWords(value)])
    return String(word(Object.fromEntries(filled)))
  } catch {
    return undefined
  }
}

function isSaid(value: unknown): value is Said {
  return typeof value === 'object' && value !== null && 'reason' in value && typeof value.reason === 'string'
}
