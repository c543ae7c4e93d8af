/** Notifies the main thread of what changed, a little later and together. */
import type { TranscriptInfo } from '../../../core/ports/transcripts.ts'
import type { Changes } from '../protocol.ts'

const delayMs = 30

export class ChangeFeed {
  readonly #current: (sessionId: string) => TranscriptInfo | undefined
  readonly #send: (changes: Changes) => void
  /** Whether to announce, by session. */
  readonly #waiting = new Map<string, boolean>()
  #timer: NodeJS.Timeout | undefined

  /** `current` gives what there is to show of a session when it is sent, if anything. */
  constructor(current: (sessionId: string) => TranscriptInfo | undefined, send: (changes: Changes) => void) {
    this.#current = current
    this.#send = send
  }

  add(sessionId: string, announce: boolean): void {
    this.#waiting.set(sessionId, announce || (this.#waiting.get(sessionId) ?? false))
    this.#timer ??= setTimeout(() => this.flush(), delayMs)
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const announce of [true, false]) {
      const changes: Changes = { changed: [], removed: [], announce }
      for (const [sessionId, announced] of this.#waiting) {
        if (announced !== announce) continue
        const info = this.#current(sessionId)
        if (info) changes.changed.push(info)
        else changes.removed.push(sessionId)
      }
      if (changes.changed.length + changes.removed.length > 0) this.#send(changes)
    }
    this.#waiting.clear()
  }
}
