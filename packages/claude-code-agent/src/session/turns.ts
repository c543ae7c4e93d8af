/**
 * Which messages belong to which turn. The CLI announces each turn with `system/init` and ends it with a result; what
 * it starts on in between, or right before the announcement, is part of that turn (2.1.325).
 */
import type { TurnStart } from './session-events.ts'

export class Turns {
  #isOpen = false
  #messages: string[] = []

  messageStarted(uuid: string): void {
    if (!this.#messages.includes(uuid)) this.#messages.push(uuid)
  }

  /** The turn that begins; nothing when it has been announced before. */
  begin(): TurnStart | undefined {
    if (this.#isOpen) return undefined
    this.#isOpen = true
    const messageUuids = [...this.#messages]
    return { cause: messageUuids.length > 0 ? 'message' : 'background', messageUuids }
  }

  /** The messages of the turn that ends, in the order in which the agent started on them. */
  end(): string[] {
    this.#isOpen = false
    return this.#messages.splice(0)
  }
}
