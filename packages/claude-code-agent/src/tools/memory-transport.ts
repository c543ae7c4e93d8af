/** A transport in memory, of the interface that the MCP SDKs (v1 and v2) connect their servers to. */
import type { JsonRpcMessage } from './server-connection.ts'

/** The instance sets the callbacks when it connects. */
export class MemoryTransport {
  readonly sessionId: string
  onmessage: ((message: JsonRpcMessage) => void) | undefined
  onclose: (() => void) | undefined
  onerror: ((error: Error) => void) | undefined
  #onSend: (message: JsonRpcMessage) => void
  #onEnd: () => void
  #closed = false

  constructor(sessionId: string, onSend: (message: JsonRpcMessage) => void, onEnd: () => void) {
    this.sessionId = sessionId
    this.#onSend = onSend
    this.#onEnd = onEnd
  }

  async start(): Promise<void> {}

  async send(message: JsonRpcMessage): Promise<void> {
    if (!this.#closed) this.#onSend(message)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.onclose?.()
    this.#onEnd()
  }

  deliver(message: JsonRpcMessage): void {
    if (!this.#closed) this.onmessage?.(message)
  }
}
