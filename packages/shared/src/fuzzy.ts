/** How well a text fits what somebody types: letters in their order, as fuzzy finders take them. Made for paths; a name without “/” is one, too. */

const points = {
  letter: 1,
  /** The letter before it fits too. */
  consecutive: 6,
  wordStart: 8,
  inName: 3,
  sameCase: 1,
  gap: -2,
  nameStart: 6,
  wholeName: 20,
} as const

/** Where a new word begins: behind these, or at a capital after a small letter. */
const separators = new Set([...'/\\_-.: ()[]@+'].map((separator) => separator.charCodeAt(0)))
const never = Number.NEGATIVE_INFINITY

/** A text with what is needed to compare it, made once for many queries. */
export interface FuzzyText {
  path: string
  lower: string
  /** Where the last part begins. */
  nameStart: number
}

export function fuzzyText(path: string): FuzzyText {
  return { path, lower: path.toLowerCase(), nameStart: path.lastIndexOf('/') + 1 }
}

/** What was typed, without spaces. */
export interface FuzzyQuery {
  text: string
  lower: string
}

export function fuzzyQuery(typed: string): FuzzyQuery {
  const text = typed.replace(/\s+/g, '').replace(/^(\.?\/)+/, '')
  return { text, lower: text.toLowerCase() }
}

/** More letters than that are no longer found singly, but only as they stand. */
const maxLetters = 64

/** Whether all letters are there in their order: cheap, and most paths fail it. */
export function fuzzyFits({ lower }: FuzzyQuery, path: FuzzyText): boolean {
  if (lower.length > maxLetters) return path.lower.includes(lower)
  let from = 0
  for (const letter of lower) {
    const at = path.lower.indexOf(letter, from)
    if (at === -1) return false
    from = at + letter.length
  }
  return true
}

/** Rows of `fuzzyScore`, kept for the next call: a search makes thousands of them. */
let row = new Float64Array(256)
let nextRow = new Float64Array(256)

/**
 * The points of the best way to lay a query over a path that it fits; higher is better. Costs as many steps as the product of their
 * lengths.
 */
export function fuzzyScore(query: FuzzyQuery, path: FuzzyText): number {
  const { length } = path.lower
  if (row.length < length) {
    row = new Float64Array(2 * length)
    nextRow = new Float64Array(2 * length)
  }
  let best = never
  for (let letter = 0; letter < query.lower.length; letter++) {
    best = fillRow(query, path, letter)
    const filled = nextRow
    nextRow = row
    row = filled
  }
  return best + wholeScore(query, path)
}

/** Without looking for the best way: for when there is too much to search. */
export function roughFuzzyScore(query: FuzzyQuery, path: FuzzyText): number {
  return wholeScore(query, path) + (path.lower.includes(query.lower, path.nameStart) ? points.wordStart : 0)
}

/** Of `row` (the best score when the letter before lies at an index) makes `nextRow`, the same for this letter. Returns the best in it. */
function fillRow({ text, lower }: FuzzyQuery, path: FuzzyText, letter: number): number {
  const wanted = lower.charCodeAt(letter)
  const typed = text.charCodeAt(letter)
  let best = never
  let earlier = never
  for (let index = 0; index < path.lower.length; index++) {
    if (letter > 0 && index > 1) earlier = Math.max(earlier, row[index - 2] ?? never)
    if (path.lower.charCodeAt(index) !== wanted) {
      nextRow[index] = never
      continue
    }
    const adjacent = index > 0 ? (row[index - 1] ?? never) + points.consecutive : never
    const before = letter === 0 ? 0 : Math.max(adjacent, earlier + points.gap)
    const sameCase = path.path.charCodeAt(index) === typed ? points.sameCase : 0
    const score = before + sameCase + letterScore(path, index)
    nextRow[index] = score
    if (score > best) best = score
  }
  return best
}

function letterScore({ path, nameStart }: FuzzyText, index: number): number {
  return (
    points.letter +
    (isWordStart(path, index) ? points.wordStart : 0) +
    (index >= nameStart ? points.inName : 0)
  )
}

function isWordStart(path: string, index: number): boolean {
  if (index === 0) return true
  const before = path.charCodeAt(index - 1)
  return separators.has(before) || (isCapital(path.charCodeAt(index)) && !isCapital(before))
}

function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a
}

/** The name as a whole; and a short path before a long one that fits alike. */
function wholeScore({ lower }: FuzzyQuery, path: FuzzyText): number {
  const short = path.lower.length / -20
  if (!path.lower.startsWith(lower, path.nameStart)) return short
  const end = path.nameStart + lower.length
  const isWhole = end === path.lower.length || end === path.lower.lastIndexOf('.')
  return short + points.nameStart + (isWhole ? points.wholeName : 0)
}
