/** The best of many paths for a query, without sorting them all. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type FuzzyQuery, type FuzzyText, fuzzyFits, fuzzyScore, roughFuzzyScore } from '@dorkos/shared'

interface Scored {
  path: string
  score: number
}

/** Steps of comparison for one query. With more to do, only names count: a workspace must not be able to keep the server busy. */
const maxSteps = 40_000_000
/** How many paths are compared before others get their turn. */
const atOnce = 2000

export async function bestPaths(
  query: FuzzyQuery,
  paths: readonly FuzzyText[],
  count: number,
): Promise<string[]> {
  const fitting: FuzzyText[] = []
  await inPieces(paths, (path) => {
    if (fuzzyFits(query, path)) fitting.push(path)
  })
  const steps = fitting.reduce((sum, { lower }) => sum + lower.length * query.lower.length, 0)
  const score = steps > maxSteps ? roughFuzzyScore : fuzzyScore
  const best: Scored[] = []
  await inPieces(fitting, (path) => keep(best, { path: path.path, score: score(query, path) }, count))
  return best.map(({ path }) => path)
}

async function inPieces<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  for (let start = 0; start < items.length; start += atOnce) {
    if (start > 0) await nextTurn()
    for (let index = start; index < Math.min(start + atOnce, items.length); index++) {
      const item = items[index]
      if (item !== undefined) work(item)
    }
  }
}

/** Best first, at most `count`. */
function keep(best: Scored[], scored: Scored, count: number): void {
  const last = best.at(-1)
  if (best.length >= count && last && isBetter(last, scored)) return
  let low = 0
  let high = best.length
  while (low < high) {
    const middle = (low + high) >> 1
    const other = best[middle]
    if (other && isBetter(other, scored)) low = middle + 1
    else high = middle
  }
  best.splice(low, 0, scored)
  if (best.length > count) best.pop()
}

function isBetter(a: Scored, b: Scored): boolean {
  if (a.score !== b.score) return a.score > b.score
  if (a.path.length !== b.path.length) return a.path.length < b.path.length
  return a.path < b.path
}
