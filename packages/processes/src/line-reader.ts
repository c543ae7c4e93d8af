/** Bytes in, lines of text out; a line without end fills no memory. */
import { isAscii, isUtf8 } from 'node:buffer'

const newline = 0x0a
const carriageReturn = 0x0d
const byteOrderMark = 0xfeff
const previewBytes = 800

export interface Line {
  /** Without its newline, a carriage return before that, and a byte order mark at the start of everything. */
  text: string
  /** How long it was, without its newline. */
  bytes: number
  /** False when bytes that are no UTF-8 were replaced. */
  isUtf8: boolean
  /** True when the end of everything came instead of its newline. */
  isLast: boolean
  /** True for what follows on a part of a line that was too long. */
  isRest: boolean
}

export interface LineReaderOptions {
  /** The longest line that is handed on whole, in bytes without its newline. */
  maxLineBytes: number
  /** Called synchronously and in order, for empty lines too. */
  onLine: (line: Line) => void
  /**
   * Called once for a line that is too long, as soon as it is; its rest is skipped, not kept. `bytes` is how much of it was read.
   * Without this, such a line is handed on in parts.
   */
  onTooLong?: (beginning: string, bytes: number) => void
}

export class LineReader {
  readonly #options: LineReaderOptions
  /** The pieces of a line whose newline has not come yet; joined once, so that a giant line costs linear time. */
  #pieces: Buffer[] = []
  #pieceBytes = 0
  /** The limit was passed in this line. */
  #isInRest = false
  #isAtStart = true
  #isStopped = false

  constructor(options: LineReaderOptions) {
    this.#options = options
  }

  /** What there is of a line whose newline has not come yet; nothing of one that was too long. */
  get unfinished(): string {
    return this.#isInRest ? '' : Buffer.concat(this.#pieces).toString('utf8')
  }

  push(chunk: Buffer): void {
    if (this.#isStopped) return
    let start = 0
    if (this.#pieceBytes > 0 || this.#isInRest) {
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

  /** No more bytes come; what is pushed after this is another text. */
  end(): void {
    if (this.#isStopped) return
    this.#finishLine(true)
    this.#isAtStart = true
  }

  /** Nothing is handed on from now, not even what is left of the chunk that is being read. */
  stop(): void {
    this.#isStopped = true
    this.#forgetPieces()
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
    const { maxLineBytes, onLine } = this.#options
    const text = lines.toString('latin1')
    this.#isAtStart = false
    let start = 0
    let end = text.indexOf('\n')
    while (end !== -1 && !this.#isStopped) {
      const bytes = end - start
      if (bytes > maxLineBytes) this.#longLine(lines.subarray(start, end))
      else {
        const line = withoutReturn(text.slice(start, end))
        onLine({ text: line, bytes, isUtf8: true, isLast: false, isRest: false })
      }
      start = end + 1
      end = text.indexOf('\n', start)
    }
  }

  #utf8Lines(lines: Buffer): void {
    let start = 0
    let end = lines.indexOf(newline)
    while (end !== -1 && !this.#isStopped) {
      if (end - start > this.#options.maxLineBytes) this.#longLine(lines.subarray(start, end))
      else this.#handOn(lines, start, end, false)
      start = end + 1
      end = lines.indexOf(newline, start)
    }
  }

  #longLine(line: Buffer): void {
    this.#keep(line)
    this.#finishLine(false)
  }

  #keep(piece: Buffer): void {
    const { maxLineBytes, onTooLong } = this.#options
    if (onTooLong && this.#isInRest) return
    if (piece.length > 0) this.#pieces.push(piece)
    this.#pieceBytes += piece.length
    if (this.#pieceBytes <= maxLineBytes) return
    if (!onTooLong) return this.#handOnParts(maxLineBytes)
    const bytes = this.#pieceBytes
    const beginning = Buffer.concat(this.#pieces, Math.min(bytes, previewBytes)).toString('utf8')
    this.#forgetPieces()
    this.#isInRest = true
    this.#isAtStart = false
    onTooLong(beginning, bytes)
  }

  #handOnParts(maxLineBytes: number): void {
    let bytes = Buffer.concat(this.#pieces, this.#pieceBytes)
    this.#forgetPieces()
    while (bytes.length > maxLineBytes && !this.#isStopped) {
      const end = characterStart(bytes, maxLineBytes)
      this.#handOn(bytes, 0, end, false)
      this.#isInRest = true
      bytes = bytes.subarray(end)
    }
    if (this.#isStopped || bytes.length === 0) return
    this.#pieces = [bytes]
    this.#pieceBytes = bytes.length
  }

  /** The newline of a line that came in pieces, or the end of everything. */
  #finishLine(isLast: boolean): void {
    if (this.#pieceBytes > 0) {
      const [first] = this.#pieces
      const isOne = this.#pieces.length === 1 && first
      const bytes = isOne ? first : Buffer.concat(this.#pieces, this.#pieceBytes)
      this.#forgetPieces()
      this.#handOn(bytes, 0, bytes.length, isLast)
    }
    this.#isInRest = false
  }

  #handOn(bytes: Buffer, start: number, end: number, isLast: boolean): void {
    let text = bytes.toString('utf8', start, end)
    if (this.#isAtStart && text.charCodeAt(0) === byteOrderMark) text = text.slice(1)
    this.#isAtStart = false
    this.#options.onLine({
      text: withoutReturn(text),
      bytes: end - start,
      isUtf8: !text.includes('\ufffd') || isUtf8(bytes.subarray(start, end)),
      isLast,
      isRest: this.#isInRest,
    })
  }

  #forgetPieces(): void {
    this.#pieces = []
    this.#pieceBytes = 0
  }
}

function withoutReturn(text: string): string {
  return text.charCodeAt(text.length - 1) === carriageReturn ? text.slice(0, -1) : text
}

/** The last place at or before `end`, but not at the beginning, where a character starts. */
function characterStart(bytes: Buffer, end: number): number {
  let at = end
  while (at > 1 && end - at < 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1
  return at
}
