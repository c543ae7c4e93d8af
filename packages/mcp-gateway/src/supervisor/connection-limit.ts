/** How many connections that serve one holder each there may be, over all servers: each is a process, as a rule. */
import { McpCallError } from '../errors.ts'

export interface LimitedConnection {
  readonly isBusy: boolean
  /** Calls `leave`. */
  endForRoom(): void
}

export class ConnectionLimit {
  readonly #most: number
  /** The one that was not used for longest comes first. */
  readonly #open = new Set<LimitedConnection>()
  readonly #ending = new Set<Promise<void>>()

  constructor(most: number) {
    this.#most = most
  }

  /**
   * Takes one more in; the longest idle one is ended for it. Resolves when it may be opened: so many as were one too many are gone by
   * then. Throws McpCallError when all are at work.
   */
  enter(connection: LimitedConnection): Promise<void> {
    if (this.#open.size >= this.#most) {
      const idle = [...this.#open].find(({ isBusy }) => !isBusy)
      if (!idle) throw new McpCallError(-32000, this.#refusal())
      idle.endForRoom()
    }
    this.#open.add(connection)
    if (this.#open.size + this.#ending.size <= this.#most) return Promise.resolve()
    return Promise.all(this.#ending).then(() => {})
  }

  used(connection: LimitedConnection): void {
    if (this.#open.delete(connection)) this.#open.add(connection)
  }

  /** `gone` resolves when nothing of it runs any more. */
  leave(connection: LimitedConnection, gone: Promise<void>): void {
    if (!this.#open.delete(connection)) return
    const ending = gone.then(() => void this.#ending.delete(ending))
    this.#ending.add(ending)
  }

  #refusal(): string {
    return (
      `No more than ${this.#most} processes of MCP servers may serve one session each, and all of them are at work. ` +
      'Try again when a call has ended. A person can end a session, let sessions share the server, or raise the limit.'
    )
  }
}
