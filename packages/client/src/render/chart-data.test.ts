import { describe, expect, it } from 'vitest'
import { labelIndexes, sparkPoints, stackedColumns, stripParts, totals } from './chart-data.ts'

describe('plots', () => {
  const labels = ['Mon', 'Tue']
  const series = [
    { name: 'a', values: [1, 2] },
    { name: 'b', values: [10, Number.NaN] },
  ]

  it('stack the series, the whole first', () => {
    expect(stackedColumns(labels, series)).toEqual([
      [0, 1],
      [11, 2],
      [1, 2],
    ])
    expect(totals(labels, series)).toEqual([11, 2])
  })

  it.each([
    [3, 10, [0, 1, 2]],
    [10, 5, [1, 3, 5, 7, 9]],
    [30, 4, [5, 13, 21, 29]],
    [0, 5, []],
  ])('name %i bars in room for %i', (count, room, indexes) =>
    expect(labelIndexes(count, room)).toEqual(indexes),
  )
})

describe('placeParts', () => {
  it('cuts parts to the time shown', () => {
    const parts = [
      { from: 0, to: 50, tone: 'ok' as const, label: 'up' },
      { from: 50, to: 300, tone: 'danger' as const, label: 'down' },
      { from: 400, to: 500, tone: 'ok' as const, label: 'later' },
    ]
    expect(stripParts(parts, 0, 200).map(({ label, left, width }) => [label, left, width])).toEqual([
      ['up', 0, 25],
      ['down', 25, 75],
    ])
    expect(stripParts(parts, 100, 100)).toEqual([])
  })
})

it('sparkPoints fills its box', () => {
  expect(sparkPoints([0, 5, 10], 100, 20)).toEqual([
    [0, 20],
    [50, 10],
    [100, 0],
  ])
  expect(sparkPoints([], 100, 20)).toEqual([])
  expect(sparkPoints([3], 100, 20)).toEqual([[0, 0]])
})
