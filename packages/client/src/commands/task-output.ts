/** What a command has printed, as far as it was read. */
import type { TaskOutput } from '@dorkos/shared'

export interface ReadOutput {
  readonly text: string
  /** In bytes: where the text begins, and where the next page does. */
  readonly start: number
  readonly next: number
}

/** Of more, the beginning is let go: what scrolls by in a day must not fill the memory. */
const mostCharacters = 400_000

/** One that does not go on where the last ended is read anew: the output is another, or shorter. */
export function withOutputPage(
  read: ReadOutput | undefined,
  { text, offset, next_offset }: TaskOutput,
): ReadOutput {
  if (read === undefined || offset !== read.next) return { text, start: offset, next: next_offset }
  return bounded({ text: read.text + text, start: read.start, next: next_offset })
}

/** An earlier page, put before what is there. */
export function withEarlier(read: ReadOutput, { text, offset, next_offset }: TaskOutput): ReadOutput {
  return next_offset === read.start ? { ...read, text: text + read.text, start: offset } : read
}

function bounded(read: ReadOutput): ReadOutput {
  const over = read.text.length - mostCharacters
  if (over <= 0) return read
  const lineEnd = read.text.indexOf('\n', over)
  const from = lineEnd === -1 ? over : lineEnd + 1
  const dropped = new TextEncoder().encode(read.text.slice(0, from)).length
  return { ...read, text: read.text.slice(from), start: read.start + dropped }
}
