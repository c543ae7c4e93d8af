/** A page that is loaded again shows what it showed before. */
import { describe, expect, it } from 'vitest'
import { aSession, recordedLogs } from '../../test/support/recorded-logs.ts'
import { loaded, reduceAll, replay } from '../../test/support/reduce.ts'
import { emptySession } from './reduce-session.ts'
import type { Item } from './session-state.ts'

/** All that is shown but the times, and markers, which only those see who were there. */
function shown(items: readonly Item[]): unknown[] {
  return items.flatMap((item): unknown[] => {
    switch (item.kind) {
      case 'marker':
        return item.marker.type === 'woken' ? [item.key] : []
      case 'tool': {
        const { time: _time, endTime: _end, progress: _progress, children, decision, ...rest } = item
        const { time: _decided, ...answer } = decision ?? { time: '' }
        return [{ ...rest, answer, children: shown(children) }]
      }
      case 'thinking': {
        const { time: _time, endTime: _end, ...rest } = item
        return [rest]
      }
      case 'turn': {
        const { time: _time, durationMs: _duration, ...rest } = item
        return [rest]
      }
      default: {
        const { time: _time, ...rest } = item
        return [rest]
      }
    }
  })
}

describe.each(recordedLogs)('$name', ({ session: id, log, history }) => {
  it('looks the same after a reload', () => {
    const ready = reduceAll(emptySession(id), [
      {
        type: 'snapshot',
        snapshot: { session: aSession(id), mcp_servers: [], todos: [], approvals: [], queue: [], turn: [] },
      },
    ])
    expect(shown(loaded(ready, { events: history }).items)).toEqual(shown(replay(log).items))
  })
})
