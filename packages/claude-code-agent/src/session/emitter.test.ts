import { describe, expect, it } from 'vitest'
import { Emitter } from './emitter.ts'

type Events = { one: number; two: string; error: Error }

describe('Emitter', () => {
  it('calls the listeners of an event in the order in which they came', () => {
    const emitter = new Emitter<Events>()
    const seen: unknown[] = []
    emitter.on('one', (value) => seen.push(['a', value]))
    emitter.on('one', (value) => seen.push(['b', value]))
    emitter.on('two', (value) => seen.push(value))
    emitter.emit('one', 1)
    emitter.emit('two', 'x')
    expect(seen).toEqual([['a', 1], ['b', 1], 'x'])
  })

  it('stops by the function that on() returns, and by off()', () => {
    const emitter = new Emitter<Events>()
    const seen: number[] = []
    const stop = emitter.on('one', (value) => seen.push(value))
    const listener = (value: number) => void seen.push(value * 10)
    emitter.on('one', listener)
    expect(emitter.has('one')).toBe(true)
    stop()
    emitter.emit('one', 1)
    emitter.off('one', listener)
    emitter.emit('one', 2)
    expect(seen).toEqual([10])
    expect(emitter.has('one')).toBe(false)
    expect(emitter.has('two')).toBe(false)
  })

  it('the same listener is called once, however often it was added', () => {
    const emitter = new Emitter<Events>()
    const seen: number[] = []
    const listener = (value: number) => void seen.push(value)
    emitter.on('one', listener)
    emitter.on('one', listener)
    emitter.emit('one', 1)
    expect(seen).toEqual([1])
  })

  it('a listener may stop itself and add others meanwhile', () => {
    const emitter = new Emitter<Events>()
    const seen: string[] = []
    const stop = emitter.on('one', () => {
      stop()
      seen.push('first')
      emitter.on('one', () => seen.push('added'))
    })
    emitter.on('one', () => seen.push('second'))
    emitter.emit('one', 1)
    expect(seen).toEqual(['first', 'second'])
    emitter.emit('one', 1)
    expect(seen).toEqual(['first', 'second', 'second', 'added'])
  })

  it('an error that nobody listens to is not thrown', () => {
    expect(() => new Emitter<Events>().emit('error', new Error('x'))).not.toThrow()
  })

  it('a listener that throws does not stop the others; its error is raised as uncaught', async () => {
    const emitter = new Emitter<Events>()
    const seen: number[] = []
    emitter.on('one', () => {
      throw new RangeError('mine')
    })
    emitter.on('one', (value) => seen.push(value))
    const others = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    try {
      const raised = new Promise<Error>((resolve) => process.once('uncaughtException', resolve))
      expect(() => emitter.emit('one', 1)).not.toThrow()
      expect(seen).toEqual([1])
      expect(await raised).toBeInstanceOf(RangeError)
    } finally {
      for (const listener of others) process.on('uncaughtException', listener)
    }
  })
})
