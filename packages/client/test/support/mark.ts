/** Puts every text of a text object between marks, whatever makes it. */
export function mark<T>(words: T): T
export function mark(words: unknown): unknown {
  if (typeof words === 'string') return words === '' ? '' : `⟦${words}⟧`
  if (typeof words === 'function') return (...given: unknown[]) => mark(words(...given))
  if (Array.isArray(words)) return words.map((one) => mark(one))
  if (typeof words !== 'object' || words === null || words instanceof RegExp) return words
  return Object.fromEntries(Object.entries(words).map(([name, one]) => [name, mark(one)]))
}
