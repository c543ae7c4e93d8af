/**
 * Event bus: publishes to all processes of a DorkOS what happened in any of them. It keeps nothing: what a listener missed is in the
 * event log (sessions), or is part of the state (the server's topic).
 */
import type { ServerEvent, StreamEvent } from '@dorkos/shared'

export interface EventBus {
  /** Hands on events that are in the log already; one session's in their order. Returns at once. */
  publish(events: readonly StreamEvent[]): void
  /** `principal`: whose it is; null for what concerns everybody. */
  publishServer(event: ServerEvent, principal: string | null): void
  /** From when `ready` resolves on: everything that any process publishes of these sessions. */
  subscribe(sessionIds: Iterable<string>, listener: SessionListener): BusSubscription
  subscribeServer(listener: ServerListener): BusSubscription
}

export interface SessionListener {
  /**
   * Events of one session, those of one process in the order in which it published them. When a session moves, the last ones
   * of its former process may come after the first of the next.
   */
  events(events: readonly StreamEvent[]): void
  /** Some may have been lost on the way: read the log. */
  missed(): void
}

export interface ServerListener {
  event(event: ServerEvent, principal: string | null): void
  /** Some may have been lost on the way: read the state. */
  missed(): void
}

export interface BusSubscription {
  /** Rejects when the bus cannot be reached; the subscription is to be closed then too. */
  readonly ready: Promise<void>
  /** Nothing is heard after it. */
  close(): void
}
