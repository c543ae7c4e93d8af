import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AbortError } from '../errors.ts'
import { Slots } from './slots.ts'

/** Whether the promise is settled, after all that can happen without it has happened. */
async function isWaiting(promise: Promise<unknown>): Promise<boolean> {
  let waiting = true
  promise.then(
    () => {
      waiting = false
    },
    () => {
      waiting = false
    },
  )
  await new Promise((resolve) => setImmediate(resolve))
  return waiting
}

describe('Slots', () => {
  it('lets as many in as there are places, and the others one by one in order', async () => {
    const slots = new Slots(2)
    const [first, second] = await Promise.all([slots.take(), slots.take()])
    const order: string[] = []
    const third = slots.take().then((release) => {
      order.push('third')
      return release
    })
    const fourth = slots.take().then((release) => {
      order.push('fourth')
      return release
    })
    expect(await isWaiting(third)).toBe(true)
    second()
    await third
    expect(order).toEqual(['third'])
    expect(await isWaiting(fourth)).toBe(true)
    first()
    await fourth
    expect(order).toEqual(['third', 'fourth'])
  })

  it('a place that is given back twice is one place', async () => {
    const slots = new Slots(1)
    const release = await slots.take()
    release()
    release()
    await slots.take()
    expect(await isWaiting(slots.take())).toBe(true)
  })

  it('nobody overtakes those who wait', async () => {
    const slots = new Slots(1)
    const release = await slots.take()
    const waits = slots.take()
    release()
    const late = slots.take()
    expect(await isWaiting(waits)).toBe(false)
    expect(await isWaiting(late)).toBe(true)
  })

  it('who is aborted leaves the line, and is not given the place', async () => {
    const slots = new Slots(1)
    const release = await slots.take()
    const controller = new AbortController()
    const leaves = slots.take(controller.signal)
    const stays = slots.take()
    controller.abort()
    await expect(leaves).rejects.toThrow(AbortError)
    release()
    expect(await isWaiting(stays)).toBe(false)
  })

  it('who is aborted already takes no place', async () => {
    const slots = new Slots(1)
    await expect(slots.take(AbortSignal.abort())).rejects.toThrow(AbortError)
    expect(await isWaiting(slots.take())).toBe(false)
  })

  it('an abort after the place was given changes nothing', async () => {
    const slots = new Slots(1)
    const release = await slots.take()
    const controller = new AbortController()
    const waits = slots.take(controller.signal)
    release()
    await waits
    controller.abort()
    expect(await isWaiting(slots.take())).toBe(true)
  })

  it('never more than the limit at once, and everybody gets in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.nat(3), { maxLength: 20 }),
        async (limit, turns) => {
          const slots = new Slots(limit)
          let inside = 0
          let most = 0
          let served = 0
          await Promise.all(
            turns.map(async (rounds) => {
              const release = await slots.take()
              most = Math.max(most, ++inside)
              for (let round = 0; round < rounds; round++) await Promise.resolve()
              inside--
              served++
              release()
            }),
          )
          expect(most).toBeLessThanOrEqual(limit)
          expect(served).toBe(turns.length)
        },
      ),
    )
  })
})
