/**
 * Holds back the answers of tool calls between a change of the tool list and the CLI's next look at it. Without this,
 * the CLI goes on to its next request to the model before it has asked for the list, and a tool that a handler has just
 * added is missing from that request (seen with 2.1.325).
 */
import { startTimeout } from './timeout.ts'

/** For a CLI that does not ask: late is better than never. */
const LONGEST_HOLD_MS = 500

export class AnswerGate {
  #held: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined
  #closed = false

  close(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#closed = true
    this.#timer = startTimeout(LONGEST_HOLD_MS, () => this.open())
  }

  /** Lets out what is held, in order. */
  open(): void {
    if (!this.#closed) return
    this.#closed = false
    clearTimeout(this.#timer)
    for (const release of this.#held.splice(0)) release()
  }

  pass(release: () => void): void {
    if (this.#closed) this.#held.push(release)
    else release()
  }
}
