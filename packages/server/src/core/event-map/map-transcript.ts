/**
 * Entries of a transcript → events, by the same map as live messages. Ids are `0-<n>`: ordered, and the same each time,
 * because they come from the position of the entry in its file.
 */
import { formatEventId, type NewEvent, type StreamEvent } from '@dorkos/shared'
import type { TranscriptEntry } from '../ports/transcripts.ts'
import { isByCli } from './map-assistant.ts'
import { mapMessage } from './map-message.ts'
import { initialMapState } from './map-state.ts'
import { transcriptMessage } from './transcript-message.ts'
import { cliTime, record } from './untrusted.ts'

/** What one entry says. Entries that say nothing have no row. */
export interface TranscriptRow {
  offset: number
  time: string
  events: NewEvent[]
  starts: 'message' | 'background' | undefined
  /** The CLI's own words, in the place of an answer. */
  byCli: boolean
}

/** An event with its position; positions only grow. */
export interface PositionedEvent {
  position: number
  /** Of an event that was published live under it; others get one by their position. */
  id?: string
  time: string
  event: NewEvent
}

export interface TranscriptOptions {
  sessionId: string
  /** The call of the subagent whose transcript this is. */
  parent?: string
}

export function mapTranscript(
  entries: readonly TranscriptEntry[],
  { sessionId, parent }: TranscriptOptions,
): StreamEvent[] {
  const positioned = transcriptRows(entries, parent).flatMap(({ offset, time, events }) =>
    events.map((event, index) => ({ position: eventPosition(offset, index), time, event })),
  )
  return withIds(positioned, sessionId)
}

export function transcriptRows(entries: readonly TranscriptEntry[], parent?: string): TranscriptRow[] {
  const rows: TranscriptRow[] = []
  let state = initialMapState()
  let time = firstTime(entries)
  for (const { entry, offset } of entries) {
    const found = transcriptMessage(entry, parent)
    if (found === undefined) continue
    // Some entries have no time; they happened after the one before.
    time = entryTime(entry) ?? time
    const mapped = mapMessage(state, found.message)
    state = mapped.state
    if (mapped.events.length > 0) {
      const { starts, message } = found
      rows.push({ offset, time, events: mapped.events, starts, byCli: isByCli(message) })
    }
  }
  return rows
}

/**
 * A thousand positions for each byte of the file, and twenty for each event: an entry has more bytes than events, so entries
 * never meet, and what happened around them fits in between without moving them.
 */
export function eventPosition(offset: number, index: number): number {
  return (
    Math.min(Math.max(0, Math.trunc(offset) || 0), maxOffset) * 1000 +
    positionsBefore +
    index * positionsPerEvent
  )
}

export const positionsBefore = 100
const positionsPerEvent = 20
/** A terabyte: ids have 15 digits. */
const maxOffset = 999_000_000_000

/** Gives events their ids, each larger than the one before, whatever the positions. */
export function withIds(positioned: readonly PositionedEvent[], sessionId: string): StreamEvent[] {
  let last = 0
  return positioned.map(({ position, id, time, event }) => {
    last = Math.max(last + 1, position)
    return {
      id: id ?? formatEventId({ epoch: 0, seq: last }),
      session: sessionId,
      time,
      ...event,
    } as StreamEvent
  })
}

function entryTime(entry: unknown): string | undefined {
  return cliTime(record(entry).timestamp)
}

function firstTime(entries: readonly TranscriptEntry[]): string {
  for (const { entry } of entries) {
    const time = entryTime(entry)
    if (time !== undefined) return time
  }
  return new Date(0).toISOString()
}
