import { expect, it, vi } from 'vitest'
import { settled } from '../../test/support/fake-stream.ts'
import { createLeaderTab } from './leader-tab.ts'

/** One lock, given to one after the other, as browsers do. */
function oneLock(): LockManager {
  let last: Promise<unknown> = Promise.resolve()
  const request = (_name: string, { signal }: { signal: AbortSignal }, run: () => Promise<unknown>) => {
    const turn = last.then(() => (signal.aborted ? Promise.reject(signal.reason) : run()))
    last = turn.catch(() => undefined)
    return turn
  }
  return { request, query: async () => ({}) } as unknown as LockManager
}

it('one tab leads, and another when it is gone', async () => {
  const locks = oneLock()
  const tabs = [1, 2, 3].map(() => ({ tab: createLeaderTab(locks), onLead: vi.fn() }))
  for (const { tab, onLead } of tabs) tab.start(onLead)
  await settled()
  expect(tabs.map(({ tab }) => tab.isLeader())).toEqual([true, false, false])
  // One that leaves while it waits does not lead later.
  tabs[1]?.tab.stop()
  tabs[0]?.tab.stop()
  await settled()
  expect(tabs.map(({ tab }) => tab.isLeader())).toEqual([false, false, true])
  expect(tabs.map(({ onLead }) => onLead.mock.calls.length)).toEqual([1, 0, 1])
})

it('none leads where the browser has no locks', async () => {
  const tab = createLeaderTab(undefined)
  tab.start(() => {})
  await settled()
  expect(tab.isLeader()).toBe(false)
})
