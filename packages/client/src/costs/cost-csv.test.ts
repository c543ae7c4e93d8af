import { describe, expect, it } from 'vitest'
import { costCsv, csvCell, csvText } from './cost-csv.ts'

describe('figures as CSV', () => {
  it('makes cells harmless that a spreadsheet would run', () => {
    for (const evil of [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      ' =1',
      '\t=1',
      '\r=1',
      '＝1+1',
      '=HYPERLINK("https://example.org")',
    ]) {
      const cell = csvCell(evil)
      expect(cell.replace(/^"/, '').startsWith("'"), JSON.stringify(evil)).toBe(true)
    }
    expect(csvCell('plain - text')).toBe('plain - text')
    expect(csvCell(-1.5)).toBe('-1.5')
  })

  it('quotes what would break a line or a column', () => {
    expect(csvText([['a,b', 'say "hi"', 'two\nlines']])).toBe('"a,b","say ""hi""","two\nlines"\r\n')
  })

  it('has a line for each row, with exact figures', () => {
    const tokens = { input: 1, output: 2, cache_read: 3, cache_write: 4 }
    const csv = costCsv([{ key: 's1', usd: 0.000123, turns: 5, tokens, share: 1 }], () => '=evil')
    expect(csv.split('\r\n')).toEqual([
      'id,name,usd,turns,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens',
      's1,"\'=evil",0.000123,5,1,2,3,4',
      '',
    ])
  })
})
