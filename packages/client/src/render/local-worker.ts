/** Stands in for the browser's worker in tests: the same highlighter, in the same thread. */
import type { HighlightAnswer, HighlightQuestion } from './highlight-messages.ts'
import type { HighlightWorker } from './highlighter.ts'
import { createHighlightAnswers } from './shiki-highlighter.ts'

export class LocalWorker implements HighlightWorker {
  onmessage: HighlightWorker['onmessage'] = null
  onerror: HighlightWorker['onerror'] = null
  readonly #answer = createHighlightAnswers()

  async postMessage(question: HighlightQuestion): Promise<void> {
    const data: HighlightAnswer = structuredClone(await this.#answer(structuredClone(question)))
    this.onmessage?.(new MessageEvent('message', { data }))
  }

  terminate(): void {
    this.onmessage = null
  }
}
