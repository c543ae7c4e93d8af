import { createParser } from 'eventsource-parser'
import { describe, expect, it } from 'vitest'
import type { StreamFrame } from './event.ts'
import { type AcceptedFrame, decodeFrame, encodeFrame } from './event-stream.ts'

const session = '11111111-1111-4111-8111-111111111111'
const time = '2026-01-01T00:00:00.000Z'

const frames = [
  {
    frame: 'message',
    event: {
      id: '1-2',
      session,
      time,
      type: 'text_delta',
      message_id: 'm',
      index: 0,
      text: 'a\nb\r\n\u2028',
    },
  },
  { frame: 'server', event: { type: 'rules_changed', time } },
  { frame: 'server_snapshot', snapshot: { approvals: [], sessions: [] } },
  { frame: 'resync', session: null, reason: 'why' },
  { frame: 'resync', session, reason: 'why' },
  { frame: 'closing', retry_ms: 300 },
] as const satisfies (StreamFrame | AcceptedFrame)[]

describe('frames', () => {
  it.each(frames)('$frame is read as it was written', (frame) => {
    const seen: unknown[] = []
    const ids: unknown[] = []
    const parser = createParser({
      onEvent: ({ event, id, data }) => {
        seen.push(decodeFrame(event, data))
        ids.push(id)
      },
    })
    parser.feed(encodeFrame(frame, frame.frame === 'closing' ? undefined : '1-2'))
    expect(seen).toEqual([frame])
    expect(ids).toEqual([frame.frame === 'closing' ? undefined : '1-2'])
  })

  it.each([
    ['message', '{}'],
    ['message', '{"id":1,"session":"x","type":"y"}'],
    ['snapshot', '{"session":"x"}'],
    ['of_the_future', '{"a":1}'],
    ['message', 'not json'],
    ['message', '[]'],
    ['message', 'null'],
  ])('a record %s with %s is passed over', (event, data) => {
    expect(decodeFrame(event, data)).toBeUndefined()
  })

  it('events of types that are not known yet are passed on', () => {
    const event = { id: '1-2', session, time, type: 'of_the_future' }
    expect(decodeFrame(undefined, JSON.stringify(event))).toEqual({ frame: 'message', event })
  })
})
