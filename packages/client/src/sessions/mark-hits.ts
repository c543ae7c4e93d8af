/** Marks the words of a search in what it found. */
export interface HitPart {
  readonly text: string
  readonly hit: boolean
}

const mostWords = 12

export function markHits(snippet: string, query: string): HitPart[] {
  const words = [...new Set(query.toLowerCase().split(/[^\p{L}\p{N}_]+/u))].filter((word) => word !== '')
  if (words.length === 0) return [{ text: snippet, hit: false }]
  // Longer words first, so that a word wins over its own beginning.
  const wanted = words.toSorted((a, b) => b.length - a.length).slice(0, mostWords)
  const pattern = new RegExp(wanted.map(literally).join('|'), 'giu')
  const parts: HitPart[] = []
  let end = 0
  for (const match of snippet.matchAll(pattern)) {
    if (match.index > end) parts.push({ text: snippet.slice(end, match.index), hit: false })
    parts.push({ text: match[0], hit: true })
    end = match.index + match[0].length
  }
  if (end < snippet.length || parts.length === 0) parts.push({ text: snippet.slice(end), hit: false })
  return parts
}

function literally(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
