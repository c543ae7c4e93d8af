/** The coordination ports on the database thread. */
import type { Approval, EventPosition, MessageContent, NewEvent, StreamEvent, Turn } from '@dorkos/shared'
import { formatEventId } from '@dorkos/shared'
import { type Clock, isoTime } from '../../core/ports/clock.ts'
import {
  type AppendBatch,
  type ApprovalStore,
  type Coordination,
  type EventLog,
  type Lease,
  type RunningCosts,
  type ShortLived,
  StaleEpochError,
  type TurnQueue,
} from '../../core/ports/coordination.ts'
import type { AppendResult, StoredBatch, StoredEvent } from './worker/event-log-operations.ts'
import type { StoredTurn } from './worker/turn-row.ts'
import type { Call } from './worker-client.ts'

export function createSqliteCoordination(call: Call, logId: string, clock: Clock): Coordination {
  return {
    events: createEventLog(call, logId),
    leases: createLeases(call, clock),
    turns: createTurnQueue(call),
    approvals: createApprovals(call),
    runningCosts: createRunningCosts(call, clock),
    shortLived: createShortLived(call, clock),
  }
}

function createShortLived(call: Call, clock: Clock): ShortLived {
  return {
    put: (entry, most) => call('shortLived.put', { entry, most, now: clock.now() }),
    get: (kind, id) => call('shortLived.get', { kind, id, now: clock.now() }),
    list: (kind) => call('shortLived.list', { kind, now: clock.now() }),
    replace: (entry, value) => call('shortLived.replace', { entry, value, now: clock.now() }),
    take: (kind, id) => call('shortLived.take', { kind, id, now: clock.now() }),
  }
}

function createRunningCosts(call: Call, clock: Clock): RunningCosts {
  return {
    report: (sessionId, epoch, cost) => call('runningCosts.report', { sessionId, epoch, cost }),
    list: () => call('runningCosts.list', clock.now()),
  }
}

function createLeases(call: Call, clock: Clock): Lease {
  return {
    acquire: (sessionId, owner, ttlMs, reason) =>
      call('leases.acquire', {
        sessionId,
        owner,
        ttlMs,
        reason,
        now: clock.now(),
        time: isoTime(clock.now()),
      }),
    renew: (grants, owner, ttlMs) => call('leases.renew', { grants, owner, ttlMs, now: clock.now() }),
    release: (grant, owner) => call('leases.release', { grant, owner }),
    forget: (grant, owner) => call('leases.forget', { grant, owner }),
    epochOf: (sessionId) => call('leases.epochOf', sessionId),
    running: async (sessionIds) => new Map(await call('leases.running', { sessionIds, now: clock.now() })),
    inherit: (owner) => call('leases.inherit', owner),
    abandoned: () => call('leases.abandoned', clock.now()),
  }
}

function createEventLog(call: Call, id: string): EventLog {
  return {
    id,
    async append(batches) {
      const results = await call('events.append', batches.map(toStoredBatch))
      return batches.map((batch, index) => toOutcome(batch, results[index]))
    },
    async readSession(sessionId, after, limit) {
      const found: StreamEvent[] = []
      let from: EventPosition = after ?? { epoch: 0, seq: 0 }
      while (found.length < limit) {
        const rest = limit - found.length
        const part = await call('events.readSession', { sessionId, ...from, limit: rest })
        found.push(...part.map((stored) => toEvent(sessionId, stored)))
        const last = part.at(-1)
        if (!last || part.length < Math.min(rest, eventsPerRead)) break
        from = { epoch: last[0], seq: last[1] }
      }
      return found
    },
    end: (sessionId) => call('events.end', sessionId),
    continues: (sessionId, after) => call('events.continues', { sessionId, after }),
    async latest(sessionId, type) {
      const stored = await call('events.latest', { sessionId, type })
      return stored && toEvent(sessionId, stored)
    },
    async kept(sessionId, { from, until, limit }) {
      const found = await call('events.kept', { sessionId, from, until, limit })
      return found.toReversed().map((stored) => toEvent(sessionId, stored))
    },
    async trim(before) {
      const time = isoTime(Date.parse(before))
      let removed = 0
      let after: string | undefined = ''
      while (after !== undefined) {
        const part: { removed: number; next?: string } = await call('events.trim', { before: time, after })
        removed += part.removed
        after = part.next
      }
      return removed
    },
    async remove(sessionId) {
      let more = true
      while (more) more = await call('events.remove', sessionId)
    },
  }
}

/** As many as one piece of a read holds. */
const eventsPerRead = 256

function toStoredBatch({ sessionId, epoch, firstSeq, events }: AppendBatch): StoredBatch {
  const parts: string[] = []
  for (const { time, event } of events) parts.push(event.type, time, JSON.stringify(event))
  return { sessionId, epoch, firstSeq, parts }
}

