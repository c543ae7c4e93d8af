import { expect, it } from 'vitest'
import { TimeBudget } from './time-budget.ts'

it('is used up by much at once', () => {
  const budget = new TimeBudget()
  expect(budget.spend(600, 10_600)).toBe(true)
  expect(budget.spend(600, 11_300)).toBe(false)
})

it('lasts for ever for one that takes a little', () => {
  const budget = new TimeBudget()
  for (let second = 1; second <= 1000; second++) expect(budget.spend(150, second * 1000)).toBe(true)
})

it('is used up by one that takes a little too much all the time', () => {
  const budget = new TimeBudget()
  const spent = Array.from({ length: 30 }, (_, second) => budget.spend(300, second * 1000))
  expect(spent.slice(0, 5)).not.toContain(false)
  expect(spent.at(-1)).toBe(false)
})

it('saves up nothing', () => {
  const budget = new TimeBudget()
  budget.spend(1, 1)
  expect(budget.spend(600, 1_000_000)).toBe(true)
  expect(budget.spend(600, 1_000_700)).toBe(false)
})
