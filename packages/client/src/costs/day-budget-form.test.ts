import { expect, it } from 'vitest'
import { readLimit } from './day-budget-form.tsx'

it('reads a limit in dollars, and refuses what is none', () => {
  expect(readLimit(' 12.5 ')).toBe(12.5)
  expect(readLimit('12,5')).toBe(12.5)
  expect(readLimit('0')).toBe(0)
  for (const typed of ['', ' ', '-1', 'ten', '100001', 'Infinity', 'NaN']) {
    expect(readLimit(typed), typed).toBeUndefined()
  }
})