function toOutcome(
  batch: AppendBatch,
  result: AppendResult | undefined,
): PromiseSettledResult<StreamEvent[]> {
  const { sessionId, epoch, firstSeq } = batch
  if (result === undefined || result === 'stale')
    return { status: 'rejected', reason: new StaleEpochError(sessionId, epoch) }
  if (result !== 'appended') {
    const text = `session ${sessionId}: the next seq is ${result.nextSeq}, not ${firstSeq}`
    return { status: 'rejected', reason: new RangeError(text) }
  }
  const value = batch.events.map(({ time, event }, index) =>
    toStreamEvent(sessionId, { epoch, seq: firstSeq + index }, time, event),
  )
  return { status: 'fulfilled', value }
}

function toEvent(sessionId: string, [epoch, seq, time, json]: StoredEvent): StreamEvent {
  return toStreamEvent(sessionId, { epoch, seq }, time, JSON.parse(json) as NewEvent)
}

function toStreamEvent(session: string, at: EventPosition, time: string, event: NewEvent): StreamEvent {
  return { id: formatEventId(at), session, time, ...event }
}

function createTurnQueue(call: Call): TurnQueue {
  const maybe = (stored: StoredTurn | undefined) => stored && toTurn(stored)
  return {
    async admit({ content, idempotencyKey, ...turn }) {
      const { outcome, stored } = await call('turns.admit', {
        ...turn,
        content: JSON.stringify(content),
        idempotencyKey,
      })
      return { outcome, turn: toTurn(stored) }
    },
    claim: async (sessionId, epoch) => maybe(await call('turns.claim', { sessionId, epoch })),
    claimTurn: async (sessionId, epoch, turnId) =>
      maybe(await call('turns.claimTurn', { sessionId, epoch, turnId })),
    start: (sessionId, epoch, turnId, startedAt) =>
      call('turns.start', { sessionId, epoch, turnId, startedAt }),
    unclaim: (sessionId, epoch, turnId) => call('turns.unclaim', { sessionId, epoch, turnId }),
    giveBack: async (sessionId, epoch, turnId, again) =>
      toTurn(await call('turns.giveBack', { sessionId, epoch, turnId, again })),
    startBackground: (sessionId, epoch, { id, principal, startedAt }) =>
      call('turns.startBackground', { sessionId, epoch, turnId: id, principal, startedAt }),
    end: (sessionId, epoch, turnId, end) => call('turns.end', { sessionId, epoch, turnId, end }),
    withdraw: async (sessionId, turnId, at) => maybe(await call('turns.withdraw', { sessionId, turnId, at })),
    edit: async (sessionId, turnId, content) =>
      maybe(await call('turns.edit', { sessionId, turnId, content: JSON.stringify(content) })),
    async move(sessionId, turnId, before) {
      const result = await call('turns.move', { sessionId, turnId, before })
      return 'stored' in result ? { outcome: 'moved', turn: toTurn(result.stored) } : result
    },
    hold: (sessionId) => call('turns.hold', sessionId),
    release: (sessionId) => call('turns.release', sessionId),
    settle: async (sessionId, turnId, action, at) =>
      maybe(await call('turns.settle', { sessionId, turnId, action, at })),
    get: async (sessionId, turnId) => maybe(await call('turns.get', { sessionId, turnId })),
    list: async (sessionId, { state, until, limit }) =>
      (await call('turns.list', { sessionId, state, until, limit })).map(toTurn),
    queued: async (sessionId) => (await call('turns.queued', sessionId)).map(toTurn),
    async unfinished() {
      const { queued, open } = await call('turns.unfinished')
      const sessions = new Map<string, Awaited<ReturnType<TurnQueue['unfinished']>>[number]>()
      const of = (sessionId: string) => {
        const known = sessions.get(sessionId) ?? { sessionId, queued: 0, open: [] }
        sessions.set(sessionId, known)
        return known
      }
      for (const row of queued) of(row.session_id).queued = row.queued
      for (const stored of open)
        of(stored.turn.session_id).open.push({ ...toTurn(stored), epoch: stored.epoch ?? 0 })
      return [...sessions.values()]
    },
    remove: (sessionId) => call('turns.remove', sessionId),
  }
}

function toTurn({ turn, content }: StoredTurn): Turn {
  return content === undefined ? turn : { ...turn, content: JSON.parse(content) as MessageContent }
}

function createApprovals(call: Call): ApprovalStore {
  return {
    open: (approval, epoch) => call('approvals.open', { approval, epoch }),
    settle: (id, settlement, expect) => call('approvals.settle', { id, settlement, expect }),
    async get(id) {
      const record = await call('approvals.get', id)
      return record === undefined ? undefined : (JSON.parse(record) as Approval)
    },
    list: async ({ principal, state, sessionId, until, limit }) =>
      (await call('approvals.list', { principal, state, sessionId, until, limit })).map(
        (record) => JSON.parse(record) as Approval,
      ),
    voidBefore: (sessionId, epoch, settlement) =>
      call('approvals.voidBefore', { sessionId, epoch, settlement }),
    countPending: async (principal) => new Map(await call('approvals.countPending', principal)),
    remove: (sessionId) => call('approvals.remove', sessionId),
  }
}
