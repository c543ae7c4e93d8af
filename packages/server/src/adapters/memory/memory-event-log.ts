/** The event log in memory. */
import { randomUUID } from 'node:crypto'
import {
  compareEventPositions,
  type EventPosition,
  formatEventId,
  logStart,
  type NewEvent,
  type StreamEvent,
} from '@dorkos/shared'
import {
  type AppendBatch,
  type EventLog,
  isKeptEvent,
  type LeaseGrant,
  maxKeptEvents,
  StaleEpochError,
} from '../../core/ports/coordination.ts'
import type { Owners } from './memory-leases.ts'

interface Stored {
  at: EventPosition
  event: StreamEvent
}

export interface MemoryEventLog {
  events: EventLog
  appendFirst(grant: LeaseGrant, time: string, reason: string): void
  remove(sessionId: string): void
}

export function createMemoryEventLog(
  owners: Owners,
  /** The newest epoch of the session that has a turn running. */
  runningEpoch: (sessionId: string) => number | undefined,
): MemoryEventLog {
  let log: Stored[] = []
  /** What was trimmed and stays. */
  let kept: Stored[] = []
  const ofSession = (sessionId: string) => log.filter((entry) => entry.event.session === sessionId)
  const endOf = (sessionId: string): EventPosition | undefined => {
    const owner = owners.get(sessionId)
    return owner && { epoch: owner.epoch, seq: owner.lastSeq }
  }

  function add(session: string, at: EventPosition, time: string, event: NewEvent): StreamEvent {
    // As JSON, so that nobody can change what is stored.
    const copy = JSON.parse(JSON.stringify(event)) as NewEvent
    const stored: StreamEvent = { id: formatEventId(at), session, time, ...copy }
    log.push({ at, event: stored })
    return structuredClone(stored)
  }

  function append({ sessionId, epoch, firstSeq, events }: AppendBatch): StreamEvent[] {
    const current = owners.get(sessionId)
    if (!current || current.epoch !== epoch) throw new StaleEpochError(sessionId, epoch)
    const next = current.lastSeq + 1
    if (firstSeq !== next)
      throw new RangeError(`session ${sessionId}: the next seq is ${next}, not ${firstSeq}`)
    current.lastSeq += events.length
    return events.map(({ time, event }, index) =>
      add(sessionId, { epoch, seq: firstSeq + index }, time, event),
    )
  }

  function remove(sessionId: string): void {
    log = log.filter((entry) => entry.event.session !== sessionId)
    kept = kept.filter((entry) => entry.event.session !== sessionId)
  }

  const events: EventLog = {
    id: randomUUID(),
    append: (batches) => Promise.allSettled(batches.map(async (batch) => append(batch))),
    async readSession(sessionId, after, limit) {
      const later = ofSession(sessionId).filter(({ at }) => !after || compareEventPositions(at, after) > 0)
      return later.slice(0, limit).map(({ event }) => structuredClone(event))
    },
    async end(sessionId) {
      return endOf(sessionId)
    },
    async continues(sessionId, after) {
      if (compareEventPositions(after, endOf(sessionId) ?? logStart) === 0) return true
      const needed = compareEventPositions(after, logStart) === 0 ? { epoch: 1, seq: 1 } : after
      return ofSession(sessionId).some(({ at }) => compareEventPositions(at, needed) === 0)
    },
    async latest(sessionId, type) {
      const found = ofSession(sessionId).findLast((entry) => entry.event.type === type)
      return found && structuredClone(found.event)
    },
    async kept(sessionId, { from = '', until, limit }) {
      const found = [...kept.filter(({ event }) => event.session === sessionId), ...ofSession(sessionId)]
      return found
        .map(({ event }) => event)
        .filter((event) => isKeptEvent(event) && event.time >= from)
        .filter(({ time }) => until === undefined || time < until)
        .slice(-limit)
        .map((event) => structuredClone(event))
    },
    async trim(before) {
      const limit = Date.parse(before)
      const staying = new Set<string>()
      const rest = log.filter((entry) => {
        const { event, at } = entry
        const running = runningEpoch(event.session) ?? Number.POSITIVE_INFINITY
        if (Date.parse(event.time) >= limit || at.epoch >= running) staying.add(event.session)
        if (staying.has(event.session)) return true
        if (isKeptEvent(event)) kept.push(entry)
        return false
      })
      const removed = log.length - rest.length
      log = rest
      kept = newestOfEach(kept)
      return removed
    },
    remove: async (sessionId) => remove(sessionId),
  }

  return {
    events,
    remove,
    appendFirst({ sessionId, epoch }, time, reason) {
      add(sessionId, { epoch, seq: 1 }, time, { type: 'session_taken_over', reason })
    },
  }
}

function newestOfEach(kept: Stored[]): Stored[] {
  const counts = new Map<string, number>()
  return kept
    .toReversed()
    .filter(({ event: { session } }) => {
      const count = (counts.get(session) ?? 0) + 1
      counts.set(session, count)
      return count <= maxKeptEvents
    })
    .reverse()
}
