/** The event bus of servers that are one process: whoever is to hear of each other gets the same one. Nothing is ever missed. */
import type { StreamEvent } from '@dorkos/shared'
import type {
  BusSubscription,
  EventBus,
  ServerListener,
  SessionListener,
} from '../../core/ports/event-bus.ts'

export function createMemoryEventBus(): EventBus {
  const bySession = new Map<string, Set<{ listener: SessionListener }>>()
  const server = new Set<{ listener: ServerListener }>()

  return {
    publish(events) {
      for (const run of runsOfSessions(events))
        for (const { listener } of bySession.get(run[0]?.session ?? '') ?? []) listener.events(run)
    },
    publishServer(event, principal) {
      for (const { listener } of server) listener.event(event, principal)
    },
    subscribe(sessionIds, listener) {
      const ids = new Set(sessionIds)
      const own = { listener }
      for (const id of ids) {
        const listeners = bySession.get(id)
        if (listeners) listeners.add(own)
        else bySession.set(id, new Set([own]))
      }
      return subscription(() => {
        for (const id of ids) {
          const listeners = bySession.get(id)
          listeners?.delete(own)
          if (listeners?.size === 0) bySession.delete(id)
        }
      })
    },
    subscribeServer(listener) {
      const own = { listener }
      server.add(own)
      return subscription(() => server.delete(own))
    },
  }
}

function subscription(close: () => void): BusSubscription {
  return { ready: Promise.resolve(), close }
}

/** Events that follow each other and are of one session. */
function runsOfSessions(events: readonly StreamEvent[]): StreamEvent[][] {
  const runs: StreamEvent[][] = []
  for (const event of events) {
    const run = runs.at(-1)
    if (run?.[0]?.session === event.session) run.push(event)
    else runs.push([event])
  }
  return runs
}
