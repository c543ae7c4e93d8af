import { expect, it } from 'vitest'
import { createTurnWatch } from './use-turn-ends.ts'

it('notices when a session stops working or costs more, and nothing else', () => {
  const ended = createTurnWatch()
  expect(ended({ id: 'a', state: 'working', cost_usd: 1 })).toBe(false)
  expect(ended({ id: 'a', state: 'waiting', cost_usd: 1 })).toBe(false)
  expect(ended({ id: 'b', state: 'working', cost_usd: 1 })).toBe(false)
  expect(ended({ id: 'a', state: 'idle', cost_usd: 1 })).toBe(true)
  expect(ended({ id: 'a', state: 'idle', cost_usd: 1 })).toBe(false)
  expect(ended({ id: 'b', state: 'working', cost_usd: 2 })).toBe(true)
  // The first word of one that is not working: its turn may have ended just now.
  expect(ended({ id: 'c', state: 'failed', cost_usd: undefined })).toBe(true)
})
