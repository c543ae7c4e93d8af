/**
 * How far a client has come on the stream of several sessions: of each session the cursor of its newest frame. The cursors
 * themselves mean something to the server alone.
 */
import type { StreamFrame } from './event.ts'

export class StreamCursor {
  readonly #newest: Map<string, string>

  constructor(from?: StreamCursor) {
    this.#newest = new Map(from ? from.#newest : [])
  }

  /** The client has this frame now, and what came before it. */
  note(frame: StreamFrame): void {
    if (frame.frame === 'resync') {
      if (frame.session === null) this.#newest.clear()
      else this.#newest.delete(frame.session)
    } else if (frame.frame === 'snapshot') this.#set(frame.session, frame.cursor)
    else if (frame.frame === 'message') this.#set(frame.event.session, frame.cursor)
  }

  has(session: string): boolean {
    return this.#newest.has(session)
  }

  /** The session begins with a snapshot again. */
  forget(session: string): void {
    this.#newest.delete(session)
  }

  clear(): void {
    this.#newest.clear()
  }

  /** `Last-Event-ID` for a stream of these sessions; undefined when the client has none of them. */
  lastEventId(sessions: readonly string[]): string | undefined {
    const cursors = sessions.flatMap((session) => this.#newest.get(session) ?? [])
    return cursors.length === 0 ? undefined : cursors.join(',')
  }

  #set(session: string, cursor: string | undefined): void {
    if (cursor !== undefined) this.#newest.set(session, cursor)
  }
}
