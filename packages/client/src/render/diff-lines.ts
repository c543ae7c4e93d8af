/** Two texts or a patch → rows to draw. No DOM; loaded when the first diff is shown. */
import { diffArrays, diffWordsWithSpace, parsePatch } from 'diff'
import { type DiffResult, type DiffRow, type DiffSection, runs } from './diff-rows.ts'

export interface PatchHunk {
  oldStart: number
  newStart: number
  lines: readonly string[]
}

const timeLimit = 400
const maxIntraLine = 500
/** In all sections together. */
const maxIntraPairs = 400
/** Words that came or went in a pair of lines. The time that a pair takes grows with the square of it. */
const maxIntraEdits = 64

/** `firstLine`: the number of the first line of both, when they are parts of a file. */
export function diffTexts(before: string, after: string, firstLine = 1): DiffResult {
  const old = splitLines(before)
  const now = splitLines(after)
  const changes = diffArrays(old, now, { timeout: timeLimit })
  const rows: DiffRow[] = []
  const at = { before: firstLine, after: firstLine }
  if (changes) for (const change of changes) pushRows(rows, kindOf(change), change.value, at)
  else {
    pushRows(rows, 'removed', old, at)
    pushRows(rows, 'added', now, at)
  }
  const noNewline = before !== '' && after !== '' && before.endsWith('\n') !== after.endsWith('\n')
  return result([{ rows, ...(noNewline && { noNewline }) }], changes === undefined)
}

/** Hunks as the CLI gives them, or the text of a unified diff. Undefined when it cannot be read. */
export function patchRows(patch: string | readonly PatchHunk[]): DiffResult | undefined {
  if (typeof patch !== 'string')
    return result(
      patch.map((hunk) => ({ rows: hunkRows(hunk) })),
      false,
    )
  try {
    const files = parsePatch(patch)
    const sections = files.flatMap((file) =>
      file.hunks.map((hunk, index) => ({
        rows: hunkRows(hunk),
        ...(index === 0 && { fileName: fileName(file.newFileName, file.oldFileName) }),
      })),
    )
    const readable = files.every((file) =>
      file.hunks.every(({ oldStart, newStart }) => oldStart >= 0 && newStart >= 0),
    )
    return sections.length === 0 || !readable ? undefined : result(sections, false)
  } catch {
    return undefined
  }
}

function splitLines(text: string): string[] {
  if (text === '') return []
  const lines = text.replace(/\r\n/g, '\n').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function kindOf(change: { added: boolean; removed: boolean }): DiffRow['kind'] {
  return change.added ? 'added' : change.removed ? 'removed' : 'same'
}

function pushRows(
  rows: DiffRow[],
  kind: DiffRow['kind'],
  lines: readonly string[],
  at: { before: number; after: number },
) {
  for (const text of lines) {
    const row: DiffRow = { kind, text }
    if (kind !== 'added') row.before = at.before++
    if (kind !== 'removed') row.after = at.after++
    rows.push(row)
  }
}

function hunkRows(hunk: PatchHunk): DiffRow[] {
  const rows: DiffRow[] = []
  const at = { before: hunk.oldStart, after: hunk.newStart }
  for (const line of hunk.lines) {
    if (line.startsWith('\\')) continue
    const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same'
    pushRows(rows, kind, [line.slice(1)], at)
  }
  return rows
}

function fileName(now: string | undefined, old: string | undefined): string {
  const name = now && now !== '/dev/null' ? now : (old ?? '')
  return name.replace(/^[ab]\//, '')
}

function result(sections: readonly DiffSection[], rough: boolean): DiffResult {
  const count = (kind: DiffRow['kind']) =>
    sections.reduce((sum, section) => sum + section.rows.filter((row) => row.kind === kind).length, 0)
  if (!rough) markParts(sections)
  return { sections, added: count('added'), removed: count('removed'), rough }
}

function markParts(sections: readonly DiffSection[]): void {
  let pairs = 0
  for (const { removed, added } of sections.flatMap(({ rows }) => runs(rows))) {
    for (const [index, old] of removed.entries()) {
      const now = added[index]
      if (!now || pairs >= maxIntraPairs) break
      if (old.text.length > maxIntraLine || now.text.length > maxIntraLine) continue
      pairs += 1
      markPair(old, now)
    }
  }
}

/** Lines that have little in common are shown whole: scattered marks would say nothing. */
function markPair(old: DiffRow, now: DiffRow): void {
  const changes = diffWordsWithSpace(old.text, now.text, { maxEditLength: maxIntraEdits })
  if (!changes) return
  const common = changes.reduce(
    (sum, one) => sum + (one.added || one.removed ? 0 : one.value.trim().length),
    0,
  )
  const shorter = Math.min(old.text.trim().length, now.text.trim().length)
  if (common < shorter * 0.4) return
  old.parts = changes.filter((one) => !one.added).map((one) => ({ text: one.value, changed: one.removed }))
  now.parts = changes.filter((one) => !one.removed).map((one) => ({ text: one.value, changed: one.added }))
}
