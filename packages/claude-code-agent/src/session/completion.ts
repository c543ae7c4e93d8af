/** The end of a session, for whoever waits for it. */
import { deferred } from './deferred.ts'
import type { Emitter } from './emitter.ts'
import type { SessionEvents, SessionResult } from './session-events.ts'

export class Completion {
  readonly #ended = deferred<SessionResult>()
  readonly #events: Emitter<SessionEvents>
  readonly #saved: () => Promise<void> | undefined

  /** `saved` resolves when the session's record is written. */
  constructor(events: Emitter<SessionEvents>, saved: () => Promise<void> | undefined) {
    this.#events = events
    this.#saved = saved
    this.#ended.promise.catch(() => {})
  }

  settle(result: SessionResult): void {
    const { state, error } = result
    if (state === 'failed' && error) {
      this.#events.emit('error', error)
      this.#ended.reject(error)
    } else {
      this.#events.emit('complete', result)
      this.#ended.resolve(result)
    }
  }

  /** Rejects when the session failed. Whoever is notified that it is over finds that in its record. */
  result(): Promise<SessionResult> {
    return this.#ended.promise.finally(() => this.#saved())
  }

  /** Resolves in any case. */
  async over(): Promise<void> {
    await this.result().catch(() => {})
  }

  /** Calls back once, when the session has ended in any way. */
  whenEnded(callback: () => void): void {
    this.#ended.promise.then(callback, callback)
  }
}
