/** Tables that fit the terminal. */
import { displayWidth, fit, oneLine } from './escape.ts'
import type { Style } from './style.ts'

export interface Column<T> {
  title: string
  value(row: T): string
  /** Takes what is left, and is cut where that is too little. One column of a table. */
  grows?: boolean
}

const gap = 2

/** Lines without line ends. The values are escaped here. */
export function renderTable<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  width: number,
  style: Style,
): string[] {
  const cells = rows.map((row) => columns.map((column) => oneLine(column.value(row))))
  const widths = columns.map((column, index) =>
    Math.max(displayWidth(column.title), ...cells.map((cell) => displayWidth(cell[index] ?? ''))),
  )
  const growing = columns.findIndex((column) => column.grows)
  if (growing !== -1) {
    const others = widths.reduce((sum, value, index) => (index === growing ? sum : sum + value + gap), 0)
    widths[growing] = Math.max(Math.min(widths[growing] ?? 0, width - others), 8)
  }
  const line = (values: string[]) =>
    values
      .map((value, index) => pad(fit(value, widths[index] ?? 0), widths[index] ?? 0))
      .join(' '.repeat(gap))
      .trimEnd()
  return [style.dim(line(columns.map(({ title }) => title))), ...cells.map(line)]
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(width - displayWidth(text), 0))
}
