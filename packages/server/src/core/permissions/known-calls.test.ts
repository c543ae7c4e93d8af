import { expect, it } from 'vitest'
import { type KnownCall, KnownCalls } from './known-calls.ts'

const call: KnownCall = {
  ...{ permissionMode: 'default', hash: 'h', subject: 's', hookInput: {} },
  ...{ skillInUse: false, state: 'seen' },
}

it('tells calls that are over, and those that gave way to others, from what was never seen; and holds no more than its bound of each', () => {
  const calls = new KnownCalls(2)
  for (const id of ['gave way', 'over', 'under way']) calls.add(id, call)
  calls.delete('over')
  calls.delete('never seen')
  expect(['gave way', 'over', 'under way'].map((id) => calls.wasSeen(id))).toEqual([true, true, true])
  expect(['gave way', 'over', 'under way'].map((id) => calls.get(id) !== undefined)).toEqual([
    false,
    false,
    true,
  ])
  expect(calls.wasSeen('never seen')).toBe(false)
  calls.delete('under way')
  expect(['gave way', 'over', 'under way'].map((id) => calls.wasSeen(id))).toEqual([false, true, true])
})
