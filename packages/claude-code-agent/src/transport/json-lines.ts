/** Bytes in, JSON objects out: the framing of everything that the CLI writes to stdout. */
import { isAscii, isUtf8 } from 'node:buffer'
import type { TransportFault } from './transport.ts'

const defaultMaxLineBytes = 64 * 1024 * 1024

const newline = 0x0a
const previewLength = 200

export interface JsonLineReaderOptions {
  /** The longest line that is read, without its newline. Default 64 MiB. */
  maxLineBytes?: number | undefined
  onMessage: (message: Record<string, unknown>) => void
  onFault: (fault: TransportFault) => void
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
  readonly #maxLineBytes: number
  readonly #onMessage: (message: Record<string, unknown>) => void
  readonly #onFault: (fault: TransportFault) => void
  /** The pieces of a line whose newline has not come yet; joined once, so that a giant line costs linear time. */
  #pieces: Buffer[] = []
  #pieceBytes = 0
  /** In the rest of a line that was over the limit. */
  #skipping = false
  #atStart = true
  #stopped = false

  constructor(options: JsonLineReaderOptions) {
    this.#maxLineBytes = options.maxLineBytes ?? defaultMaxLineBytes
    this.#onMessage = options.onMessage
    this.#onFault = options.onFault
  }

  push(chunk: Buffer): void {
    if (this.#stopped) return
    let start = 0
    if (this.#pieceBytes > 0 || this.#skipping) {
      const end = chunk.indexOf(newline)
      this.#keep(end === -1 ? chunk : chunk.subarray(0, end))
      if (end === -1) return
      this.#finishLine(false)
      start = end + 1
    }
    const end = chunk.lastIndexOf(newline) + 1
    if (end > start)
      this.#wholeLines(start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end))
    const rest = Math.max(start, end)
    if (rest < chunk.length) this.#keep(chunk.subarray(rest))
  }

  /** No more bytes come. */
  end(): void {
    if (this.#stopped) return
    this.#finishLine(true)
    this.#stopped = true
  }

  /** Nothing is handed on from now, not even what is left of the chunk that is being read. */
  stop(): void {
    this.#stopped = true
    this.#pieces = []
    this.#pieceBytes = 0
  }

  /**
   * `lines` ends with a newline. A chunk of plain ASCII is decoded in one go and cut as a string. Other chunks
   * are decoded line by line: one wide character would make the whole chunk a wide string, which parses slower.
   */
  #wholeLines(lines: Buffer): void {
    if (isAscii(lines)) this.#asciiLines(lines)
    else this.#utf8Lines(lines)
  }

  #asciiLines(lines: Buffer): void {
    const text = lines.toString('latin1')
    let start = 0
    let end = text.indexOf('\n')
    while (end !== -1 && !this.#stopped) {
      if (end - start > this.#maxLineBytes)
        this.#tooLong(text.slice(start, start + previewLength), end - start)
      else if (end > start) this.#parse(text.slice(start, end), end - start, undefined)
      start = end + 1
      end = text.indexOf('\n', start)
    }
    this.#atStart = false
  }

  #utf8Lines(lines: Buffer): void {
    let start = 0
    let end = lines.indexOf(newline)
    while (end !== -1 && !this.#stopped) {
      if (end - start > this.#maxLineBytes) this.#tooLong(previewOf(lines.subarray(start, end)), end - start)
      else if (end > start) this.#line(lines, start, end, false)
      start = end + 1
      end = lines.indexOf(newline, start)
    }
  }

  #line(bytes: Buffer, start: number, end: number, last: boolean): void {
    let text = bytes.toString('utf8', start, end)
    if (this.#atStart) {
      this.#atStart = false
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1)
    }
    const invalid = text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end))
    this.#parse(text, end - start, last ? 'truncated' : invalid ? 'invalid_utf8' : undefined, invalid)
  }

  #parse(text: string, bytes: number, kind: 'truncated' | 'invalid_utf8' | undefined, invalid = false): void {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (error) {
      if (isBlank(text)) return
      const reason = kind ? reasons[kind] : 'the line is not JSON'
      this.#fault(kind ?? 'malformed', `${reason}: ${(error as Error).message}`, text, bytes)
      return
    }
    if (invalid)
      this.#fault('invalid_utf8', 'the line holds bytes that are not UTF-8; they were replaced', text, bytes)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      this.#onMessage(value as Record<string, unknown>)
    } else if (!invalid) {
      this.#fault('not_an_object', 'the line is JSON, but not an object', text, bytes)
    }
  }

  #keep(piece: Buffer): void {
    if (this.#skipping) return
    this.#pieceBytes += piece.length
    if (this.#pieceBytes > this.#maxLineBytes) {
      const begin = Buffer.concat([...this.#pieces, piece], Math.min(this.#pieceBytes, previewLength * 4))
      this.#tooLong(previewOf(begin), this.#pieceBytes)
      this.#pieces = []
      this.#pieceBytes = 0
      this.#skipping = true
    } else if (piece.length > 0) {
      this.#pieces.push(piece)
    }
  }

  /** The newline of a line that came in pieces, or the end of everything. */
  #finishLine(last: boolean): void {
    if (this.#skipping) {
      this.#skipping = false
      return
    }
    if (this.#pieceBytes === 0) return
    const [first] = this.#pieces
    const bytes = this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces, this.#pieceBytes)
    this.#pieces = []
    this.#pieceBytes = 0
    this.#line(bytes, 0, bytes.length, last)
  }

  #tooLong(preview: string, bytes: number): void {
    this.#atStart = false
    this.#fault('too_long', `the line is longer than ${this.#maxLineBytes} bytes`, preview, bytes)
  }

  #fault(kind: TransportFault['kind'], message: string, text: string, bytes: number): void {
    // A slice would keep its whole line in memory for as long as the fault is kept: copy it.
    const preview = Buffer.from(text.slice(0, previewLength)).toString()
    this.#onFault({ kind, message, preview, bytes })
  }
}

const reasons = {
  truncated: 'the output ended within a line',
  invalid_utf8: 'the line holds bytes that are not UTF-8, and is not JSON',
}

function previewOf(bytes: Buffer): string {
  return bytes.toString('utf8', 0, previewLength * 4).slice(0, previewLength)
}

function isBlank(text: string): boolean {
  return /^[ \t\r]*$/.test(text)
}
