/** Finds what somebody means by a few letters. */
import { type FuzzyQuery, fuzzyFits, fuzzyQuery, fuzzyScore, fuzzyText } from '@dorkos/shared'

const wordBreak = /[\s\-_:./\\]/

/** Whether the letters stand together, or each of them begins a word or follows the one before it: what nobody finds by chance. */
export function fitsWords(query: string, text: string): boolean {
  const wanted = query.toLowerCase().replace(/\s+/g, '')
  const lower = text.toLowerCase()
  if (wanted === '' || lower.replace(/\s+/g, '').includes(wanted)) return true
  const isStart = (at: number) => at === 0 || wordBreak.test(lower[at - 1] ?? '')
  const indexes = Array.from({ length: lower.length }, (_, at) => at)
  /** Where the letters so far may end. */
  let ends = new Set(indexes.filter((at) => lower[at] === wanted[0] && isStart(at)))
  for (const letter of wanted.slice(1)) {
    const first = Math.min(...ends)
    ends = new Set(
      indexes.filter((at) => lower[at] === letter && (ends.has(at - 1) || (isStart(at) && at > first))),
    )
  }
  return ends.size > 0
}

/** The best first; what fits equally keeps its order. `texts` gives what is compared, the most significant first. */
export function fuzzyRank<T>(query: string, items: readonly T[], texts: (item: T) => readonly string[]): T[] {
  const asked = fuzzyQuery(query)
  if (asked.text === '') return [...items]
  return items
    .map((item, order) => ({ item, order, score: bestScore(asked, texts(item)) }))
    .filter(({ score }) => score !== undefined)
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0) || a.order - b.order)
    .map(({ item }) => item)
}

function bestScore(query: FuzzyQuery, texts: readonly string[]): number | undefined {
  const scores = texts.flatMap((text, index) => {
    const prepared = fuzzyText(text)
    return fuzzyFits(query, prepared) ? [fuzzyScore(query, prepared) - index * 4] : []
  })
  return scores.length > 0 ? Math.max(...scores) : undefined
}
