import { expect, it } from 'vitest'
import { nextCount } from './highlight.ts'

it.each([
  [4, 400, 4],
  [100, 80, 10],
  [50, 8, 50],
  [50, 1, 200],
  [4, 0, 16],
])('after %i lines in %i ms, takes %i', (count, took, next) => expect(nextCount(count, took)).toBe(next))
