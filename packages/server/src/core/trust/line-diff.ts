/** A small unified diff of two texts: hunks without the head that names files. Bounded in time and size. */
import { diffArrays } from 'diff'

const CONTEXT = 2
/** Lines that came or went: more than are shown. The time grows with the square of it. */
const MAX_EDITS = 400
const MAX_LINES = 200
const MAX_LINE = 400
const NO_NEWLINE = '\\ No newline at end of file'

export interface LineDiff {
  /** Empty if the texts are the same. */
  diff: string
  /** Not all of it is shown. */
  cut: boolean
}

interface Line {
  sign: ' ' | '-' | '+'
  text: string
}

export function lineDiff(before: string, after: string): LineDiff {
  const lines = compare(linesOf(before, after), linesOf(after, before))
  const shown: string[] = []
  let cut = false
  for (const { first, last } of hunksOf(lines)) {
    const room = MAX_LINES - shown.length - 1
    const hunk = lines.slice(first, Math.min(last + 1, first + Math.max(0, room)))
    cut ||= hunk.length <= last - first
    if (hunk.length === 0) break
    shown.push(headOf(lines.slice(0, first), hunk), ...hunk.map(({ sign, text }) => sign + shortened(text)))
    cut ||= hunk.some(({ text }) => shortened(text) !== text)
  }
  return { diff: shown.join('\n'), cut }
}

/** The last one carries with it that no line break follows, where that is a difference. */
function linesOf(text: string, other: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (text.endsWith('\n')) lines.pop()
  else if (other.endsWith('\n')) lines.push(`${lines.pop()}\n${NO_NEWLINE}`)
  return lines
}

function shortened(text: string): string {
  const [line = '', mark] = text.split('\n')
  if (line.length <= MAX_LINE) return text
  return `${line.slice(0, MAX_LINE)}…${mark === undefined ? '' : `\n${mark}`}`
}

const signed = (sign: Line['sign'], texts: string[]): Line[] => texts.map((text) => ({ sign, text }))

/** Where there is too much to compare, all of one is replaced by all of the other. */
function compare(old: string[], now: string[]): Line[] {
  const changes = diffArrays(old, now, { maxEditLength: MAX_EDITS })
  if (!changes) return [...signed('-', old), ...signed('+', now)]
  return changes.flatMap(({ added, removed, value }) => signed(added ? '+' : removed ? '-' : ' ', value))
}

/** What changed with a little around it, by the places of the first and the last line. Hunks that would touch are one. */
function hunksOf(lines: readonly Line[]): { first: number; last: number }[] {
  const hunks: { first: number; last: number }[] = []
  for (const [at, { sign }] of lines.entries()) {
    if (sign === ' ') continue
    const last = Math.min(at + CONTEXT, lines.length - 1)
    const open = hunks.at(-1)
    if (open && open.last >= at - CONTEXT - 1) open.last = last
    else hunks.push({ first: Math.max(0, at - CONTEXT), last })
  }
  return hunks
}

function headOf(before: readonly Line[], hunk: readonly Line[]): string {
  const range = (other: Line['sign']) => {
    const of = (lines: readonly Line[]) => lines.filter(({ sign }) => sign !== other).length
    const count = of(hunk)
    // Of no lines it is the place behind the line before.
    return `${of(before) + (count === 0 ? 0 : 1)},${count}`
  }
  return `@@ -${range('+')} +${range('-')} @@`
}
