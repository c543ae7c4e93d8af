import type { StreamEvent } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { replay } from '../../test/support/reduce.ts'
import type { Item } from './page-session.ts'

const id = '00000000-0000-4000-8000-000000000000'
const time = '2026-01-01T00:00:00.000Z'

type AnyEvent = Record<string, unknown> & { type: string }

const itemsOf = (...given: AnyEvent[]): readonly Item[] => {
  const events = given.map((event, at) => ({ id: `1-${at + 1}`, session: id, time, ...event }))
  return replay(events as unknown as StreamEvent[], id).items
}
const hook = (more: object): AnyEvent => ({
  type: 'hook_result',
  hook: 'Stop',
  outcome: 'failed',
  output: 'x',
  ...more,
})
const call: AnyEvent[] = [
  { type: 'tool_call_start', tool_call_id: 't1', message_id: 'm1', index: 0, name: 'Bash' },
  { type: 'tool_call_end', tool_call_id: 't1', name: 'Bash', input: {} },
]
const refused: AnyEvent = {
  type: 'tool_result',
  tool_call_id: 't1',
  content: [],
  is_error: true,
  stopped: 'denied',
  denied_by: 'hook',
}
const denied: AnyEvent = {
  type: 'tool_call_denied',
  tool_call_id: 't1',
  decided_by: { kind: 'rule', rule_id: 'r' },
  decided_at: time,
  message: 'No.',
}

describe('a hook', () => {
  it('stands where it spoke, each for itself', () => {
    const items = itemsOf(hook({}), hook({ outcome: 'blocked', output: 'y' }))
    expect(items.map((item) => item.kind === 'marker' && item.marker)).toEqual([
      { type: 'hook', hook: 'Stop', outcome: 'failed', output: 'x' },
      { type: 'hook', hook: 'Stop', outcome: 'blocked', output: 'y' },
    ])
  })

  it('of a newer kind is one that spoke, and one without a name is left out', () => {
    const items = itemsOf(hook({ outcome: '__proto__', output: 7 }), hook({ hook: {} }))
    expect(items).toMatchObject([{ marker: { type: 'hook', outcome: 'said', output: '' } }])
  })

  it('that denied a call is named in its result', () => {
    expect(itemsOf(...call, refused)).toMatchObject([
      { status: 'denied', decision: undefined, result: { deniedByHook: true } },
    ])
  })
})

describe('a call that nobody was asked about', () => {
  it.each([
    ['before', [...call, denied, refused]],
    ['after', [...call, refused, denied]],
    ['long before', [denied, ...call, refused]],
  ])('and that was denied says by what, reported %s its result', (_when, given) => {
    expect(itemsOf(...given)).toMatchObject([
      { status: 'denied', decision: { state: 'denied', by: { kind: 'rule' }, message: 'No.' } },
    ])
  })
})
