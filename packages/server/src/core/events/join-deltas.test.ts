import type { NewEvent } from '@dorkos/shared'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { joinDeltas, maxJoinedChars } from './event-pipeline.ts'

const words = fc.string({ maxLength: 1500 })
const parent = fc.constantFrom({}, { parent: 'p' })
const delta = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('text_delta', 'thinking_delta'),
      fc.constantFrom('m1', 'm2'),
      fc.nat(1),
      words,
      parent,
    )
    .map(([type, message_id, index, text, by]) => ({ type, message_id, index, text, ...by }) as NewEvent),
  fc
    .tuple(fc.constantFrom('t1', 't2'), words, parent)
    .map(([tool_call_id, json, by]) => ({ type: 'tool_call_delta', tool_call_id, json, ...by }) as NewEvent),
  fc.constant<NewEvent>({ type: 'error', code: 'x', message: 'y' }),
)

const key = (event: NewEvent): string => {
  const { text: _text, json: _json, ...rest } = event as Record<string, unknown>
  return JSON.stringify(rest)
}
const said = (event: NewEvent): string =>
  'text' in event ? (event.text ?? '') : 'json' in event ? event.json : ''

it('keeps the text of each block and the order of everything', () => {
  fc.assert(
    fc.property(fc.array(delta, { maxLength: 40 }), (events) => {
      const before = structuredClone(events)
      const joined = joinDeltas(events)
      expect(events).toEqual(before)
      // Runs of neighbours of one block are the same before and after.
      const runs = (list: NewEvent[]) => {
        const result: [string, string][] = []
        for (const event of list) {
          const last = result.at(-1)
          if (last?.[0] === key(event) && event.type !== 'error') last[1] += said(event)
          else result.push([key(event), said(event)])
        }
        return result
      }
      expect(runs(joined)).toEqual(runs(events))
      for (const event of joined)
        expect(said(event).length).toBeLessThanOrEqual(
          Math.max(maxJoinedChars, ...events.map((e) => said(e).length)),
        )
      expect(joinDeltas(joined)).toEqual(joined)
    }),
  )
})

it('joins what can be joined', () => {
  const delta = (text: string): NewEvent => ({ type: 'text_delta', message_id: 'm', index: 0, text })
  expect(joinDeltas(Array.from({ length: 100 }, () => delta('x')))).toEqual([delta('x'.repeat(100))])
  expect(joinDeltas([delta('x'.repeat(maxJoinedChars)), delta('y')])).toHaveLength(2)
})
