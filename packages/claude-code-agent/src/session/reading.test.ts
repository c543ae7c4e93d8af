import { expect, it, vi } from 'vitest'
import { RawListeners } from './reading.ts'

function open(highWaterMark: number) {
  const onLag = vi.fn<(behind: boolean) => void>()
  return { listeners: new RawListeners({ highWaterMark, onLag }), onLag }
}

/** A listener that is done with a message when the test says so. */
function slow() {
  const open: (() => void)[] = []
  return {
    listener: () => new Promise<void>((resolve) => open.push(resolve)),
    async finish(count: number) {
      for (const resolve of open.splice(0, count)) resolve()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

it('gives each message to each listener once, until it is removed', () => {
  const { listeners } = open(4)
  const first = vi.fn()
  const second = vi.fn()
  const remove = listeners.add(first)
  listeners.add(second)
  listeners.deliver({ type: 'a' })
  remove()
  listeners.deliver({ type: 'b' })
  expect(first.mock.calls).toEqual([[{ type: 'a' }]])
  expect(second.mock.calls).toEqual([[{ type: 'a' }], [{ type: 'b' }]])
})

it('is behind above the mark, and has caught up at half of it', async () => {
  const { listeners, onLag } = open(4)
  const { listener, finish } = slow()
  listeners.add(listener)
  for (let n = 0; n < 4; n++) listeners.deliver({ n })
  expect(onLag).not.toHaveBeenCalled()
  listeners.deliver({ n: 4 })
  expect(onLag.mock.calls).toEqual([[true]])
  await finish(2)
  expect(onLag.mock.calls).toEqual([[true]])
  await finish(1)
  expect(onLag.mock.calls).toEqual([[true], [false]])
})

it('a listener that is done at once never falls behind', () => {
  const { listeners, onLag } = open(1)
  listeners.add(() => {})
  for (let n = 0; n < 10; n++) listeners.deliver({ n })
  expect(onLag).not.toHaveBeenCalled()
})

it('what a listener throws or rejects with is uncaught, counts as done, and stops no other', async () => {
  const { listeners, onLag } = open(0)
  const uncaught: unknown[] = []
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', (error) => uncaught.push(error))
  try {
    const seen = vi.fn()
    listeners.add(() => {
      throw new Error('thrown')
    })
    listeners.add(() => Promise.reject(new Error('rejected')))
    listeners.add(seen)
    listeners.deliver({ type: 'a' })
    await expect.poll(() => uncaught.map(String)).toEqual(['Error: thrown', 'Error: rejected'])
    expect(seen).toHaveBeenCalledOnce()
    expect(onLag.mock.calls).toEqual([[true], [false]])
  } finally {
    process.removeAllListeners('uncaughtException')
    for (const listener of others) process.on('uncaughtException', listener)
  }
})
