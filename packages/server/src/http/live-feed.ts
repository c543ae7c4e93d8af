/**
 * Events of some sessions from the moment of subscription on. They are held back until the reader has caught up with the log,
 * so that nothing falls between replay and live. If more come than may be held, they are let go: the log has them.
 */
import type { StreamEvent } from '@dorkos/shared'
import type { EventHub } from '../core/services.ts'

const maxHeld = 1000

export interface LiveListener {
  /** Events of one session. False when some before them are missing. */
  events(events: readonly StreamEvent[]): boolean
  /** Some are missing, and nothing comes any more: read the log, and go live again. */
  missed(): void
}

export class LiveFeed {
  /** From then on, nothing is missed unless it is said. Before it, the log must not be read. */
  readonly ready: Promise<void>
  readonly #unsubscribe: () => void
  /** Lists as the hub gave them: each is of one session, and the same for all clients. */
  #held: (readonly StreamEvent[])[] = []
  #heldCount = 0
  #listener: LiveListener | undefined
  #hasMissed = false

  constructor(hub: EventHub, sessionIds: Iterable<string>) {
    const { ready, close } = hub.subscribe(sessionIds, {
      events: (events) => this.#take(events),
      missed: () => this.#miss(),
    })
    this.ready = ready
    this.#unsubscribe = close
  }

  /** Passes on what was held, then everything live, in one step. False when some are missing: read the log again first. */
  goLive(listener: LiveListener): boolean {
    const isWhole = !this.#hasMissed && this.#held.every((events) => listener.events(events))
    this.#drop()
    this.#hasMissed = false
    if (isWhole) this.#listener = listener
    return isWhole
  }

  close(): void {
    this.#unsubscribe()
    this.#drop()
  }

  #take(events: readonly StreamEvent[]): void {
    if (this.#listener) {
      if (!this.#listener.events(events)) this.#miss()
    } else if (this.#heldCount + events.length <= maxHeld) {
      this.#held.push(events)
      this.#heldCount += events.length
    } else this.#miss()
  }

  #miss(): void {
    const listener = this.#listener
    this.#drop()
    this.#listener = undefined
    // Whoever is live reads the log from now on; whoever reads it already reads it once more.
    if (listener) listener.missed()
    else this.#hasMissed = true
  }

  #drop(): void {
    this.#held = []
    this.#heldCount = 0
  }
}
