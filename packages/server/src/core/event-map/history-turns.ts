/** Which turn each part of a transcript belongs to. */
import type { NewEvent, Turn } from '@dorkos/shared'
import type { TranscriptRow } from './map-transcript.ts'

interface TurnSpan {
  turn: Turn
  /** The row that begins it; undefined when it began before these rows. */
  from: number | undefined
  /** The row after which it ended; -1 when before all of them, undefined when not in these rows. */
  endsAfter: number | undefined
}

export interface PageBounds {
  rows: readonly TranscriptRow[]
  /** Nothing comes before these rows. */
  first: boolean
  /** The time of what comes after these rows; undefined when nothing does. */
  until: string | undefined
}

export interface TurnSpans {
  spans: TurnSpan[]
  /** Turns of which the transcript holds nothing: they ended before the CLI wrote their message. */
  traceless: Turn[]
}

/** Turns that ran, oldest first. What waits or was taken back never did, and a joined one is part of another. */
export function ranTurns(turns: readonly Turn[]): Turn[] {
  const ran = turns.filter(
    ({ state, outcome }) =>
      (state === 'running' || state === 'ended') && outcome !== 'joined' && outcome !== 'withdrawn',
  )
  return ran.toSorted((a, b) => beganAt(a).localeCompare(beganAt(b)))
}

/** Whether something that happened then was replaced: from the begin of a turn on until the one began that was sent in its place. */
export function isReplaced(turns: readonly Turn[]): (time: string) => boolean {
  const spans = turns.flatMap((turn) => {
    const left = turn.started_at === undefined ? undefined : turns.find(({ id }) => id === turn.replaces)
    return left ? [{ from: beganAt(left), until: beganAt(turn) }] : []
  })
  return (time) => spans.some(({ from, until }) => from <= time && time < until)
}

/** What everyone hears when a turn begins. */
export function startEvent({ id, cause, replaces }: Pick<Turn, 'id' | 'cause' | 'replaces'>): NewEvent {
  return { type: 'turn_start', turn_id: id, cause, ...(replaces !== undefined && { replaces }) }
}

export const beganAt = (turn: Turn): string => turn.started_at ?? turn.created_at

export function locateTurns(turns: readonly Turn[], bounds: PageBounds): TurnSpans {
  const anchors = anchorTurns(turns, bounds.rows)
  const starts = new Set([...anchors.values(), ...foreignStarts(turns, bounds.rows)])
  const since = pageStart(anchors, bounds.rows)
  const spans: TurnSpan[] = []
  const traceless: Turn[] = []
  const carried = bounds.first
    ? undefined
    : turns.findLast((turn) => !anchors.has(turn) && beganAt(turn) < since)
  for (const turn of turns) {
    const from = anchors.get(turn)
    if (from !== undefined) spans.push({ turn, from, endsAfter: endRow(turn, from, starts, bounds) })
    else if (turn === carried) {
      if (turn.ended_at !== undefined && turn.ended_at >= since)
        spans.push({ turn, from: undefined, endsAfter: endRow(turn, undefined, starts, bounds) })
    } else if (isTraceless(turn, since, bounds)) traceless.push(turn)
  }
  return { spans, traceless }
}

/** The row of each turn's own message; for background work, the notification nearest in time. */
function anchorTurns(turns: readonly Turn[], rows: readonly TranscriptRow[]): Map<Turn, number> {
  const byMessage = new Map<string, number>()
  for (const [index, { events }] of rows.entries())
    for (const event of events) if (event.type === 'user_message') byMessage.set(event.message_id, index)
  const anchors = new Map<Turn, number>()
  const taken = new Set<number>()
  for (const turn of turns) {
    const row = turn.cause === 'background' ? wakeRow(turn, rows, taken) : byMessage.get(turn.id)
    if (row === undefined) continue
    anchors.set(turn, row)
    taken.add(row)
  }
  return anchors
}

/** The server's clock and the CLI's date the same event a little apart. */
const sameMomentMs = 30_000

function wakeRow(turn: Turn, rows: readonly TranscriptRow[], taken: Set<number>): number | undefined {
  let nearest: { index: number; distance: number } | undefined
  for (const [index, { starts, time }] of rows.entries()) {
    const distance = Math.abs(Date.parse(time) - Date.parse(beganAt(turn)))
    if (starts !== 'background' || taken.has(index) || distance > sameMomentMs) continue
    if (nearest === undefined || distance < nearest.distance) nearest = { index, distance }
  }
  return nearest?.index
}

/** Messages that no turn of ours sent, typed in a terminal: they end the turn before them. */
function foreignStarts(turns: readonly Turn[], rows: readonly TranscriptRow[]): number[] {
  const known = new Set(turns.map(({ id }) => id))
  return [...rows.keys()].filter((index) => {
    const row = rows[index]
    return (
      row?.starts === 'message' &&
      row.events.some(
        (event) =>
          event.type === 'user_message' &&
          event.turn_id === undefined &&
          !event.synthetic &&
          !known.has(event.message_id),
      )
    )
  })
}

/** When the first thing of these rows happened. */
function pageStart(anchors: Map<Turn, number>, rows: readonly TranscriptRow[]): string {
  const time = rows[0]?.time ?? ''
  for (const [turn, row] of anchors) if (row === 0 && beganAt(turn) < time) return beganAt(turn)
  return time
}

/** The last row of the turn that is not later than its end; all of them where the clocks disagree. */
function endRow(
  turn: Turn,
  from: number | undefined,
  starts: Set<number>,
  { rows, until }: PageBounds,
): number | undefined {
  const end = turn.ended_at
  if (turn.state !== 'ended' || end === undefined) return undefined
  let next = (from ?? -1) + 1
  while (next < rows.length && !starts.has(next)) next += 1
  if (next === rows.length && until !== undefined && end >= until) return undefined
  const inTime = rows.slice(from ?? 0, next).findLastIndex(({ time }) => time <= end)
  return inTime === -1 ? next - 1 : (from ?? 0) + inTime
}

function isTraceless(turn: Turn, since: string, { first, until }: PageBounds): boolean {
  if (turn.state !== 'ended' || turn.content === undefined) return false
  const isAfter = first || beganAt(turn) >= since
  return isAfter && (until === undefined || (turn.ended_at ?? beganAt(turn)) < until)
}
