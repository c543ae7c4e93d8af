/** Bytes in, lines out; a line without end fills no memory. */

const newline = 0x0a

export class LineSplitter {
  readonly #maxBytes: number
  readonly #onLine: (line: Buffer) => void
  readonly #onTooLong: () => void
  #pieces: Buffer[] = []
  #bytes = 0
  #stopped = false

  constructor(maxBytes: number, onLine: (line: Buffer) => void, onTooLong: () => void) {
    this.#maxBytes = maxBytes
    this.#onLine = onLine
    this.#onTooLong = onTooLong
  }

  push(chunk: Buffer): void {
    let start = 0
    while (!this.#stopped) {
      const end = chunk.indexOf(newline, start)
      this.#keep(chunk.subarray(start, end === -1 ? chunk.length : end))
      if (end === -1) return
      this.#finish()
      start = end + 1
    }
  }

  /** Nothing is handed on from now on. */
  stop(): void {
    this.#stopped = true
    this.#pieces = []
    this.#bytes = 0
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length
    if (this.#bytes > this.#maxBytes) {
      this.stop()
      this.#onTooLong()
    } else if (piece.length > 0) {
      this.#pieces.push(piece)
    }
  }

  #finish(): void {
    if (this.#stopped) return
    const [first] = this.#pieces
    const line = this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces, this.#bytes)
    this.#pieces = []
    this.#bytes = 0
    if (line.length > 0) this.#onLine(line)
  }
}
