import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffTexts, patchRows } from './diff-lines.ts'
import { type DiffRow, foldRows, splitPairs } from './diff-rows.ts'

const rowsOf = (before: string, after: string, first?: number) =>
  diffTexts(before, after, first).sections[0]?.rows ?? []
const side = (rows: readonly DiffRow[], without: DiffRow['kind']) =>
  rows.filter((row) => row.kind !== without).map((row) => row.text)

describe('diffTexts', () => {
  it('gives rows with numbers and counts', () => {
    const result = diffTexts('a\nb\nc\n', 'a\nB\nc\nd\n')
    expect(result).toMatchObject({ added: 2, removed: 1, rough: false })
    expect(
      result.sections[0]?.rows.map(({ kind, text, before, after }) => [kind, text, before, after]),
    ).toEqual([
      ['same', 'a', 1, 1],
      ['removed', 'b', 2, undefined],
      ['added', 'B', undefined, 2],
      ['same', 'c', 3, 3],
      ['added', 'd', undefined, 4],
    ])
  })

  it('counts from the line that it is given', () => {
    expect(rowsOf('x', 'y', 40).map((row) => row.before ?? row.after)).toEqual([40, 40])
  })

  it('marks what differs inside a line, but not between lines that have little in common', () => {
    const [old, now] = rowsOf('const port = 3000', 'const port = 4242')
    expect(old?.parts).toEqual([
      { text: 'const port = ', changed: false },
      { text: '3000', changed: true },
    ])
    expect(now?.parts?.find((part) => part.changed)?.text).toBe('4242')
    expect(rowsOf('alpha beta', 'something else entirely')[0]?.parts).toBeUndefined()
  })

  it('notes a line end that came or went, and treats a new file as added', () => {
    expect(diffTexts('a\n', 'a').sections[0]?.noNewline).toBe(true)
    expect(diffTexts('', 'a\nb\n')).toMatchObject({ added: 2, removed: 0 })
    expect(diffTexts('a\r\nb', 'a\nb')).toMatchObject({ added: 0, removed: 0 })
  })

  it('holds both texts, whatever they are', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'const x = 1', '', '  y'))
      .map((lines) => lines.map((line) => `${line}\n`).join(''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const rows = rowsOf(before, after)
        const lines = (whole: string) => (whole === '' ? [] : whole.slice(0, -1).split('\n'))
        expect(side(rows, 'added')).toEqual(lines(before))
        expect(side(rows, 'removed')).toEqual(lines(after))
        for (const row of rows)
          if (row.parts) expect(row.parts.map((part) => part.text).join('')).toBe(row.text)
        const folded = foldRows(rows).flatMap((piece) => ('hidden' in piece ? piece.hidden : piece.rows))
        expect(folded).toEqual(rows)
        const pairs = splitPairs(rows)
        expect(pairs.flatMap(([left]) => left?.text ?? [])).toEqual(lines(before))
        expect(pairs.flatMap(([, right]) => right?.text ?? [])).toEqual(lines(after))
      }),
    )
  })

  it('gives up on texts that are too different, and shows both', () => {
    const many = (seed: string) =>
      Array.from({ length: 30_000 }, (_, index) => `${seed}${(index * 7919) % 30_011}`).join('\n')
    const result = diffTexts(many('a'), many('b'))
    expect(result).toMatchObject({ added: 30_000, removed: 30_000 })
  })
})

describe('marks inside lines', () => {
  const words = (mark: string) => Array.from({ length: 50 }, (_, index) => `word${index} ${mark}`).join(' ')
  const marked = (result: ReturnType<typeof patchRows>) =>
    result?.sections.flatMap(({ rows }) => rows).filter((row) => row.parts !== undefined).length

  it('are not looked for in lines with very many changes: that takes time by the square of them', () => {
    const [old, now] = [words('a'), words('b')]
    expect(marked(diffTexts(old, now))).toBe(0)
    expect(marked(diffTexts(old, `${old.slice(0, -5)}other`))).toBe(2)
  })

  it('are looked for in so many pairs of lines, over all hunks of a patch', () => {
    const hunk = { oldStart: 1, newStart: 1, lines: ['-const port = 3000', '+const port = 4242'] }
    expect(marked(patchRows(Array.from({ length: 500 }, () => hunk)))).toBe(800)
  })
})

describe('foldRows', () => {
  it('folds what is far from a change', () => {
    const before = Array.from({ length: 40 }, (_, index) => `line ${index}`)
    const after = before.with(20, 'changed')
    const pieces = foldRows(rowsOf(before.join('\n'), after.join('\n')))
    expect(pieces.map((piece) => ('hidden' in piece ? -piece.hidden.length : piece.rows.length))).toEqual([
      -17, 8, -16,
    ])
  })

  it('folds nothing where nothing changed', () => {
    const same = 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk'
    expect(foldRows(rowsOf(same, same))).toHaveLength(1)
  })
})

describe('patchRows', () => {
  it('reads a unified diff', () => {
    const patch =
      '--- a/x.ts\n+++ b/x.ts\n@@ -10,3 +10,3 @@\n one\n-two\n+TWO\n three\n\\ No newline at end of file\n'
    const result = patchRows(patch)
    expect(result).toMatchObject({ added: 1, removed: 1, sections: [{ fileName: 'x.ts' }] })
    expect(result?.sections[0]?.rows[1]).toMatchObject({ kind: 'removed', text: 'two', before: 11 })
  })

  it('reads hunks', () => {
    const result = patchRows([{ oldStart: 5, newStart: 5, lines: [' a', '-b', '+c'] }])
    expect(result?.sections[0]?.rows.map((row) => row.kind)).toEqual(['same', 'removed', 'added'])
  })

  it.each(['', 'no patch at all', '@@ broken @@\n+x'])('says when it cannot read: %j', (patch) =>
    expect(patchRows(patch)).toBeUndefined(),
  )
})
