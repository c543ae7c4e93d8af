/** Finds what somebody means by a few letters: they must come in their order, and count more at the start of a word. */

export interface FuzzyMatch {
  readonly score: number
  /** Where the letters stand, for marking them. */
  readonly positions: readonly number[]
}

const points = { letter: 1, consecutive: 5, wordStart: 8, start: 6, gap: -0.2 } as const
const wordBreak = /[\s\-_:./\\]/

/** Nothing when the letters are not all there. An empty query fits everything equally. */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | undefined {
  const wanted = query.toLowerCase().replace(/\s+/g, '')
  const lower = text.toLowerCase()
  if (wanted === '') return { score: 0, positions: [] }
  const whole = lower.indexOf(wanted)
  const attempts = [positionsFrom(wanted, lower, 0)]
  if (whole > 0) attempts.push(positionsFrom(wanted, lower, whole))
  const atWord = wordStartOf(lower, wanted)
  if (atWord > 0) attempts.push(positionsFrom(wanted, lower, atWord))
  let best: FuzzyMatch | undefined
  for (const positions of attempts) {
    if (!positions) continue
    const score = scoreOf(positions, text)
    if (!best || score > best.score) best = { score, positions }
  }
  return best
}

/** Whether the letters stand together, or each of them begins a word or follows the one before it: what nobody finds by chance. */
export function fitsWords(query: string, text: string): boolean {
  const wanted = query.toLowerCase().replace(/\s+/g, '')
  const lower = text.toLowerCase()
  if (wanted === '' || lower.replace(/\s+/g, '').includes(wanted)) return true
  const isStart = (at: number) => at === 0 || wordBreak.test(lower[at - 1] ?? '')
  const places = Array.from({ length: lower.length }, (_, at) => at)
  /** Where the letters so far may end. */
  let ends = new Set(places.filter((at) => lower[at] === wanted[0] && isStart(at)))
  for (const letter of wanted.slice(1)) {
    const first = Math.min(...ends)
    ends = new Set(
      places.filter((at) => lower[at] === letter && (ends.has(at - 1) || (isStart(at) && at > first))),
    )
  }
  return ends.size > 0
}

/** The best first; what fits equally keeps its order. `texts` gives what is compared, the most telling first. */
export function fuzzyRank<T>(query: string, items: readonly T[], texts: (item: T) => readonly string[]): T[] {
  return items
    .map((item, order) => ({ item, order, score: bestScore(query, texts(item)) }))
    .filter(({ score }) => score !== undefined)
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0) || a.order - b.order)
    .map(({ item }) => item)
}

function bestScore(query: string, texts: readonly string[]): number | undefined {
  let best: number | undefined
  texts.forEach((text, index) => {
    const match = fuzzyMatch(query, text)
    if (!match) return
    const score = match.score - index * 4
    if (best === undefined || score > best) best = score
  })
  return best
}

function positionsFrom(wanted: string, lower: string, from: number): number[] | undefined {
  const positions: number[] = []
  let at = from
  for (const letter of wanted) {
    const found = lower.indexOf(letter, at)
    if (found < 0) return undefined
    positions.push(found)
    at = found + letter.length
  }
  return positions
}

/** The first word that begins with the first letter wanted. */
function wordStartOf(lower: string, wanted: string): number {
  for (let at = 1; at < lower.length; at++) {
    if (lower[at] === wanted[0] && wordBreak.test(lower[at - 1] ?? '')) return at
  }
  return -1
}

function scoreOf(positions: readonly number[], text: string): number {
  let score = 0
  positions.forEach((position, index) => {
    const before = positions[index - 1]
    score += points.letter
    if (position === 0) score += points.start
    if (position === 0 || wordBreak.test(text[position - 1] ?? '')) score += points.wordStart
    if (before !== undefined && position === before + 1) score += points.consecutive
    else if (before !== undefined) score += points.gap * Math.min(20, position - before)
  })
  return score - Math.min(4, text.length / 40)
}
