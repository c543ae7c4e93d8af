import type { RestoredFiles } from '@dorkos/shared'
import { expect, it } from 'vitest'
import { leftOut } from './use-restore.ts'

const files = (restored: string[], asking: string[]): RestoredFiles => ({
  restored,
  asking: asking.map((path) => ({ path, hash: 'absent', reason: 'changed_since' })),
  not_restorable: [],
  outside: [],
  complete: true,
})

it('names what was to go back and did not, and nothing that was not chosen', () => {
  const shown = files(['a', 'b'], ['c', 'd'])
  expect(leftOut(shown, [{ path: 'c' }], files(['a'], ['b', 'c', 'd']))).toEqual(['b', 'c'])
  expect(leftOut(shown, [], files(['a', 'b'], ['c', 'd']))).toEqual([])
})
