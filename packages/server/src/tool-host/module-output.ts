/** What modules print, line by line with the module's name before it, and never more than a log can bear. */
import type { Readable } from 'node:stream'
import { LineReader } from '@dorkos/processes'

/** In characters, and so at most four times as many bytes. */
const longestLine = 2000
const mostCharacters = 64 * 1024
const whileMs = 10_000

export class ModuleOutput {
  readonly #name: () => string
  readonly #write: (line: string) => void
  #written = 0
  #since = 0
  #isCut = false

  constructor(name: () => string, write: (line: string) => void) {
    this.#name = name
    this.#write = write
  }

  /** Reads it to its end, whether it is written on or not: a writer that is not read would stand still. */
  follow(stream: Readable): void {
    const lines = new LineReader({
      maxLineBytes: 4 * longestLine,
      onLine: ({ text, isRest }) => {
        if (!isRest) this.#line(text)
      },
    })
    stream.on('data', (chunk: Buffer) => lines.push(chunk))
    stream.on('end', () => lines.end())
    stream.on('error', () => {})
  }

  #line(text: string): void {
    const now = performance.now()
    if (now - this.#since > whileMs) {
      this.#since = now
      this.#written = 0
      this.#isCut = false
    }
    const line = text.slice(0, longestLine)
    this.#written += line.length + 1
    if (this.#written <= mostCharacters) this.#write(`[${this.#name()}] ${line}`)
    else if (!this.#isCut) {
      this.#isCut = true
      this.#write(`[${this.#name()}] prints too much; the next lines are left out`)
    }
  }
}
