/** What a process wrote to stderr: passed on by whole lines, and its end kept for error messages. */
import { StringDecoder } from 'node:string_decoder'

const tailLength = 8 * 1024
/** A line longer than this is passed on in parts, so that a process without newlines fills no memory. */
const longestLine = 64 * 1024

export class StderrTail {
  readonly #onLine: (line: string) => void
  readonly #decoder = new StringDecoder('utf8')
  #line = ''
  #tail = ''

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  /** The last 8 Ki characters. */
  get tail(): string {
    return this.#tail
  }

  push(chunk: Buffer): void {
    this.#add(this.#decoder.write(chunk))
  }

  end(): void {
    this.#add(this.#decoder.end())
    if (this.#line !== '') this.#onLine(this.#line)
    this.#line = ''
  }

  #add(text: string): void {
    this.#tail = (this.#tail + text).slice(-tailLength)
    const lines = (this.#line + text).split('\n')
    this.#line = lines.pop() ?? ''
    for (const line of lines) this.#onLine(line.endsWith('\r') ? line.slice(0, -1) : line)
    if (this.#line.length < longestLine) return
    this.#onLine(this.#line)
    this.#line = ''
  }
}
