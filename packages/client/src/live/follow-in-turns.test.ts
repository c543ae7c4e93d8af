import type { StreamFrame } from '@dorkos/shared'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeClient, settled } from '../../test/support/fake-stream.ts'
import { followInTurns } from './follow-in-turns.ts'
import { createStreamSlots } from './stream-slots.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Locks as browsers have them: each is given to one after the other, in the order in which they asked. */
function someLocks(): LockManager {
  const lines = new Map<string, (() => void)[]>()
  const pass = (line: (() => void)[]) => {
    line.shift()
    line[0]?.()
  }
  const request = async (
    name: string,
    { ifAvailable, signal }: LockOptions,
    run: LockGrantedCallback<void>,
  ) => {
    const line = lines.get(name) ?? []
    lines.set(name, line)
    if (ifAvailable && line.length > 0) return run(null)
    await new Promise<void>((granted) => {
      if (line.push(granted) === 1) granted()
    })
    try {
      if (signal?.aborted) throw signal.reason
      await run({ name, mode: 'exclusive' })
    } finally {
      pass(line)
    }
  }
  const pending = () => [...lines].flatMap(([name, line]) => line.slice(1).map(() => ({ name })))
  return { request, query: async () => ({ pending: pending() }) } as unknown as LockManager
}

const event = (cursor: string): StreamFrame => ({
  frame: 'snapshot',
  session: 's',
  snapshot: {} as Extract<StreamFrame, { frame: 'snapshot' }>['snapshot'],
  cursor,
})

function openTab(locks: LockManager | undefined) {
  const fake = fakeClient()
  const abort = new AbortController()
  const seen: (string | undefined)[] = []
  const states: string[] = []
  const follow = followInTurns(fake.client.followAll, createStreamSlots(locks))
  const ended = (async () => {
    const onState = ({ state }: { state: string }) => states.push(state)
    for await (const frame of follow({ sessions: ['s'], signal: abort.signal, onState }))
      seen.push(frame.cursor)
  })()
  return { fake, seen, states, ended, close: () => abort.abort() }
}

it('three tabs keep their streams, the others have one in turns, each from where it stood', async () => {
  const locks = someLocks()
  const tabs = Array.from({ length: 5 }, () => openTab(locks))
  await settled()
  const open = () => tabs.map(({ fake }) => fake.streams.some(({ isOpen }) => isOpen))
  expect(open()).toEqual([true, true, true, true, false])
  const [, , , fourth, fifth] = tabs
  fourth?.fake.stream.state({ state: 'open' })
  await vi.advanceTimersByTimeAsync(1500)
  // It has seen nothing of its session yet.
  expect(open()).toEqual([true, true, true, true, false])
  await fourth?.fake.stream.send(event('c7'))
  await vi.advanceTimersByTimeAsync(1500)
  expect(open()).toEqual([true, true, true, false, true])
  fifth?.fake.stream.state({ state: 'open' })
  await fifth?.fake.stream.send(event('c8'))
  await vi.advanceTimersByTimeAsync(1500)
  expect(open()).toEqual([true, true, true, true, false])
  expect(fourth?.fake.stream).toMatchObject({ lastEventId: 'c7' })
  fourth?.fake.stream.state({ state: 'connecting', attempt: 0 })
  expect(fourth?.states).toEqual(['open'])
  // A slot that is given back is the next one's to keep.
  tabs[0]?.close()
  fourth?.fake.stream.state({ state: 'open' })
  await vi.advanceTimersByTimeAsync(1500)
  expect(open()).toEqual([false, true, true, true, true])
  for (const tab of tabs) tab.close()
  await Promise.all(tabs.map(({ ended }) => ended))
})

it('one alone on the shared slot keeps it; without locks nobody waits', async () => {
  const locks = someLocks()
  const tabs = [...Array.from({ length: 4 }, () => openTab(locks)), openTab(undefined)]
  await settled()
  for (const { fake } of tabs) {
    fake.stream.state({ state: 'open' })
    await fake.stream.send(event('c1'))
  }
  await vi.advanceTimersByTimeAsync(60_000)
  expect(tabs.map(({ fake }) => fake.streams.length)).toEqual([1, 1, 1, 1, 1])
  expect(tabs.map(({ seen }) => seen)).toEqual(tabs.map(() => ['c1']))
  for (const tab of tabs) tab.close()
})

it('a turn in which the server does not answer ends too', async () => {
  const locks = someLocks()
  const tabs = Array.from({ length: 5 }, () => openTab(locks))
  await settled()
  tabs[3]?.fake.stream.state({ state: 'waiting', attempt: 1, retryInMs: 5000, error: undefined })
  await vi.advanceTimersByTimeAsync(1500)
  expect(tabs[4]?.fake.streams).toHaveLength(1)
  for (const tab of tabs) tab.close()
})
