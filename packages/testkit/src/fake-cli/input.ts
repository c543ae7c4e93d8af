import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** Splits stdin into lines and hands them over a chunk at a time; `onEnd` comes after the last of them. */
export function readLines(stream: Readable, onLines: (lines: string[]) => void, onEnd: () => void): void {
  const decoder = new StringDecoder('utf8')
  let pieces: string[] = []
  stream.on('data', (chunk: Buffer) => {
    const lines = decoder.write(chunk).split('\n')
    const rest = lines.pop() ?? ''
    if (lines.length > 0) {
      lines[0] = pieces.join('') + lines[0]
      pieces = []
    }
    if (rest !== '') pieces.push(rest)
    if (lines.length > 0) onLines(lines)
  })
  stream.on('end', () => {
    const last = pieces.join('') + decoder.end()
    if (last !== '') onLines([last])
    onEnd()
  })
}
