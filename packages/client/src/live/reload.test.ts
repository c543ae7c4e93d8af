/** A page that is loaded again shows what it showed before. */
import { describe, expect, it } from 'vitest'
import { aSession, recordedLogs } from '../../test/support/recorded-logs.ts'
import { loaded, reduceAll, replay } from '../../test/support/reduce.ts'
import type { Item } from './page-session.ts'
import { emptySession } from './reduce-session.ts'

/** All that is shown but the time of day that an item has; how long things took, and when they were decided, is in it. */
function shown(items: readonly Item[]): unknown[] {
  return items.map((item): unknown => {
    switch (item.kind) {
      case 'marker':
        return item.marker
      case 'tool': {
        const { time: _time, progress: _progress, children, ...rest } = item
        return { ...rest, children: shown(children) }
      }
      default: {
        const { time: _time, ...rest } = item
        return rest
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
