/** What a process wrote to stderr: its end, kept for error messages, and passed on by whole lines to whoever wants them. */
import { StringDecoder } from 'node:string_decoder'
import { LineReader } from './line-reader.ts'

const tailLength = 8 * 1024
/** A line longer than this is passed on in parts. */
const maxLineBytes = 64 * 1024

export class StderrTail {
  readonly #lines: LineReader | undefined
  readonly #decoder = new StringDecoder('utf8')
  #tail = ''

  constructor(onLine?: (line: string) => void) {
    this.#lines = onLine && new LineReader({ maxLineBytes, onLine: ({ text }) => onLine(text) })
  }

  /** The last 8 Ki characters. */
  get tail(): string {
    return this.#tail
  }

  push(chunk: Buffer): void {
    this.#keep(this.#decoder.write(chunk))
    this.#lines?.push(chunk)
  }

  end(): void {
    this.#keep(this.#decoder.end())
    this.#lines?.end()
  }

  #keep(text: string): void {
    this.#tail = (this.#tail + text).slice(-tailLength)
  }
}
