/** The last lines that a server wrote to its standard error output, fit to be shown. */
import { LineReader } from '@dorkos/processes'
import { plainLine } from './plain-text.ts'
import type { Redact } from './redactor.ts'

const mostLines = 40
const longestLine = 500
/** What is read of a line: enough to find a secret that stands at the cut. */
const maxLineBytes = 8 * 1024

export class ShownStderr {
  readonly #redact: Redact
  readonly #lines: string[] = []
  #new: string[] = []
  readonly #reader = new LineReader({
    maxLineBytes,
    onLine: ({ text, isRest }) => {
      if (!isRest) this.#new.push(text)
    },
  })

  constructor(redact: Redact) {
    this.#redact = redact
  }

  get lines(): readonly string[] {
    const { unfinished } = this.#reader
    return unfinished === '' ? [...this.#lines] : [...this.#lines, this.#clean(unfinished)].slice(-mostLines)
  }

  push(chunk: Buffer): void {
    this.#reader.push(chunk)
    this.#addNew()
  }

  /** The process has ended; what comes next is from another. */
  end(): void {
    this.#reader.end()
    this.#addNew()
  }

  /** However much a server writes: no more lines are cleaned than can be shown. */
  #addNew(): void {
    const clean = this.#new.slice(-mostLines).map((line) => this.#clean(line))
    this.#new = []
    this.#lines.push(...clean.filter((line) => line !== ''))
    this.#lines.splice(0, this.#lines.length - mostLines)
  }

  #clean(line: string): string {
    // First what is unseen: it could stand inside a secret. Then the secret, which could stand at the cut.
    return plainLine(this.#redact(plainLine(line, maxLineBytes)), longestLine)
  }
}
