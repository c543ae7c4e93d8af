/**
 * Events of some sessions from the moment of subscription on. They are held back until the reader has caught up with the log,
 * so that nothing falls between replay and live. If more come than may be held, they are let go: the log has them.
 */
import type { EventHub, PublishedEvent } from '../core/services.ts'

const maxHeld = 1000

type Listener = (events: readonly PublishedEvent[]) => void

export class LiveFeed {
  readonly #unsubscribe: () => void
  /** Lists as the hub gave them: each is of one session, and the same for all clients. */
  #held: (readonly PublishedEvent[])[] = []
  #heldCount = 0
  #listener: Listener | undefined
  #hasMissed = false

  constructor(hub: EventHub, sessionIds: Iterable<string>) {
    this.#unsubscribe = hub.subscribe(sessionIds, (events) => {
      if (this.#listener) this.#listener(events)
      else if (this.#heldCount + events.length <= maxHeld) this.#hold(events)
      else this.#letGo()
    })
  }

  /**
   * Passes on what was held, then everything live, in one step. False, and nothing passed on, when some had to be let go:
   * read the log again first.
   */
  goLive(listener: Listener): boolean {
    if (this.#hasMissed) {
      this.#hasMissed = false
      return false
    }
    for (const events of this.#held) listener(events)
    this.#drop()
    this.#listener = listener
    return true
  }

  close(): void {
    this.#unsubscribe()
    this.#drop()
  }

  #hold(events: readonly PublishedEvent[]): void {
    this.#held.push(events)
    this.#heldCount += events.length
  }

  #letGo(): void {
    this.#drop()
    this.#hasMissed = true
  }

  #drop(): void {
    this.#held = []
    this.#heldCount = 0
  }
}
