/** Reads whole transcripts, one after the other: what was said goes into the index. */
import { setImmediate as turn } from 'node:timers/promises'
import type { FromIndex } from '../protocol.ts'
import { type IndexedTranscript, noText, wantsText } from './indexed-transcript.ts'
import { readText } from './read-text.ts'
import type { TranscriptTable } from './transcript-table.ts'
import { Wake } from './wake.ts'

export class TextLoop {
  readonly #table: TranscriptTable
  readonly #send: (message: FromIndex) => void
  readonly #wake = new Wake()
  #released = false
  #closed = false

  constructor(table: TranscriptTable, send: (message: FromIndex) => void) {
    this.#table = table
    this.#send = send
  }

  /** Begins: what lists show comes first. */
  release(): void {
    this.#released = true
    this.#wake.call()
  }

  wake(): void {
    this.#wake.call()
  }

  close(): void {
    this.#closed = true
    this.#wake.call()
  }

  /** Runs until it is closed; rejects when the index cannot be written. */
  async run(): Promise<void> {
    const { texts } = this.#table
    while (!this.#closed) {
      const next = this.#released ? texts.take() : undefined
      if (!next) {
        await this.#wake.sleep()
        continue
      }
      const transcript = this.#table.get(next.sessionId)
      if (transcript && wantsText(transcript)) await this.#read(transcript, next.live)
      texts.done()
      if (texts.size === 0 && !this.#closed) this.#table.flush()
    }
  }

  async #read(transcript: IndexedTranscript, live: boolean): Promise<void> {
    const { sessionId, size, mtimeMs } = transcript
    const { store } = this.#table
    const countBefore = transcript.text.messageCount
    const isCurrent = () => this.#table.get(sessionId) === transcript && !this.#closed
    try {
      for await (const { startsAnew, messages, state } of readText(transcript)) {
        if (!isCurrent()) return
        if (startsAnew) store.clearText(sessionId, noText)
        store.addText(sessionId, messages, state)
        transcript.text = state
        await turn()
      }
    } catch (error) {
      if (isDatabaseError(error)) throw error
      const reason = error instanceof Error ? error.message : String(error)
      this.#send({
        log: { level: 'warn', fields: { sessionId, reason }, message: 'a transcript cannot be indexed' },
      })
      // Tried again when it changes.
      transcript.text = { ...transcript.text, size, mtimeMs }
    }
    this.#table.textChanged(sessionId, live && transcript.text.messageCount !== countBefore)
  }
}

function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE')
}
