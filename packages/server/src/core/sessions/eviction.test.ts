import { describe, expect, it } from 'vitest'
import { type ProcessUse, processesToEnd } from './eviction.ts'

const limits = { now: 1000, idleMs: 500, maxLive: 3, maxMemoryMb: 1000, wanted: 0 }
const live = (sessionId: string, lastUsed: number, more: Partial<ProcessUse> = {}): ProcessUse => ({
  sessionId,
  lastUsed,
  busy: false,
  memoryMb: 100,
  ...more,
})

describe('processesToEnd', () => {
  it('ends nothing within the limits', () => {
    expect(processesToEnd([live('a', 900), live('b', 800)], limits)).toEqual([])
  })

  it('ends what idles too long, whatever room there is', () => {
    expect(processesToEnd([live('a', 500), live('b', 501)], limits)).toEqual(['a'])
  })

  it('ends a spare one when nobody looks any more, and before any other', () => {
    const spare = (until: number) => live('spare', 999, { spareUntil: until })
    expect(processesToEnd([live('a', 900), spare(1001)], limits)).toEqual([])
    expect(processesToEnd([live('a', 900), spare(1000)], limits)).toEqual(['spare'])
    expect(processesToEnd([live('a', 600), spare(2000)], { ...limits, maxMemoryMb: 150 })).toEqual(['spare'])
  })

  it('never ends a busy one, however long or large', () => {
    const busy = [live('a', 0, { busy: true, memoryMb: 5000 }), live('b', 0, { busy: true })]
    expect(processesToEnd(busy, { ...limits, wanted: 5 })).toEqual([])
  })

  it('makes room: least recently used first, and no more than needed', () => {
    const three = [live('a', 900), live('b', 700), live('c', 800)]
    expect(processesToEnd(three, { ...limits, wanted: 1 })).toEqual(['b'])
    expect(processesToEnd(three, { ...limits, wanted: 2 })).toEqual(['b', 'c'])
  })

  it('counts those that idled too long as room', () => {
    const three = [live('a', 100), live('b', 700), live('c', 800)]
    expect(processesToEnd(three, { ...limits, wanted: 1 })).toEqual(['a'])
  })

  it('ends the least recently used until the memory fits', () => {
    const large = [
      live('a', 900, { memoryMb: 600 }),
      live('b', 700, { memoryMb: 100 }),
      live('c', 800, { memoryMb: 600 }),
    ]
    expect(processesToEnd(large, limits)).toEqual(['b', 'c'])
  })
})
