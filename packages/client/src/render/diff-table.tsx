import { Fragment, useMemo, useState } from 'react'
import { text as words } from '../text/text.ts'
import { cx } from '../ui/class-names.ts'
import { CutNotice } from './cut-notice.tsx'
import {
  type DiffPiece,
  type DiffResult,
  type DiffRow,
  foldMiddle,
  foldRows,
  splitPairs,
} from './diff-rows.ts'
import { FoldedText } from './folded-text.tsx'
import { SafeText } from './safe-text.tsx'
import { ScrollBox } from './scroll-box.tsx'
import { sequence } from './sequence.ts'
import type { DiffLayout } from './use-diff-layout.ts'

const maxRows = 1500
const maxLine = 2000

interface DiffTableProps {
  result: DiffResult
  layout: DiffLayout
  /** What is to be allowed: nothing of it is cut off, and what is folded says how much it is. */
  whole: boolean
}

/** The rows of a diff. What is long or unchanged is folded. */
export function DiffTable({ result, layout, whole }: DiffTableProps) {
  const [all, setAll] = useState(false)
  const total = result.sections.reduce((sum, section) => sum + section.rows.length, 0)
  const sections = useMemo(
    () => (all || whole ? result.sections : capSections(result.sections)),
    [result, all, whole],
  )
  return (
    <>
      <ScrollBox label={words.render.diff}>
        <table
          dir="ltr"
          className={cx(
            'w-full border-collapse font-mono text-xs leading-5',
            layout === 'split' && 'table-fixed',
          )}
        >
          {layout === 'split' && (
            <colgroup>
              <col className="w-11" />
              <col />
              <col className="w-11" />
              <col />
            </colgroup>
          )}
          {sequence(sections, (section, index) => (
            <tbody className={index > 0 ? 'border-t border-line' : undefined}>
              {section.fileName !== undefined && result.sections.length > 1 && (
                <Wide>{section.fileName}</Wide>
              )}
              <Pieces rows={section.rows} layout={layout} whole={whole} />
              {section.noNewline && <Wide>{words.render.diffNoNewline}</Wide>}
            </tbody>
          ))}
        </table>
      </ScrollBox>
      {!all && !whole && total > maxRows && (
        <CutNotice label={words.render.cutLines(maxRows, total)} onShowAll={() => setAll(true)} />
      )}
    </>
  )
}

function capSections(sections: DiffResult['sections']): DiffResult['sections'] {
  let room = maxRows
  const kept = []
  for (const section of sections) {
    if (room <= 0) break
    kept.push(section.rows.length <= room ? section : { ...section, rows: section.rows.slice(0, room) })
    room -= section.rows.length
  }
  return kept
}

function Wide({ children }: { children: string }) {
  return (
    <tr className="bg-raised text-soft">
      <td colSpan={4} className="truncate px-3 py-0.5">
        <SafeText text={children} />
      </td>
    </tr>
  )
}

interface RowsProps {
  rows: readonly DiffRow[]
  whole: boolean
}

function Pieces({ rows, layout, whole }: RowsProps & { layout: DiffLayout }) {
  const pieces = useMemo(() => (whole ? foldMiddle(rows, maxRows) : foldRows(rows)), [rows, whole])
  return sequence(pieces, (piece) => <Piece piece={piece} layout={layout} whole={whole} />)
}

function Piece({ piece, layout, whole }: { piece: DiffPiece; layout: DiffLayout; whole: boolean }) {
  const [open, setOpen] = useState(false)
  if ('hidden' in piece && !open) {
    return (
      <tr className="bg-raised">
        <td colSpan={4} className="p-0">
          <button
            type="button"
            className="w-full px-3 py-0.5 text-left text-soft max-sm:min-h-10"
            onClick={() => setOpen(true)}
          >
            {hiddenWords(piece.hidden)}
          </button>
        </td>
      </tr>
    )
  }
  const rows = 'hidden' in piece ? piece.hidden : piece.rows
  return layout === 'split' ? (
    <SplitRows rows={rows} whole={whole} />
  ) : (
    <UnifiedRows rows={rows} whole={whole} />
  )
}

function hiddenWords(rows: readonly DiffRow[]): string {
  const count = (kind: DiffRow['kind']) => rows.filter((row) => row.kind === kind).length
  const [added, removed] = [count('added'), count('removed')]
  return added + removed === 0
    ? words.render.diffHidden(rows.length)
    : words.render.diffFolded(rows.length, added, removed)
}

const grounds = { same: '', added: 'bg-ok-ground', removed: 'bg-danger-ground' }
const signs = { same: ' ', added: '+', removed: '−' }
const number = 'w-11 min-w-9 px-1.5 text-right align-top text-faint select-none tabular-nums'

function UnifiedRows({ rows, whole }: RowsProps) {
  return rows.map((row) => (
    <tr key={`${row.before ?? ''}:${row.after ?? ''}`} className={grounds[row.kind]}>
      <td className={cx(number, 'max-sm:hidden')}>{row.before}</td>
      <td className={number}>{row.after ?? <span className="sm:hidden">{row.before}</span>}</td>
      <td
        className={cx(
          'w-full pr-3',
          whole ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'whitespace-pre',
        )}
      >
        <Line row={row} whole={whole} />
      </td>
    </tr>
  ))
}

function SplitRows({ rows, whole }: RowsProps) {
  return splitPairs(rows).map(([left, right]) => (
    <tr key={`${left?.before ?? ''}:${right?.after ?? ''}`}>
      {sequence([left, right], (row, side) => (
        <Fragment>
          <td className={cx(number, row ? grounds[row.kind] : 'bg-raised')}>
            {side === 0 ? row?.before : row?.after}
          </td>
          <td
            className={cx(
              'pr-2 align-top break-all whitespace-pre-wrap',
              row ? grounds[row.kind] : 'bg-raised',
            )}
          >
            {row && <Line row={row} whole={whole} />}
          </td>
        </Fragment>
      ))}
    </tr>
  ))
}

function Line({ row, whole }: { row: DiffRow; whole: boolean }) {
  const mark = row.kind === 'added' ? 'bg-ok/25' : 'bg-danger/25'
  const said = row.kind === 'added' ? words.render.lineAdded : words.render.lineRemoved
  const text = row.text.length > maxLine ? `${row.text.slice(0, maxLine)}…` : row.text
  return (
    <>
      <span aria-hidden className="inline-block w-4 text-center text-soft select-none">
        {signs[row.kind]}
      </span>
      {row.kind !== 'same' && <span className="sr-only select-none">{said} </span>}
      {row.parts && row.text.length <= maxLine ? (
        sequence(row.parts, (part) => (
          <span className={part.changed ? `rounded-xs ${mark}` : undefined}>
            <SafeText text={part.text} />
          </span>
        ))
      ) : whole ? (
        <FoldedText text={row.text} />
      ) : (
        <SafeText text={text} />
      )}
    </>
  )
}
