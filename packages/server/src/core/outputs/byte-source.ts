/** Bytes of texts and pictures on their way out, piece by piece. */
import type { ByteSource } from '../ports/transcripts.ts'

export function bufferSource(buffer: Buffer): ByteSource {
  return {
    bytes: buffer.length,
    async *read(start = 0, end = buffer.length) {
      yield buffer.subarray(start, end)
    },
  }
}

/** One after the other, with these bytes between them. */
export function joinedSource(parts: readonly ByteSource[], between: Buffer): ByteSource {
  const separator = bufferSource(between)
  const sources = parts.flatMap((source, index) => (index === 0 ? source : [separator, source]))
  const bytes = sources.reduce((sum, source) => sum + source.bytes, 0)
  return {
    bytes,
    async *read(start = 0, end = bytes) {
      let at = 0
      for (const source of sources) {
        const [from, to] = [Math.max(0, start - at), Math.min(source.bytes, end - at)]
        if (from < to) yield* source.read(from, to)
        at += source.bytes
      }
    },
  }
}

export async function allBytes(source: ByteSource, start?: number, end?: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of source.read(start, end)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** As text, in pieces of whole characters; bytes that are no UTF-8 are replaced. */
export async function* decoded(source: ByteSource): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for await (const piece of source.read()) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}

/** As base64, in pieces that together are the base64 of the whole. */
export async function* base64Of(source: ByteSource): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const piece of source.read()) {
    const bytes = Buffer.concat([rest, piece])
    const whole = bytes.length - (bytes.length % 3)
    yield bytes.toString('base64', 0, whole)
    rest = bytes.subarray(whole)
  }
  yield rest.toString('base64')
}
