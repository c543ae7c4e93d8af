import { expect, it } from 'vitest'
import type { ContractCase } from './case.ts'
import { failureText, tableOfMoves } from './report.ts'
import { isOlder } from './run-cases.ts'

const cases: ContractCase[] = ['a/same', 'a/moved', 'a/new'].map((id) => ({
  id,
  title: `About ${id}`,
  reliedOnBy: ['README.md'],
  expected: { n: 1 },
  observe: async () => ({ n: 1 }),
}))

it('shows only what moved between two versions, with what was seen', () => {
  const older = {
    version: '2.1.1',
    results: [
      { id: 'a/same', verdict: 'passed' as const, seen: { n: 1 } },
      { id: 'a/moved', verdict: 'passed' as const, seen: { n: 1 } },
      { id: 'a/new', verdict: 'absent' as const, reason: 'since 2.1.2' },
    ],
  }
  const newer = {
    version: '2.1.2',
    results: [
      { id: 'a/same', verdict: 'passed' as const, seen: { n: 1 } },
      { id: 'a/moved', verdict: 'failed' as const, seen: { n: 2 }, reason: 'n: expected 1, saw 2' },
      { id: 'a/new', verdict: 'passed' as const, seen: { n: 1 } },
    ],
  }
  expect(tableOfMoves(cases, [older, newer])).toBe(
    [
      '| what moved | 2.1.1 | 2.1.2 |',
      '| --- | --- | --- |',
      '| a/moved | passed | failed: n: was 1, is 2 |',
      '| a/new | absent: since 2.1.2 | passed |',
    ].join('\n'),
  )
  expect(tableOfMoves(cases, [older, older])).toBe('Nothing moved between 2.1.1, 2.1.1.')
})

it('names a failed case by what it says, what was seen and what relies on it', () => {
  const result = { id: 'a/moved', verdict: 'failed' as const, reason: 'n: expected 1, saw 2' }
  const text = failureText(cases, result)
  for (const part of ['a/moved', 'About a/moved', 'expected 1, saw 2', 'README.md'])
    expect(text).toContain(part)
})

it('compares versions by their numbers', () => {
  expect(isOlder('2.1.99', '2.1.284')).toBe(true)
  expect(isOlder('2.1.284', '2.1.284')).toBe(false)
  expect(isOlder('2.2.0', '2.1.284')).toBe(false)
})
