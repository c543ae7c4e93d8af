/** One request of a session that the server works on. It is answered once; what comes later is dropped. */
import type { JsonRpcMessage } from './bridge-types.ts'
import type { JsonRpcId } from './json-rpc.ts'

export class OpenCall {
  readonly id: JsonRpcId
  answered = false
  readonly #controller = new AbortController()
  readonly #onAnswer: (response: JsonRpcMessage) => void

  constructor(id: JsonRpcId, onAnswer: (response: JsonRpcMessage) => void) {
    this.id = id
    this.#onAnswer = onAnswer
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  answer(response: JsonRpcMessage): void {
    if (this.answered) return
    this.answered = true
    this.#onAnswer(response)
  }

  /** Answers, then asks the server to stop. */
  abort(reason: string, response: JsonRpcMessage): void {
    if (this.answered) return
    this.answer(response)
    this.#controller.abort(new Error(reason))
  }
}
