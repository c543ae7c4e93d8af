/**
 * Lines of a file that may be very large and may still be written to: forwards or backwards from any offset, in
 * chunks, never the whole file. Knows bytes and newlines only; what a line means is the caller's business.
 */
import type { FileHandle } from 'node:fs/promises'

const newline = 0x0a
const defaultChunkBytes = 64 * 1024
const defaultMaxLineBytes = 64 * 1024 * 1024

export interface FileLine {
  /** Where the line begins in the file. */
  readonly offset: number
  /** Bytes of the line, without its newline. */
  readonly length: number
  /**
   * The line without its newline; absent when it is longer than `maxLineBytes`. May be a view into a chunk: decode
   * or copy what is to be kept.
   */
  readonly bytes: Buffer | undefined
  /** False only for what follows the last newline before `end`: a line that is torn, or still being written. */
  readonly terminated: boolean
}

export interface ReadLinesOptions {
  /** First byte to read; 0 by default. Should be the beginning of a line. */
  readonly start?: number
  /** One past the last byte to read; the size of the file at the time of the call by default. */
  readonly end?: number
  /** Bytes per read; 64 KiB by default. */
  readonly chunkBytes?: number
  /** Longer lines are passed over without being held in memory; 64 MiB by default. */
  readonly maxLineBytes?: number
}

interface Range {
  start: number
  end: number
  chunkBytes: number
  maxLineBytes: number
}

async function resolveRange(file: FileHandle, options: ReadLinesOptions): Promise<Range> {
  const end = options.end ?? (await file.stat()).size
  return {
    start: Math.max(0, options.start ?? 0),
    end,
    chunkBytes: Math.max(1, options.chunkBytes ?? defaultChunkBytes),
    maxLineBytes: options.maxLineBytes ?? defaultMaxLineBytes,
  }
}

/** Reads exactly the range, or less where the file has become shorter meanwhile. */
export async function readBytes(
  file: FileHandle,
  start: number,
  length: number,
  spare?: Buffer,
): Promise<Buffer> {
  const buffer = spare !== undefined && spare.length >= length ? spare : Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, start + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

/** The pieces of one line that is spread over several chunks; drops them once the line is too long to hold. */
class PendingLine {
  length = 0
  #pieces: Buffer[] = []
  readonly #maxBytes: number

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get isTooLong(): boolean {
    return this.length > this.#maxBytes
  }

  add(piece: Buffer, where: 'after' | 'before'): void {
    this.length += piece.length
    if (this.isTooLong) this.#pieces = []
    else if (where === 'after') this.#pieces.push(piece)
    else this.#pieces.unshift(piece)
  }

  take(offset: number, terminated: boolean): FileLine {
    const [only, second] = this.#pieces
    const whole = only !== undefined && second === undefined ? only : Buffer.concat(this.#pieces)
    const line = {
      offset,
      length: this.length,
      bytes: this.isTooLong ? undefined : whole,
      terminated,
    }
    this.length = 0
    this.#pieces = []
    return line
  }
}

/** The lines of a file in order. Empty lines are lines; nothing follows a final newline. */
export async function* readLines(file: FileHandle, options: ReadLinesOptions = {}): AsyncGenerator<FileLine> {
  const { start, end, chunkBytes, maxLineBytes } = await resolveRange(file, options)
  const pending = new PendingLine(maxLineBytes)
  let lineStart = start
  let position = start
  while (position < end) {
    const chunk = await readBytes(file, position, Math.min(chunkBytes, end - position))
    if (chunk.length === 0) break
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      pending.add(chunk.subarray(from, at), 'after')
      yield pending.take(lineStart, true)
      from = at + 1
      lineStart = position + from
    }
    if (from < chunk.length) pending.add(chunk.subarray(from), 'after')
    position += chunk.length
  }
  if (pending.length > 0) yield pending.take(lineStart, false)
}

/** The same lines as `readLines`, last one first. Reads no further back than what is consumed. */
export async function* readLinesBackward(
  file: FileHandle,
  options: ReadLinesOptions = {},
): AsyncGenerator<FileLine> {
  const { start, end, chunkBytes, maxLineBytes } = await resolveRange(file, options)
  const pending = new PendingLine(maxLineBytes)
  let terminated = false
  let atEnd = true
  let position = end
  // Within a line that is passed over nothing is held: one buffer does for all of its chunks.
  let spare: Buffer | undefined
  while (position > start) {
    const chunkStart = Math.max(start, position - chunkBytes)
    const chunk = await readBytes(file, chunkStart, position - chunkStart, spare)
    spare = pending.isTooLong && !chunk.includes(newline) ? (spare ?? chunk) : undefined
    let to = chunk.length
    for (
      let at = chunk.lastIndexOf(newline);
      at !== -1;
      at = at === 0 ? -1 : chunk.lastIndexOf(newline, at - 1)
    ) {
      pending.add(chunk.subarray(at + 1, to), 'before')
      // What follows the last newline is a line only if there is something of it.
      if (!atEnd || pending.length > 0) yield pending.take(chunkStart + at + 1, terminated)
      terminated = true
      atEnd = false
      to = at
    }
    if (to > 0) pending.add(chunk.subarray(0, to), 'before')
    position = chunkStart
  }
  if (end > start && (!atEnd || pending.length > 0)) yield pending.take(start, terminated)
}

export interface WindowOptions {
  /** The size of the file, where it is known already. */
  readonly size?: number
  /** Stop at the first line that reaches beyond this many bytes; 64 KiB by default. */
  readonly bytes?: number
  /** Go on to at most this many while there is no line yet, or `enough` says no; 1 MiB by default. */
  readonly maxBytes?: number
  /** Asked once `bytes` are read: are these lines enough? Any line is, by default. */
  readonly enough?: (lines: readonly FileLine[]) => boolean
}

/** The complete lines at the beginning of a file. A torn last line of the file counts as complete. */
export async function readHead(file: FileHandle, options: WindowOptions = {}): Promise<FileLine[]> {
  const size = options.size ?? (await file.stat()).size
  const end = Math.min(size, windowLimit(options))
  return await collect(readLines(file, { end }), options, (line) => line.terminated || end === size)
}

/** The complete lines at the end of a file, in the order of the file. */
export async function readTail(file: FileHandle, options: WindowOptions = {}): Promise<FileLine[]> {
  const size = options.size ?? (await file.stat()).size
  // One byte more than may be used: it shows whether the first line in reach is a whole one.
  const start = Math.max(0, size - windowLimit(options) - 1)
  const backward = readLinesBackward(file, { start, end: size })
  const lines = await collect(backward, options, (line) => line.offset > start || start === 0)
  return lines.reverse()
}

function windowLimit(options: WindowOptions): number {
  return Math.max(options.maxBytes ?? 1024 * 1024, options.bytes ?? defaultChunkBytes)
}

async function collect(
  lines: AsyncGenerator<FileLine>,
  { bytes = defaultChunkBytes, enough = (found) => found.length > 0 }: WindowOptions,
  isComplete: (line: FileLine) => boolean,
): Promise<FileLine[]> {
  const found: FileLine[] = []
  let total = 0
  for await (const line of lines) {
    total += line.length + (line.terminated ? 1 : 0)
    if (total > bytes && enough(found)) break
    if (isComplete(line)) found.push(line)
  }
  return found
}
