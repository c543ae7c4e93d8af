/** Hands published events to those who follow them. Knows nothing of clients, connections or the log. */
import type { ServerEvent, ServerSnapshot } from '@dorkos/shared'
import type { LoggedEvent } from '../ports/coordination.ts'
import type { EventHub, PublishedEvent, PublishedServerEvent } from '../services.ts'

export interface PublishingHub extends EventHub {
  /** Called by the pipeline alone, once the events are on disk; in the order of their positions. */
  publish(events: readonly LoggedEvent[]): void
  publishServer(event: ServerEvent): void
}

type Listener = (events: readonly PublishedEvent[]) => void

export function createEventHub(serverSnapshot: () => Promise<ServerSnapshot>): PublishingHub {
  const bySession = new Map<string, Set<Listener>>()
  const serverListeners = new Set<(event: PublishedServerEvent) => void>()

  return {
    subscribe(sessionIds, listener) {
      const ids = [...sessionIds]
      // Its own function, so that a listener that subscribes twice is called and removed twice.
      const own: Listener = (events) => listener(events)
      for (const id of ids) {
        const listeners = bySession.get(id)
        if (listeners) listeners.add(own)
        else bySession.set(id, new Set([own]))
      }
      return () => {
        for (const id of ids) {
          const listeners = bySession.get(id)
          listeners?.delete(own)
          if (listeners?.size === 0) bySession.delete(id)
        }
      }
    },
    subscribeServer(listener) {
      const own = (event: PublishedServerEvent) => listener(event)
      serverListeners.add(own)
      return () => serverListeners.delete(own)
    },
    publish(events) {
      for (const run of runsOfSessions(events)) {
        const listeners = bySession.get(run[0]?.event.session ?? '')
        if (!listeners) continue
        const published = run.map(({ position, event }) => ({ position, event, json: JSON.stringify(event) }))
        for (const listener of listeners) listener(published)
      }
    },
    publishServer(event) {
      if (serverListeners.size === 0) return
      const published = { event, json: JSON.stringify(event) }
      for (const listener of serverListeners) listener(published)
    },
    serverSnapshot,
  }
}

/** Events that follow each other and are of one session: whoever follows several gets all in the order of positions. */
function runsOfSessions(events: readonly LoggedEvent[]): LoggedEvent[][] {
  const runs: LoggedEvent[][] = []
  for (const logged of events) {
    const run = runs.at(-1)
    if (run?.[0]?.event.session === logged.event.session) run.push(logged)
    else runs.push([logged])
  }
  return runs
}
