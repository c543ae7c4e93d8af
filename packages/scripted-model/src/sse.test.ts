import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { text, thinking, toolUse } from './block.ts'
import { buildMessage } from './message.ts'
import { encodeEvent, type ModelStreamEvent, pieces, streamMessage } from './sse.ts'

const eventsOf = (
  blocks: Parameters<typeof buildMessage>[0]['blocks'],
  deltaSize?: number,
): ModelStreamEvent[] => [...streamMessage(buildMessage({ blocks }, 'claude-test', 10), deltaSize)]

describe('streamMessage', () => {
  it('streams a text in the order of the API', () => {
    const events = eventsOf([text('abcdef')], 4)
    expect(events.map((event) => event.type)).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    expect(events[0]).toMatchObject({
      message: { role: 'assistant', content: [], stop_reason: null, model: 'claude-test' },
    })
    expect(events[6]).toMatchObject({ delta: { stop_reason: 'end_turn', stop_sequence: null } })
  })

  it('ends a thinking block with its signature', () => {
    const deltas = eventsOf([thinking('let me see', 'sig')], 5).filter(
      (e) => e.type === 'content_block_delta',
    )
    expect(deltas.map((event) => event.delta)).toEqual([
      { type: 'thinking_delta', thinking: 'let m' },
      { type: 'thinking_delta', thinking: 'e see' },
      { type: 'signature_delta', signature: 'sig' },
    ])
  })

  it('splits a tool input into pieces that join to its JSON, and says that a tool is used', () => {
    const events = eventsOf([text('x'), toolUse('Bash', { command: 'echo "hi"' }, 'toolu_1')], 3)
    expect(events).toContainEqual({
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} },
    })
    const parts = events
      .filter((event) => event.type === 'content_block_delta' && event.index === 1)
      .map((event) => (event.delta as { partial_json: string }).partial_json)
    expect(parts[0]).toBe('')
    expect(parts.length).toBeGreaterThan(3)
    expect(JSON.parse(parts.join(''))).toEqual({ command: 'echo "hi"' })
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } })
  })
})

describe('encodeEvent', () => {
  it('is one event of one data line, whatever the text holds', () => {
    const encoded = encodeEvent({ type: 'ping', text: 'a\nb\r\n\ndata: c' })
    expect(encoded).toMatch(/^event: ping\ndata: [^\n\r]*\n\n$/)
  })
})

describe('pieces', () => {
  it('joins to the whole and never splits a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (value, size) => {
        const parts = [...pieces(value, size)]
        expect(parts.join('')).toBe(value)
        for (const part of parts) expect(Buffer.from(part).toString()).toBe(part)
      }),
    )
  })
})
