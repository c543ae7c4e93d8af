/** The rows of a diff, and how they are laid out. */

interface DiffPart {
  text: string
  changed: boolean
}

export interface DiffRow {
  kind: 'same' | 'added' | 'removed'
  text: string
  /** Line numbers, from 1, where the line is in that side. */
  before?: number
  after?: number
  /** What differs inside the line, if it has a counterpart. */
  parts?: readonly DiffPart[]
}

export interface DiffSection {
  fileName?: string
  rows: readonly DiffRow[]
  /** The end of a file that has no line end, on one side only. */
  noNewline?: boolean
}

export interface DiffResult {
  sections: readonly DiffSection[]
  added: number
  removed: number
  /** The sides were too different to compare within the time allowed. */
  rough: boolean
}

/** Rows side by side: the left is the old text, the right the new. */
export function splitPairs(rows: readonly DiffRow[]): [DiffRow | undefined, DiffRow | undefined][] {
  const pairs: [DiffRow | undefined, DiffRow | undefined][] = []
  for (const run of runs(rows)) {
    if (run.same) for (const row of run.same) pairs.push([row, row])
    const length = Math.max(run.removed.length, run.added.length)
    for (let index = 0; index < length; index += 1) pairs.push([run.removed[index], run.added[index]])
  }
  return pairs
}

export type DiffPiece = { hidden: readonly DiffRow[] } | { rows: readonly DiffRow[] }

/** Long runs of unchanged lines are folded, with some lines left around changes. */
export function foldRows(rows: readonly DiffRow[], context = 3): DiffPiece[] {
  const pieces: DiffPiece[] = []
  let from = 0
  let at = 0
  const push = (end: number) => end > from && pieces.push({ rows: rows.slice(from, end) })
  while (at < rows.length) {
    let end = at
    while (rows[end]?.kind === 'same') end += 1
    const start = at === 0 ? 0 : at + context
    const stop = end === rows.length ? end : end - context
    if (stop - start > 2 && end - at < rows.length) {
      push(start)
      pieces.push({ hidden: rows.slice(start, stop) })
      from = stop
    }
    at = end + 1
  }
  push(rows.length)
  return pieces
}

const lastRows = 200

/** The same where it is not too long. Else only its beginning and its end are open: what is dangerous likes to stand at the end. */
export function foldMiddle(rows: readonly DiffRow[], most: number): DiffPiece[] {
  if (rows.length <= most) return foldRows(rows)
  return [
    ...foldRows(rows.slice(0, most - lastRows)),
    { hidden: rows.slice(most - lastRows, -lastRows) },
    ...foldRows(rows.slice(-lastRows)),
  ]
}

export interface Run {
  same?: DiffRow[]
  removed: DiffRow[]
  added: DiffRow[]
}

/** Lines that were removed and added together, between lines that stayed. */
export function runs(rows: readonly DiffRow[]): Run[] {
  const all: Run[] = []
  for (const row of rows) {
    const last = all.at(-1)
    if (row.kind === 'same') {
      if (last?.same) last.same.push(row)
      else all.push({ same: [row], removed: [], added: [] })
      continue
    }
    const fits = last && !last.same && (row.kind === 'added' || last.added.length === 0)
    const run = fits ? last : { removed: [], added: [] }
    if (!fits) all.push(run)
    run[row.kind].push(row)
  }
  return all
}
