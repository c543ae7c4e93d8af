import { describe, expect, it } from 'vitest'
import { createFakeClock } from '../../../test/support/fake-clock.ts'
import type { ProcessUse } from './eviction.ts'
import { ProcessLimit } from './process-limit.ts'

function rig(maxLive: number) {
  const clock = createFakeClock()
  const limits = { maxLive, maxMemoryMb: 10_000, idleMs: 60_000 }
  const live = new Map<string, ProcessUse & { giveBack: () => void }>()
  const ended: string[] = []
  const warnings: string[] = []
  const limit: ProcessLimit = new ProcessLimit({
    clock,
    logger: { debug() {}, info() {}, error() {}, warn: (_fields, message) => void warnings.push(message) },
    limits: () => limits,
    processes: async () => [...live.values()],
    yieldSpare() {
      const spare = [...live.values()].find(({ spareUntil }) => spareUntil !== undefined)
      if (spare) live.delete(spare.sessionId)
      spare?.giveBack()
    },
    async end(sessionId) {
      if (sessionId === 'stuck') throw new Error('it does not end')
      ended.push(sessionId)
      live.get(sessionId)?.giveBack()
      live.delete(sessionId)
    },
  })
  let waits = 0
  /** Takes a slot as a session's process does. */
  async function open(
    sessionId: string,
    more: { busy?: boolean; spareUntil?: number; signal?: AbortSignal } = {},
  ) {
    const giveBack = await limit.acquire(() => waits++, more.signal)
    live.set(sessionId, {
      sessionId,
      lastUsed: clock.monotonic(),
      busy: more.busy ?? false,
      spareUntil: more.spareUntil,
      memoryMb: 100,
      giveBack,
    })
    clock.advance(1)
    return giveBack
  }
  return { limit, limits, live, ended, warnings, clock, open, waits: () => waits }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('the limit for processes', () => {
  it('are given at once while there are some, and come back once each', async () => {
    const { limit, open, waits } = rig(2)
    const first = await open('a')
    await open('b')
    expect([limit.taken, waits()]).toEqual([2, 0])
    first()
    first()
    expect(limit.taken).toBe(1)
  })

  it('are given up at once by a spare one: nobody waits for it', async () => {
    const { limit, open, live, waits } = rig(2)
    await open('a', { busy: true })
    await open('spare', { spareUntil: 1e9 })
    expect(limit.hasRoom).toBe(false)
    await open('b', { busy: true })
    expect([[...live.keys()], limit.taken, waits()]).toEqual([['a', 'b'], 2, 0])
  })

  it('are made by ending what idles, least recently used first', async () => {
    const { limit, open, ended, waits } = rig(2)
    await open('a')
    await open('b')
    await open('c')
    expect(ended).toEqual(['a'])
    expect([limit.taken, waits()]).toEqual([2, 1])
  })

  it('are waited for while all are busy: in the order of asking, one for each', async () => {
    const { limit, open, live, ended } = rig(1)
    await open('a', { busy: true })
    const order: string[] = []
    const waiting = ['b', 'c'].map((id) => open(id, { busy: true }).then(() => order.push(id)))
    await settled()
    expect([order, ended]).toEqual([[], []])
    const first = live.get('a')
    if (first) first.busy = false
    limit.recheck()
    await waiting[0]
    await settled()
    expect([order, ended, limit.taken]).toEqual([['b'], ['a'], 1])
    live.get('b')?.giveBack()
    await waiting[1]
    expect(order).toEqual(['b', 'c'])
  })

  it('are not taken from those who wait by one who comes later', async () => {
    const { limit, limits, open, live } = rig(1)
    await open('a', { busy: true })
    const order: string[] = []
    const second = open('b', { busy: true }).then(() => order.push('b'))
    await settled()
    // One more slot, which nobody has been given yet.
    limits.maxLive = 2
    const third = open('c', { busy: true }).then(() => order.push('c'))
    await second
    await settled()
    expect([order, limit.taken]).toEqual([['b'], 2])
    live.get('a')?.giveBack()
    await third
  })

  it('are left to others by one who goes away', async () => {
    const { limit, open, live } = rig(1)
    await open('a', { busy: true })
    const leaving = new AbortController()
    const gone = open('b', { signal: leaving.signal })
    const next = open('c', { busy: true })
    await settled()
    leaving.abort()
    await expect(gone).rejects.toMatchObject({ code: 'unavailable' })
    live.get('a')?.giveBack()
    await next
    expect(limit.taken).toBe(1)
    await expect(open('d', { signal: leaving.signal })).rejects.toMatchObject({ code: 'unavailable' })
    expect(limit.taken).toBe(1)
  })

  it('are looked through now and then for what idles too long', async () => {
    const { limit, open, ended, clock } = rig(5)
    await open('a')
    await open('b', { busy: true })
    clock.advance(30_000)
    await limit.tidy()
    expect(ended).toEqual([])
    clock.advance(30_000)
    await limit.tidy()
    expect(ended).toEqual(['a'])
  })

  it('a process that does not end is noted, and holds nobody up', async () => {
    const { limit, open, ended, warnings, clock } = rig(5)
    await open('stuck')
    await open('b')
    clock.advance(60_000)
    await limit.tidy()
    expect(ended).toEqual(['b'])
    expect(warnings).toHaveLength(1)
  })

  it('grow while somebody waits when the configuration says so', async () => {
    const { limit, limits, open } = rig(1)
    await open('a', { busy: true })
    const second = open('b', { busy: true })
    await settled()
    limits.maxLive = 2
    await limit.tidy()
    await second
    expect(limit.taken).toBe(2)
  })
})
