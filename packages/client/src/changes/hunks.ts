/** Where two texts differ, with some lines around: what is drawn, and what is sent to take it back. Loaded with the first diff. */
import type { Hunk } from '@dorkos/shared'
import { diffTexts } from '../render/diff-lines.ts'
import type { DiffResult, DiffRow } from '../render/diff-rows.ts'

export interface ShownHunk {
  hunk: Hunk
  /** With lines around it. */
  result: DiffResult
  /** In the text after; of the text before where lines are only gone. */
  from: number
  to: number
}

const context = 3

/** Lines with their ends. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Undefined where the texts are too different to be compared line by line. */
export function hunksOf(before: string, after: string): ShownHunk[] | undefined {
  const { sections, rough } = diffTexts(before, after)
  if (rough) return undefined
  const rows = sections.flatMap((section) => section.rows)
  const sides = { before: linesOf(before), after: linesOf(after) }
  const hunks: ShownHunk[] = []
  for (let at = 0; at < rows.length; at += 1) {
    if (rows[at]?.kind === 'same') continue
    let end = at
    while (end < rows.length && rows[end]?.kind !== 'same') end += 1
    hunks.push(shownHunk(rows, at, end, sides))
    at = end
  }
  // Only how the last line ends differs.
  if (hunks.length === 0 && before !== after) return undefined
  return hunks
}

function shownHunk(
  rows: readonly DiffRow[],
  start: number,
  end: number,
  sides: { before: readonly string[]; after: readonly string[] },
): ShownHunk {
  const changed = rows.slice(start, end)
  const earlier = rows.slice(0, start)
  const count = (side: 'before' | 'after', of: readonly DiffRow[]) =>
    of.filter((row) => row[side] !== undefined).length
  const first = { before: count('before', earlier), after: count('after', earlier) }
  const length = { before: count('before', changed), after: count('after', changed) }
  const textOf = (side: 'before' | 'after') =>
    sides[side].slice(first[side], first[side] + length[side]).join('')
  const shown = rows.slice(start - sameRows(rows, start - 1, -1), end + sameRows(rows, end, 1))
  const side = length.after > 0 ? 'after' : 'before'
  return {
    hunk: {
      before_line: first.before + 1,
      before: textOf('before'),
      after_line: first.after + 1,
      after: textOf('after'),
    },
    result: { sections: [{ rows: shown }], added: length.after, removed: length.before, rough: false },
    from: first[side] + 1,
    to: first[side] + length[side],
  }
}

/** How many lines that stayed are next to a hunk, of those that are drawn with it. */
function sameRows(rows: readonly DiffRow[], at: number, step: 1 | -1): number {
  let count = 0
  while (count < context && rows[at + count * step]?.kind === 'same') count += 1
  return count
}
