import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { MessageStream } from './message-stream.ts'

const open = (options: Partial<{ highWaterMark: number; backlogLimit: number }> = {}) => {
  const onLag = vi.fn()
  return {
    stream: new MessageStream<number>({ highWaterMark: 4, backlogLimit: 100, onLag, ...options }),
    onLag,
  }
}

async function readAll(iterator: AsyncIterable<number>): Promise<number[]> {
  const read: number[] = []
  for await (const message of iterator) read.push(message)
  return read
}

describe('a stream of messages', () => {
  it('gives the first readers what came before them, and later ones what comes from then on', async () => {
    const { stream } = open()
    stream.push(1)
    const first = stream.attach()
    stream.push(2)
    const second = stream.attach()
    await new Promise((resolve) => setImmediate(resolve))
    stream.push(3)
    const late = stream.attach()
    stream.push(4)
    stream.end()
    expect(await readAll(first)).toEqual([1, 2, 3, 4])
    expect(await readAll(second)).toEqual([1, 2, 3, 4])
    expect(await readAll(late)).toEqual([4])
  })

  it('gives a reader that comes after the end what is kept, then ends', async () => {
    const { stream } = open()
    stream.push(1)
    stream.end()
    expect(await readAll(stream.attach())).toEqual([1])
    await new Promise((resolve) => setImmediate(resolve))
    expect(await readAll(stream.attach())).toEqual([])
  })

  it('keeps the newest up to its limit for a reader that comes late', async () => {
    const { stream } = open({ backlogLimit: 3 })
    for (let i = 0; i < 10; i++) stream.push(i)
    const reader = stream.attach()
    stream.push(10)
    stream.end()
    expect(await readAll(reader)).toEqual([7, 8, 9, 10])
  })

  it('says once of each reader that it is behind, and once that it has caught up', async () => {
    const { stream, onLag } = open()
    const slow = stream.attach()
    const slower = stream.attach()
    for (let i = 0; i < 8; i++) stream.push(i)
    expect(onLag.mock.calls).toEqual([[true], [true]])
    for (let i = 0; i < 8; i++) await slow.next()
    expect(onLag.mock.calls).toEqual([[true], [true], [false]])
    for (let i = 0; i < 8; i++) await slower.next()
    expect(onLag.mock.calls).toEqual([[true], [true], [false], [false]])
  })

  it('is held up no longer by a reader that breaks off', async () => {
    const { stream, onLag } = open()
    const reader = stream.attach()
    for (let i = 0; i < 8; i++) stream.push(i)
    for await (const message of reader) if (message === 1) break
    expect(onLag).toHaveBeenLastCalledWith(false)
    stream.push(9)
    expect(await readAll(reader)).toEqual([])
  })

  it('throws a failure to every reader, after what was there', async () => {
    const { stream } = open()
    const reader = stream.attach()
    const waiting = stream.attach()
    const pending = waiting.next()
    stream.push(1)
    stream.end(new Error('gone'))
    expect(await pending).toEqual({ value: 1, done: false })
    await expect(waiting.next()).rejects.toThrow('gone')
    expect(await waiting.next()).toEqual({ value: undefined, done: true })
    await expect(readAll(reader)).rejects.toThrow('gone')
  })

  it('answers reads in the order in which they were asked', async () => {
    const { stream } = open()
    const reader = stream.attach()
    const reads = [reader.next(), reader.next(), reader.next()]
    stream.push(1)
    stream.push(2)
    stream.end()
    expect(await Promise.all(reads)).toEqual([
      { value: 1, done: false },
      { value: 2, done: false },
      { value: undefined, done: true },
    ])
  })

  it('loses, doubles and reorders nothing, however reads and writes fall', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('push', 'read'), { maxLength: 3000 }), async (steps) => {
        const { stream } = open()
        const reader = stream.attach()
        const reads: Promise<IteratorResult<number>>[] = []
        let pushed = 0
        for (const step of steps) step === 'push' ? stream.push(pushed++) : reads.push(reader.next())
        stream.end()
        const early = (await Promise.all(reads))
          .filter((result) => !result.done)
          .map((result) => result.value)
        const rest = await readAll(reader)
        expect([...early, ...rest]).toEqual(Array.from({ length: pushed }, (_, i) => i))
      }),
      { numRuns: 50 },
    )
  })
})
