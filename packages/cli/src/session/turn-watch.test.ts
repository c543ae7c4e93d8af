import type { StreamEvent } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { exitCodeOf } from '../exit-codes.ts'
import { TurnWatch } from './turn-watch.ts'

let seq = 0
function event(fields: object): StreamEvent {
  seq++
  return { id: `1-${seq}`, session: 's', time: '2026-01-01T00:00:00.000Z', ...fields } as StreamEvent
}
const start = (turn_id: string) => event({ type: 'turn_start', turn_id, cause: 'message' })
const end = (turn_id: string, outcome: string, more = {}) =>
  event({ type: 'turn_end', turn_id, outcome, ...more })
const say = (message_id: string, text: string) => event({ type: 'text_delta', message_id, index: 0, text })

function watch(events: StreamEvent[]) {
  const turn = new TurnWatch('own')
  const seen = events.filter((one) => turn.see(one))
  return { result: turn.result, seen: seen.map(({ type }) => type) }
}

describe('TurnWatch', () => {
  it('takes what lies between the turn’s own ends, and nothing else', () => {
    const { result, seen } = watch([
      start('other'),
      say('m0', 'not ours'),
      event({ type: 'approval_resolved', approval_id: 'a', state: 'denied' }),
      end('other', 'completed'),
      start('own'),
      say('m1', 'first'),
      say('m2', 'sec'),
      say('m2', 'ond'),
      end('own', 'completed', { usd: 0.25, duration_ms: 12 }),
      say('m3', 'later'),
    ])
    expect(seen).toEqual(['turn_start', 'text_delta', 'text_delta', 'text_delta', 'turn_end'])
    expect(result).toMatchObject({
      outcome: 'completed',
      text: 'second',
      usd: 0.25,
      durationMs: 12,
      denied: 0,
    })
  })

  it('counts what was denied or expired, each call once', () => {
    const resolved = (id: string, state: string) =>
      event({ type: 'approval_resolved', approval_id: id, tool_call_id: id, state })
    const { result } = watch([
      start('own'),
      resolved('a', 'allowed'),
      resolved('b', 'denied'),
      resolved('c', 'expired'),
      resolved('c', 'expired'),
      resolved('d', 'void'),
      event({ type: 'notice', level: 'warning', code: 'permission_denied', message: 'x' }),
      end('own', 'completed'),
    ])
    expect(result?.denied).toBe(3)
    expect(exitCodeOf('completed', 3)).toBe(4)
  })

  it('goes on with the turn that took the message in', () => {
    const { result, seen } = watch([
      start('other'),
      end('own', 'joined'),
      say('m', 'both'),
      end('other', 'failed', { reason: 'why' }),
    ])
    expect(seen).toEqual(['turn_end', 'text_delta', 'turn_end'])
    expect(result).toMatchObject({ outcome: 'failed', reason: 'why', text: 'both' })
  })

  it('knows a turn that ended before it began', () => {
    expect(watch([end('own', 'withdrawn')]).result?.outcome).toBe('withdrawn')
  })
})

describe('exitCodeOf', () => {
  it('reports every outcome', () => {
    expect(exitCodeOf('completed', 0)).toBe(0)
    expect(exitCodeOf('failed', 0)).toBe(1)
    expect(exitCodeOf('unconfirmed', 0)).toBe(1)
    expect(exitCodeOf('interrupted', 2)).toBe(3)
    expect(exitCodeOf('withdrawn', 0)).toBe(3)
    expect(exitCodeOf('max_turns', 1)).toBe(5)
    expect(exitCodeOf('budget', 0)).toBe(5)
    expect(exitCodeOf('something_new' as never, 0)).toBe(1)
  })
})
