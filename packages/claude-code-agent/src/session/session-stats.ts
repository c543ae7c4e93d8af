/** Counts and times of one session. */
import type { SessionMessage } from './messages.ts'
import type { SessionStateInfo } from './session-events.ts'

export class SessionStats {
  #startedAt: string | undefined
  #completedAt: string | undefined
  #toolCalls = 0
  #messages = 0

  started(): void {
    this.#startedAt = new Date().toISOString()
  }

  completed(): void {
    this.#completedAt = new Date().toISOString()
  }

  /** A message of the CLI's came. */
  received(): void {
    this.#messages++
  }

  delivered(message: SessionMessage): void {
    if (message.type === 'tool_use') this.#toolCalls++
  }

  snapshot(): SessionStateInfo['stats'] {
    return {
      startedAt: this.#startedAt,
      completedAt: this.#completedAt,
      toolCallCount: this.#toolCalls,
      messageCount: this.#messages,
    }
  }
}
