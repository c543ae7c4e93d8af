/**
 * One request that is being worked on. It is answered once: by its result, its timeout, a cancel, or the end of
 * the connection. What comes later is dropped.
 */
import type { JsonRpcId, JsonRpcMessage } from './server-connection.ts'
import { startTimeout } from './timeout.ts'

export class OpenRequest {
  readonly id: JsonRpcId
  answered = false
  #resolve: (response: JsonRpcMessage) => void
  #onAnswered: ((request: OpenRequest) => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #controller: AbortController | undefined
  #abortReason: unknown

  constructor(
    id: JsonRpcId,
    resolve: (response: JsonRpcMessage) => void,
    onAnswered?: (request: OpenRequest) => void,
  ) {
    this.id = id
    this.#resolve = resolve
    this.#onAnswered = onAnswered
  }

  /** Made when first asked for: most handlers never read it. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason)
    }
    return this.#controller.signal
  }

  /** Starts the clock, unless it runs already or the request is answered. */
  limit(timeoutMs: number, onTimeout: () => void): void {
    if (!this.answered && !this.#timer) this.#timer = startTimeout(timeoutMs, onTimeout)
  }

  answer(response: JsonRpcMessage): void {
    if (this.answered) return
    this.answered = true
    if (this.#timer) clearTimeout(this.#timer)
    this.#onAnswered?.(this)
    this.#resolve(response)
  }

  /** Answers, then aborts the signal, so that nothing the handler does on abort can come first. */
  abort(reason: Error, response: JsonRpcMessage): void {
    if (this.answered) return
    this.#abortReason = reason
    this.answer(response)
    this.#controller?.abort(reason)
  }
}
