/**
 * Events of some sessions from the moment of subscription on. They are held back until the reader has caught up with the log,
 * so that nothing falls between replay and live. If more come than may be held, they are let go: the log has them.
 */
import type { EventHub, PublishedEvent } from '../core/services.ts'

const maxHeld = 1000

export class LiveFeed {
  readonly #unsubscribe: () => void
  #held: PublishedEvent[] = []
  #listener: ((event: PublishedEvent) => void) | undefined
  #hasMissed = false

  constructor(hub: EventHub, sessionIds: Iterable<string>) {
    this.#unsubscribe = hub.subscribe(sessionIds, (event) => {
      if (this.#listener) this.#listener(event)
      else if (this.#held.length < maxHeld) this.#held.push(event)
      else this.#letGo()
    })
  }

  /**
   * Passes on what was held, then everything live, in one step. False, and nothing passed on, when some had to be let go:
   * read the log again first.
   */
  goLive(listener: (event: PublishedEvent) => void): boolean {
    if (this.#hasMissed) {
      this.#hasMissed = false
      return false
    }
    for (const event of this.#held) listener(event)
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
