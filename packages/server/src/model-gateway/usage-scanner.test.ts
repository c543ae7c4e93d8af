import { describe, expect, it } from 'vitest'
import { createUsageScanner } from './usage-scanner.ts'

const event = (type: string, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

const start = event('message_start', {
  message: { model: 'claude-test', usage: { input_tokens: 5, output_tokens: 1, cache_read_input_tokens: 7 } },
})
const stop = event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 42 } })
const text = (words: string) => event('content_block_delta', { delta: { type: 'text_delta', text: words } })
const stream = Buffer.from(start + text('hällo') + text('world') + stop + event('message_stop', {}))

function scan(chunks: Buffer[]) {
  const scanner = createUsageScanner()
  for (const chunk of chunks) scanner.push(chunk)
  return { usage: scanner.usage, model: scanner.model }
}

const all = {
  usage: { input_tokens: 5, output_tokens: 42, cache_read_input_tokens: 7 },
  model: 'claude-test',
}

describe('usage', () => {
  it('is found whole, byte by byte, and cut anywhere', () => {
    expect(scan([stream])).toEqual(all)
    expect(scan([...stream].map((byte) => Buffer.from([byte])))).toEqual(all)
    for (let cut = 1; cut < stream.length; cut++) {
      expect(scan([stream.subarray(0, cut), stream.subarray(cut)])).toEqual(all)
    }
    for (let size = 2; size < 64; size++) {
      const count = Math.ceil(stream.length / size)
      const chunks = Array.from({ length: count }, (_, n) => stream.subarray(n * size, (n + 1) * size))
      expect(scan(chunks)).toEqual(all)
    }
  })

  it('that the model speaks of is not taken for its own', () => {
    const lie = `\nevent: message_delta\ndata: {"usage":{"output_tokens":9999}}\n\n`
    expect(scan([Buffer.from(start + text(lie) + text('event: message_delta') + stop)])).toEqual(all)
  })

  it('that is junk is left out', () => {
    const junk = [
      'event: message_delta\ndata: {"usage":{"output_tokens":"many"}}\n\n',
      'event: message_delta\ndata: {"usage":null}\n\n',
      'event: message_delta\ndata: not json\n\n',
      'event: message_delta\n\n',
      'event: message_start\ndata: []\n\n',
    ]
    expect(scan([Buffer.from(junk.join(''))])).toEqual({ usage: undefined, model: undefined })
  })

  it('in an event without an end in sight is given up, and nothing is kept', () => {
    const huge = Buffer.from(
      event('message_start', { message: { model: 'x', padding: 'x'.repeat(100_000) } }),
    )
    const chunks = [huge.subarray(0, 50_000), huge.subarray(50_000), Buffer.from(stop)]
    expect(scan(chunks)).toEqual({ usage: { output_tokens: 42 }, model: undefined })
  })
})
