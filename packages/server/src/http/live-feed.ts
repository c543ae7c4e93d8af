/**
 * Events of some sessions from the moment of subscription on. They are held back until the reader has caught up with the log,
 * so that nothing falls between replay and live. If more come than may be held, they are let go: the log has them.
 */
import type { EventHub, PublishedEvent } from '../core/services.ts'

const maxHeld = 1000

export class LiveFeed {
  readonly #unsubscribe: () => void
  #held: PublishedEvent[] = []
  #listener: ((events: readonly PublishedEvent[]) => void) | undefined
  #hasMissed = false

  constructor(hub: EventHub, sessionIds: Iterable<string>) {
    this.#unsubscribe = hub.subscribe(sessionIds, (events) => {
      if (this.#listener) this.#listener(events)
      else if (this.#held.length + events.length <= maxHeld) this.#held.push(...events)
      else this.#letGo()
    })
  }

  /**
   * Passes on what was held, then everything live, in one step. False, and nothing passed on, when some had to be let go:
   * read the log again first.
   */
  goLive(listener: (events: readonly PublishedEvent[]) => void): boolean {
    if (this.#hasMissed) {
      this.#hasMissed = false
      return false
    }
    listener(this.#held)
    this.#held = []
    this.#listener = listener
    return true
  }

  close(): void {
    this.#unsubscribe()
    this.#held = []
  }

  #letGo(): void {
    this.#held = []
    this.#hasMissed = true
  }
}
