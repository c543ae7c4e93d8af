/** A line of a large file by a text in it: the file is gone through in pieces, and only lines that have the text are held. */
import type { FileHandle } from 'node:fs/promises'
import { isRecord } from '@dorkos/shared'

const newline = 0x0a
const chunkBytes = 1024 * 1024

export interface FoundLine {
  offset: number
  /** Undefined for a line that is too long to be held. */
  text: string | undefined
  bytes: number
}

/** Those with the text from `start`, the beginning of a line, to `end`. */
export async function* linesWith(
  file: FileHandle,
  text: string,
  { start, end, maxLineBytes }: { start: number; end: number; maxLineBytes: number },
): AsyncGenerator<FoundLine> {
  const needle = Buffer.from(text)
  let lineStart = start
  let last = -1
  // So much of the piece before that a text across both is seen.
  let carried = Buffer.alloc(0)
  for (let position = start; position < end; ) {
    const chunk = await readAt(file, position, Math.min(chunkBytes, end - position))
    if (chunk.length === 0) return
    const bytes = Buffer.concat([carried, chunk])
    const base = position - carried.length
    for (let at = bytes.indexOf(needle); at !== -1; ) {
      const before = bytes.lastIndexOf(newline, at)
      const offset = before === -1 ? lineStart : base + before + 1
      if (offset !== last) yield await readLine(file, offset, maxLineBytes)
      last = offset
      const next = bytes.indexOf(newline, at)
      at = next === -1 ? -1 : bytes.indexOf(needle, next)
    }
    const lineEnd = bytes.lastIndexOf(newline)
    if (lineEnd !== -1) lineStart = base + lineEnd + 1
    carried = bytes.subarray(Math.max(0, bytes.length - needle.length + 1))
    position += chunk.length
  }
}

/** To its newline, or to the end of the file. */
async function readLine(file: FileHandle, offset: number, maxBytes: number): Promise<FoundLine> {
  const pieces: Buffer[] = []
  let bytes = 0
  for (;;) {
    const chunk = await readAt(file, offset + bytes, chunkBytes)
    const end = chunk.indexOf(newline)
    const piece = end === -1 ? chunk : chunk.subarray(0, end)
    bytes += piece.length
    if (bytes <= maxBytes) pieces.push(piece)
    else pieces.length = 0
    if (end !== -1 || chunk.length === 0) break
  }
  return { offset, bytes, text: bytes <= maxBytes ? Buffer.concat(pieces).toString('utf8') : undefined }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** A torn line is no entry: the CLI does not take it for one either. */
export function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
