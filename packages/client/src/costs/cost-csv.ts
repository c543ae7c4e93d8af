/** Figures as a file for spreadsheets. */
import { text } from '../text/page-text.ts'
import type { CostRow } from './cost-rows.ts'

/**
 * One cell. Titles and names are written by others, and spreadsheets run what begins like a formula: a quote before it makes it text. Numbers
 * of our own are given as numbers.
 */
export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const harmless = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(value) ? `'${value}` : value
  return /[",;\n\r\t']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export function csvText(lines: readonly (readonly (string | number)[])[]): string {
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
}

export function costCsv(rows: readonly CostRow[], nameOf: (key: string) => string): string {
  const { id, name, usd, turns, input, output, cacheRead, cacheWrite } = text.costs.csv
  return csvText([
    [id, name, usd, turns, input, output, cacheRead, cacheWrite],
    ...rows.map(({ key, usd, turns, tokens }) => [
      key,
      nameOf(key),
      usd,
      turns,
      tokens.input,
      tokens.output,
      tokens.cache_read,
      tokens.cache_write,
    ]),
  ])
}
