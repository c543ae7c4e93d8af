/** One line of a transcript as an object. The CLI's fields are many and change; none is taken for granted. */
import { isRecord } from '@dorkos/processes'
import type { FileLine } from './line-reader.ts'

export type TranscriptEntry = Readonly<Record<string, unknown>>

/** The entry on a line; nothing for a torn, broken or oversized line, or one that is no object. */
export function parseEntry(line: Pick<FileLine, 'bytes'>): TranscriptEntry | undefined {
  if (line.bytes === undefined || line.bytes.length === 0) return undefined
  try {
    const value: unknown = JSON.parse(line.bytes.toString('utf8'))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A field that is a string with something in it. */
export function textField(entry: TranscriptEntry, name: string): string | undefined {
  const value = entry[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The time of an entry in milliseconds, if it has one that can be read. */
export function timeOf(entry: TranscriptEntry): number | undefined {
  const time = Date.parse(textField(entry, 'timestamp') ?? '')
  return Number.isNaN(time) ? undefined : time
}
