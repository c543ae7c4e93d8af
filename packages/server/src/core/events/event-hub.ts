/**
 * Those of this process who follow events, over the bus of all processes: one subscription of the bus for a session, however many
 * follow it. Knows nothing of clients, connections or the log.
 */
import type { ServerEvent, ServerSnapshot } from '@dorkos/shared'
import type { Actor } from '../actor.ts'
import type { BusSubscription, EventBus } from '../ports/event-bus.ts'
import type { EventHub, HubListener } from '../services.ts'

export type PublishServer = EventBus['publishServer']

export interface ServerHub extends EventHub {
  /** Resolves when the server's topic is heard. */
  readonly ready: Promise<void>
  /** For the server itself: whoever's they are. */
  onServer(listener: { event(event: ServerEvent): void; missed(): void }): () => void
  close(): void
}

interface Followed {
  subscription: BusSubscription
  listeners: Set<HubListener>
}

interface TopicListener {
  principal: string
  event(event: ServerEvent): void
  missed(): void
}

export function createEventHub(
  bus: EventBus,
  serverSnapshot: (actor: Actor) => Promise<ServerSnapshot>,
): ServerHub {
  const sessions = new Map<string, Followed>()
  const topicListeners = new Set<TopicListener>()
  const internal = new Set<Parameters<ServerHub['onServer']>[0]>()

  const topic = bus.subscribeServer({
    event(event, principal) {
      for (const listener of internal) listener.event(event)
      for (const listener of [...topicListeners])
        if (principal === null || listener.principal === principal) listener.event(event)
    },
    missed() {
      for (const listener of [...internal, ...topicListeners]) listener.missed()
    },
  })

  function follow(id: string): Followed {
    const known = sessions.get(id)
    if (known) return known
    const listeners = new Set<HubListener>()
    const subscription = bus.subscribe([id], {
      events(events) {
        for (const listener of listeners) listener.events(events)
      },
      missed() {
        for (const listener of listeners) listener.missed()
      },
    })
    const followed = { subscription, listeners }
    sessions.set(id, followed)
    return followed
  }

  function leave(id: string, listener: HubListener): void {
    const followed = sessions.get(id)
    if (!followed?.listeners.delete(listener) || followed.listeners.size > 0) return
    followed.subscription.close()
    sessions.delete(id)
  }

  return {
    ready: topic.ready,
    subscribe(sessionIds, listener) {
      const ids = [...sessionIds]
      // Its own object, so that a listener that subscribes twice is called and removed twice.
      const own: HubListener = {
        events: (events) => listener.events(events),
        missed: () => listener.missed(),
      }
      const ready = ids.map((id) => {
        const { subscription, listeners } = follow(id)
        listeners.add(own)
        return subscription.ready
      })
      return {
        ready: Promise.all(ready).then(() => undefined),
        close() {
          for (const id of ids) leave(id, own)
        },
      }
    },
    subscribeServer({ principal }, { event, missed }) {
      const own = { principal, event, missed }
      topicListeners.add(own)
      return { ready: topic.ready, close: () => topicListeners.delete(own) }
    },
    onServer({ event, missed }) {
      const own = { event, missed }
      internal.add(own)
      return () => internal.delete(own)
    },
    serverSnapshot,
    close: () => topic.close(),
  }
}
