/** Hands published events to those who follow them. Knows nothing of clients, connections or the log. */
import { positionOf, type ServerEvent, type ServerSnapshot, type StreamEvent } from '@dorkos/shared'
import type { Actor } from '../actor.ts'
import type { EventHub, PublishedEvent, PublishedServerEvent } from '../services.ts'

/** With whose it is; null for what concerns everybody. */
export type PublishServer = (event: ServerEvent, principal: string | null) => void

export interface PublishingHub extends EventHub {
  /** Called by the pipeline alone, once the events are on disk; those of a session in their order. */
  publish(events: readonly StreamEvent[]): void
  publishServer: PublishServer
  /** For the server itself: whoever's they are. */
  onServer(listener: (event: ServerEvent) => void): () => void
}

type Listener = (events: readonly PublishedEvent[]) => void

export function createEventHub(serverSnapshot: (actor: Actor) => Promise<ServerSnapshot>): PublishingHub {
  const bySession = new Map<string, Set<Listener>>()
  const serverListeners = new Set<{ principal: string; hear(event: PublishedServerEvent): void }>()
  const internal = new Set<(event: ServerEvent) => void>()

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
    subscribeServer({ principal }, listener) {
      const own = { principal, hear: listener }
      serverListeners.add(own)
      return () => serverListeners.delete(own)
    },
    publish(events) {
      for (const run of runsOfSessions(events)) {
        const listeners = bySession.get(run[0]?.session ?? '')
        if (!listeners) continue
        const list = run.map(published)
        for (const listener of listeners) listener(list)
      }
    },
    onServer(listener) {
      const own = (event: ServerEvent) => listener(event)
      internal.add(own)
      return () => internal.delete(own)
    },
    publishServer(event, principal) {
      for (const hear of internal) hear(event)
      const hearing = [...serverListeners].filter((one) => principal === null || one.principal === principal)
      if (hearing.length === 0) return
      const told = { event, json: JSON.stringify(event) }
      for (const { hear } of hearing) hear(told)
    },
    serverSnapshot,
  }
}

/** With what all listeners need of it, made once. */
export function published(event: StreamEvent): PublishedEvent {
  return { at: positionOf(event), event, json: JSON.stringify(event) }
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
