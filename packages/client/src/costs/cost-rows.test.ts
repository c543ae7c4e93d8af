import type { CostTotal } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { allTokens, costRows, dayChart, fillDays, sortRows, topRows, usedRows } from './cost-rows.ts'

function total(key: string, usd: number, input = 0): CostTotal {
  return { key, usd, turns: 1, tokens: { input, output: 2, cache_read: 3, cache_write: 4 } }
}

describe('figures of costs', () => {
  it('fills days without a turn with 0, in the order of the days', () => {
    const filled = fillDays(
      [total('2026-11-15', 2), total('2026-11-13', 1)],
      ['2026-11-13', '2026-11-14', '2026-11-15'],
    )
    expect(filled.map(({ key, usd, turns }) => [key, usd, turns])).toEqual([
      ['2026-11-13', 1, 1],
      ['2026-11-14', 0, 0],
      ['2026-11-15', 2, 1],
    ])
    expect(allTokens(filled[1]?.tokens ?? total('', 0).tokens)).toBe(0)
  })

  it('has no row for a day without a turn', () => {
    const filled = fillDays([total('2026-11-15', 0)], ['2026-11-14', '2026-11-15'])
    expect(usedRows(costRows(filled)).map(({ key }) => key)).toEqual(['2026-11-15'])
  })

  it('shares by cost, and by tokens where nothing cost anything', () => {
    expect(costRows([total('a', 3), total('b', 1)]).map(({ share }) => share)).toEqual([0.75, 0.25])
    expect(costRows([total('a', 0, 1), total('b', 0, 21)]).map(({ share }) => share)).toEqual([0.25, 0.75])
    expect(costRows([])).toEqual([])
  })

  it('puts the most first, by what is shown', () => {
    const rows = costRows([total('a', 1, 500), total('b', 2, 5)])
    expect(sortRows(rows, 'usd').map(({ key }) => key)).toEqual(['b', 'a'])
    expect(sortRows(rows, 'tokens').map(({ key }) => key)).toEqual(['a', 'b'])
  })

  it('sums up the rest, so that nothing is missing', () => {
    const rows = costRows(['a', 'b', 'c', 'd'].map((key) => total(key, 1)))
    const { top, rest } = topRows(rows, 3)
    expect(top.map(({ key }) => key)).toEqual(['a', 'b'])
    expect(rest).toMatchObject({ count: 2, usd: 2, turns: 2 })
    expect(topRows(rows, 4)).toEqual({ top: rows, rest: undefined })
  })

  it('stacks tokens by kind, and draws all else as one', () => {
    const names = {
      metric: 'Cost',
      tokens: { input: 'In', output: 'Out', cache_read: 'R', cache_write: 'W' },
    }
    const totals = [total('a', 1, 1), total('b', 2, 5)]
    expect(dayChart(totals, 'usd', names)).toEqual([{ name: 'Cost', values: [1, 2] }])
    expect(dayChart(totals, 'tokens', names)).toEqual([
      { name: 'In', values: [1, 5] },
      { name: 'Out', values: [2, 2] },
      { name: 'R', values: [3, 3] },
      { name: 'W', values: [4, 4] },
    ])
  })
})
