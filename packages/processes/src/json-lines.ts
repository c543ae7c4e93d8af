/** JSON objects, one a line: the framing of everything that the CLI and tool hosts write to each other. */
import { isRecord } from './is-record.ts'
import { type Line, LineReader } from './line-reader.ts'

const defaultMaxLineBytes = 64 * 1024 * 1024
const previewLength = 200

/** A line that could not be used. */
export interface LineFault {
  kind: 'malformed' | 'too_long' | 'truncated' | 'invalid_utf8' | 'not_an_object'
  /** What was wrong, in words. */
  message: string
  /** The beginning of the line, at most 200 characters. */
  preview: string
  /** How long the line was, as far as it was read. */
  bytes: number
}

export interface JsonLineReaderOptions {
  /** The longest line that is read, without its newline. Default 64 MiB. */
  maxLineBytes?: number | undefined
  onMessage: (message: Record<string, unknown>) => void
  onFault: (fault: LineFault) => void
}

/**
 * Splits pushed chunks into lines and hands on the parsed objects, synchronously and in order. A line gives at
 * most one fault, and reading goes on after it:
 * - a line that is not JSON, or JSON but no object, gives a fault;
 * - a line with invalid UTF-8 gives a fault, and is delivered all the same (with replacement characters) if it
 *   can be parsed, so that nothing is lost;
 * - a line over the limit gives a fault as soon as it passes the limit; its rest is skipped, not kept;
 * - a last line without a newline is delivered if it is whole, else it gives a fault.
 * Blank lines, a carriage return before the newline and a byte order mark at the start are ignored.
 */
export class JsonLineReader {
  readonly #onMessage: (message: Record<string, unknown>) => void
  readonly #onFault: (fault: LineFault) => void
  readonly #lines: LineReader

  constructor({ maxLineBytes = defaultMaxLineBytes, onMessage, onFault }: JsonLineReaderOptions) {
    this.#onMessage = onMessage
    this.#onFault = onFault
    this.#lines = new LineReader({
      maxLineBytes,
      onLine: (line) => this.#parse(line),
      onTooLong: (beginning, bytes) =>
        this.#fault('too_long', `the line is longer than ${maxLineBytes} bytes`, beginning, bytes),
    })
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk)
  }

  /** No more bytes come. */
  end(): void {
    this.#lines.end()
  }

  /** Nothing is handed on from now, not even what is left of the chunk that is being read. */
  stop(): void {
    this.#lines.stop()
  }

  #parse({ text, bytes, isUtf8, isLast }: Line): void {
    if (text === '') return
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (error) {
      if (isBlank(text)) return
      const kind = isLast ? 'truncated' : isUtf8 ? 'malformed' : 'invalid_utf8'
      this.#fault(kind, `${reasons[kind]}: ${(error as Error).message}`, text, bytes)
      return
    }
    if (!isUtf8)
      this.#fault('invalid_utf8', 'the line holds bytes that are not UTF-8; they were replaced', text, bytes)
    if (isRecord(value)) this.#onMessage(value)
    else if (isUtf8) this.#fault('not_an_object', 'the line is JSON, but not an object', text, bytes)
  }

  #fault(kind: LineFault['kind'], message: string, text: string, bytes: number): void {
    // A slice would keep its whole line in memory for as long as the fault is kept: copy it.
    const preview = Buffer.from(text.slice(0, previewLength)).toString()
    this.#onFault({ kind, message, preview, bytes })
  }
}

const reasons = {
  malformed: 'the line is not JSON',
  truncated: 'the output ended within a line',
  invalid_utf8: 'the line holds bytes that are not UTF-8, and is not JSON',
}

function isBlank(text: string): boolean {
  return /^[ \t\r]*$/.test(text)
}
