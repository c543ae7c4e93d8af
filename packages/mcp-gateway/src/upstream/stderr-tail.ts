/** The last lines that a server wrote to its standard error output, fit to be shown. */
import { StringDecoder } from 'node:string_decoder'
import { plainLine } from './plain-text.ts'
import type { Redact } from './redactor.ts'

const mostLines = 40
const longestLine = 500
/** What is kept of a line until its end comes: enough to find a secret that stands at the cut. */
const longestPart = 8 * 1024

export class StderrTail {
  readonly #redact: Redact
  readonly #lines: string[] = []
  #decoder = new StringDecoder('utf8')
  #part = ''

  constructor(redact: Redact) {
    this.#redact = redact
  }

  get lines(): readonly string[] {
    return this.#part === '' ? [...this.#lines] : [...this.#lines, this.#clean(this.#part)].slice(-mostLines)
  }

  push(chunk: Buffer): void {
    const lines = (this.#part + this.#decoder.write(chunk)).split('\n')
    this.#part = (lines.pop() ?? '').slice(0, longestPart)
    for (const line of lines.slice(-mostLines)) this.#add(line)
  }

  /** The process has ended; what comes next is from another. */
  end(): void {
    if (this.#part !== '') this.#add(this.#part)
    this.#part = ''
    this.#decoder = new StringDecoder('utf8')
  }

  #add(line: string): void {
    const clean = this.#clean(line)
    if (clean === '') return
    this.#lines.push(clean)
    if (this.#lines.length > mostLines) this.#lines.shift()
  }

  #clean(line: string): string {
    // First what is unseen: it could stand inside a secret. Then the secret, which could stand at the cut.
    return plainLine(this.#redact(plainLine(line, longestPart)), longestLine)
  }
}
