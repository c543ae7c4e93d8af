import { describe, expect, it } from 'vitest'
import { displayWidth } from './escape.ts'
import { createStyle } from './style.ts'
import { type Column, renderTable } from './table.ts'

const rows = [
  { id: 'a1', title: 'short' },
  { id: 'b22', title: 'a title that is much too long for a narrow terminal\x1b[31m' },
]
const columns: Column<{ id: string; title: string }>[] = [
  { title: 'ID', value: (row) => row.id },
  { title: 'TITLE', value: (row) => row.title, grows: true },
]

describe('renderTable', () => {
  it('fits the terminal and cuts only the column that grows', () => {
    const lines = renderTable(rows, columns, 30, createStyle(false))
    expect(lines[0]).toBe('ID   TITLE')
    expect(lines[1]).toBe('a1   short')
    expect(lines[2]).toMatch(/^b22 {2}a title that is much to.*…$/)
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(30)
  })

  it('lets no control character through', () => {
    expect(renderTable(rows, columns, 200, createStyle(false)).join('\n')).not.toContain('\x1b')
  })
})
