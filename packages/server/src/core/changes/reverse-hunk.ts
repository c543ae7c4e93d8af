/** Takes lines of a comparison back, in a text that may be another by now. Pure. */
import type { Hunk } from '@dorkos/shared'

/** Lines with their ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

const isAt = (lines: readonly string[], at: number, wanted: readonly string[]) =>
  at >= 0 && at + wanted.length <= lines.length && wanted.every((line, index) => lines[at + index] === line)

/**
 * Undefined unless it applies exactly: what it brings back is what was in the text before at that line, and what it takes away is in the
 * text of now, at its line or at one other alone.
 */
export function reverseHunk(before: string, now: string, hunk: Hunk): string | undefined {
  const [old, lines] = [linesOf(before), linesOf(now)]
  const [brought, taken] = [linesOf(hunk.before), linesOf(hunk.after)]
  if (brought.length + taken.length === 0) return undefined
  if (!isAt(old, hunk.before_line - 1, brought)) return undefined
  const at = findLines(lines, taken, hunk.after_line - 1, () => isBetween(old, lines, hunk))
  if (at === undefined) return undefined
  return [...lines.slice(0, at), ...brought, ...lines.slice(at + taken.length)].join('')
}

function findLines(
  lines: readonly string[],
  taken: readonly string[],
  expected: number,
  isUnmoved: () => boolean,
): number | undefined {
  // Nothing to be found by: it must be between the same lines as it was.
  if (taken.length === 0) return isUnmoved() ? expected : undefined
  if (isAt(lines, expected, taken)) return expected
  const found = lines.flatMap((_, index) => (isAt(lines, index, taken) ? [index] : []))
  return found.length === 1 ? found[0] : undefined
}

/** The lines around those that are to come back are around them in the text before. */
function isBetween(old: readonly string[], lines: readonly string[], hunk: Hunk): boolean {
  const [from, to] = [hunk.before_line - 1, hunk.after_line - 1]
  const after = from + linesOf(hunk.before).length
  return to <= lines.length && old[from - 1] === lines[to - 1] && old[after] === lines[to]
}
