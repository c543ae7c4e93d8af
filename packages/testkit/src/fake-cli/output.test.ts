import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createOutput } from './output.ts'

/** A stream that takes a chunk only when told to. */
function slowStream(): { stream: Writable; written: string[]; take: () => void } {
  const written: string[] = []
  let done: (() => void) | undefined
  const stream = new Writable({
    highWaterMark: 10,
    write(chunk: Buffer, _encoding, callback) {
      written.push(chunk.toString())
      done = callback
    },
  })
  return { stream, written, take: () => done?.() }
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('createOutput', () => {
  it('joins the lines of one tick into one write', async () => {
    const { stream, written } = slowStream()
    const output = createOutput(stream)
    output.send({ a: 1 })
    output.line('{"b":2}\n')
    await tick()
    expect(written).toEqual(['{"a":1}\n{"b":2}\n'])
  })

  it('keeps the order of lines and bytes, and waits for a full stream', async () => {
    const { stream, written, take } = slowStream()
    const output = createOutput(stream)
    output.send({ a: 1 })
    let ready = false
    const waited = output.bytes(Buffer.from('0123456789')).then(() => {
      ready = true
    })
    await tick()
    expect(written).toEqual(['{"a":1}\n'])
    expect(ready).toBe(false)
    take()
    await tick()
    take()
    await waited
    expect(written.join('')).toBe('{"a":1}\n0123456789')
  })

  it('lets nothing into an open line', async () => {
    const { stream, written, take } = slowStream()
    const output = createOutput(stream)
    output.openLine(Buffer.from('{"half":'))
    output.send({ other: true })
    await tick()
    take()
    output.closeLine(Buffer.from('1}\n'))
    for (let n = 0; n < 3; n++) {
      await tick()
      take()
    }
    expect(written.join('')).toBe('{"half":1}\n{"other":true}\n')
  })

  it('gives up when the reader is gone, instead of waiting for it', async () => {
    const { stream } = slowStream()
    const output = createOutput(stream)
    const waited = output.bytes(Buffer.from('0123456789'))
    stream.destroy(new Error('EPIPE'))
    await waited
    await output.bytes(Buffer.from('more'))
    await output.flushed(60_000)
  })

  it('says nothing after it was silenced', async () => {
    const { stream, written } = slowStream()
    const output = createOutput(stream)
    output.send({ a: 1 })
    output.silence()
    output.send({ b: 2 })
    await tick()
    expect(written).toEqual(['{"a":1}\n'])
  })
})
