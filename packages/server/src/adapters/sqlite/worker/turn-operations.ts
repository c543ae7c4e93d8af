/** The turn queue in SQL. */
import { createHash } from 'node:crypto'
import type { Turn, TurnCause } from '@dorkos/shared'
import { say } from '@dorkos/shared/saying'
import { AppError } from '../../../core/app-error.ts'
import {
  type NewTurn,
  steeredCause,
  type TurnEndRecord,
  waitingCause,
} from '../../../core/ports/coordination.ts'
import { checkEpoch } from './event-log-operations.ts'
import { operation, where } from './operation.ts'
import { hasUnheld, isHeld, releaseHeld } from './queue-operations.ts'
import {
  columns,
  expect,
  find,
  type StoredTurn,
  type TurnData,
  type TurnRow,
  toStored,
  update,
} from './turn-row.ts'
import type { WorkerStore } from './worker-store.ts'

export interface NewTurnRow {
  id: string
  sessionId: string
  principal: string
  createdAt: string
  cause: NewTurn['cause']
  content: string
  idempotencyKey: string | undefined
  replaces?: string | undefined
}

function insert(
  store: WorkerStore,
  turn: { sessionId: string; id: string; state: Turn['state']; principal: string; record: TurnData },
  more: { epoch?: number; content?: string; hash?: string; key?: string | undefined },
): void {
  store.database.run(
    `INSERT INTO turns (session_id, id, state, rank, epoch, idempotency_key, principal, content_hash, content, record)
      VALUES (?, ?, ?, (SELECT coalesce(max(number), 0) + 1 FROM turns), ?, ?, ?, ?, ?, ?)`,
    turn.sessionId,
    turn.id,
    turn.state,
    more.epoch ?? null,
    more.key ?? null,
    turn.principal,
    more.hash ?? null,
    more.content ?? null,
    JSON.stringify(turn.record),
  )
}

function admit(store: WorkerStore, input: NewTurnRow) {
  const hash = createHash('sha256').update(input.content).digest('hex')
  if (input.idempotencyKey !== undefined) {
    const row = store.database.get<TurnRow & { content_hash: string | null }>(
      `SELECT ${columns}, content_hash FROM turns WHERE session_id = ? AND principal = ? AND idempotency_key = ?`,
      input.sessionId,
      input.principal,
      input.idempotencyKey,
    )
    if (row)
      return {
        outcome: row.content_hash === hash ? ('duplicate' as const) : ('mismatch' as const),
        stored: toStored(row),
      }
  }
  const { replaces } = input
  const record = {
    cause: input.cause,
    principal: input.principal,
    created_at: input.createdAt,
    ...(replaces !== undefined && { replaces }),
  }
  if (replaces !== undefined) checkReplaceable(store, input.sessionId, replaces)
  if (find(store, input.sessionId, input.id))
    throw new AppError('conflict', say('turn_exists', { id: input.id, session: input.sessionId }))
  releaseHeld(store, input.sessionId)
  insert(
    store,
    { sessionId: input.sessionId, id: input.id, state: 'queued', principal: input.principal, record },
    { content: input.content, hash, key: input.idempotencyKey },
  )
  if (replaces !== undefined) putFirst(store, input.sessionId, input.id)
  const row = expect(store, input.sessionId, input.id, ['queued'])
  return { outcome: 'admitted' as const, stored: toStored(row) }
}

function checkReplaceable(store: WorkerStore, sessionId: string, replaced: string): void {
  expect(store, sessionId, replaced, ['ended'])
  const replacing = store.database.get(
    "SELECT 1 FROM turns WHERE session_id = ? AND state <> 'ended' AND record ->> '$.replaces' = ? LIMIT 1",
    sessionId,
    replaced,
  )
  if (replacing) throw new AppError('conflict', say('turn_being_replaced', { id: replaced }))
}

function causeOf(row: TurnRow): TurnCause {
  return (JSON.parse(row.record) as TurnData).cause
}

/** Ranks count up from one. */
const moreThanAnyRank = 2 ** 40

function putFirst({ database }: WorkerStore, sessionId: string, turnId: string): void {
  database.run(
    `UPDATE turns SET rank = (SELECT min(rank) - 1 FROM turns WHERE session_id = ?)
      WHERE session_id = ? AND id = ?`,
    sessionId,
    sessionId,
    turnId,
  )
}

/** Before all that waited, and behind what was put back before it in the queue, in whatever order they come back. */
function putBack({ database }: WorkerStore, sessionId: string, turnId: string, rankOf: string): void {
  database.run(
    `UPDATE turns SET rank = (SELECT rank - ? FROM turns WHERE session_id = ? AND id = ?)
      WHERE session_id = ? AND id = ?`,
    moreThanAnyRank,
    sessionId,
    rankOf,
    sessionId,
    turnId,
  )
}

function requeue(store: WorkerStore, row: TurnRow): StoredTurn {
  const {
    outcome: _,
    ended_at: __,
    started_at: ___,
    reason: ____,
    reason_code: _____,
    ...record
  } = JSON.parse(row.record) as TurnData
  releaseHeld(store, row.session_id)
  store.database.run(
    "UPDATE turns SET state = 'queued', epoch = NULL, record = ? WHERE number = ?",
    JSON.stringify({ ...record, cause: waitingCause(record.cause) }),
    row.number,
  )
  putFirst(store, row.session_id, row.id)
  return toStored(expect(store, row.session_id, row.id, ['queued']))
}

/** A change of a turn that still waits. */
function ifQueued<T>(
  store: WorkerStore,
  input: { sessionId: string; turnId: string },
  change: (row: TurnRow) => T,
): T | undefined {
  const row = find(store, input.sessionId, input.turnId)
  return row?.state === 'queued' ? change(row) : undefined
}

function giveBack(
  store: WorkerStore,
  input: OfOwner & { again: { id: string; at: string; reason: string } },
): StoredTurn {
  const { sessionId, again } = input
  checkEpoch(store, sessionId, input.epoch)
  const row = expect(store, sessionId, input.turnId, ['running'])
  const { started_at: _, ...rest } = JSON.parse(row.record) as TurnData
  const waits = { ...rest, cause: waitingCause(rest.cause) }
  const record = hasUnheld(store, sessionId) ? waits : { ...waits, held: true }
  const more = row.content === null ? {} : { content: row.content }
  insert(store, { sessionId, id: again.id, state: 'queued', principal: waits.principal, record }, more)
  putBack(store, sessionId, again.id, row.id)
  const end = { outcome: 'withdrawn' as const, ended_at: again.at, reason: again.reason }
  update(store, row, { state: 'ended', record: end })
  return toStored(expect(store, sessionId, again.id, ['queued']))
}

export interface OfOwner {
  sessionId: string
  epoch: number
  turnId: string
}

export const turnOperations = {
  'turns.admit': operation('full', admit),

  'turns.claim': operation('full', (store, input: { sessionId: string; epoch: number }) => {
    checkEpoch(store, input.sessionId, input.epoch)
    if (isHeld(store, input.sessionId)) return undefined
    const row = store.database.get<TurnRow>(
      `SELECT ${columns} FROM turns WHERE session_id = ? AND state = 'queued' ORDER BY rank LIMIT 1`,
      input.sessionId,
    )
    return row && update(store, row, { state: 'claimed', epoch: input.epoch })
  }),

  'turns.claimTurn': operation('full', (store, input: OfOwner) => {
    checkEpoch(store, input.sessionId, input.epoch)
    return ifQueued(store, input, (row) => {
      const record = { cause: steeredCause(causeOf(row)) }
      return update(store, row, { state: 'claimed', epoch: input.epoch, record })
    })
  }),

  'turns.start': operation('full', (store, input: OfOwner & { startedAt: string }): void => {
    checkEpoch(store, input.sessionId, input.epoch)
    const row = expect(store, input.sessionId, input.turnId, ['claimed'])
    update(store, row, { state: 'running', epoch: input.epoch, record: { started_at: input.startedAt } })
  }),

  'turns.unclaim': operation('full', (store, input: OfOwner): void => {
    checkEpoch(store, input.sessionId, input.epoch)
    const row = expect(store, input.sessionId, input.turnId, ['claimed'])
    update(store, row, { state: 'queued', epoch: null, record: { cause: waitingCause(causeOf(row)) } })
  }),

  'turns.giveBack': operation('full', giveBack),

  'turns.startBackground': operation(
    'full',
    (store, input: OfOwner & { principal: string; startedAt: string }): void => {
      const { sessionId, epoch, turnId: id, principal, startedAt } = input
      checkEpoch(store, sessionId, epoch)
      const record = {
        cause: 'background' as const,
        principal,
        created_at: startedAt,
        started_at: startedAt,
      }
      insert(store, { sessionId, id, state: 'running', principal, record }, { epoch })
    },
  ),

  'turns.end': operation('full', (store, input: OfOwner & { end: TurnEndRecord }): void => {
    checkEpoch(store, input.sessionId, input.epoch)
    const row = expect(store, input.sessionId, input.turnId, ['claimed', 'running'])
    const { outcome, endedAt, reason, reasonCode, said, joinedTurn, structuredOutput } = input.end
    update(store, row, {
      state: 'ended',
      record: {
        outcome,
        ended_at: endedAt,
        ...(reason !== undefined && { reason }),
        ...(reasonCode !== undefined && { reason_code: reasonCode }),
        ...(said && { said }),
        ...(joinedTurn !== undefined && { joined_turn: joinedTurn }),
        ...(structuredOutput !== undefined && { structured_output: structuredOutput }),
      },
    })
  }),

  'turns.withdraw': operation('full', (store, input: { sessionId: string; turnId: string; at: string }) =>
    ifQueued(store, input, (row) =>
      update(store, row, { state: 'ended', record: { outcome: 'withdrawn', ended_at: input.at } }),
    ),
  ),

  'turns.edit': operation('full', (store, input: { sessionId: string; turnId: string; content: string }) =>
    ifQueued(store, input, (row) => {
      store.database.run('UPDATE turns SET content = ? WHERE number = ?', input.content, row.number)
      return toStored({ ...row, content: input.content })
    }),
  ),

  'turns.settle': operation(
    'full',
    (store, input: { sessionId: string; turnId: string; action: 'run' | 'drop'; at: string }) => {
      const row = find(store, input.sessionId, input.turnId)
      if (!row || toStored(row).turn.outcome !== 'unconfirmed') return undefined
      if (input.action === 'run') return requeue(store, row)
      return update(store, row, { state: 'ended', record: { outcome: 'withdrawn', ended_at: input.at } })
    },
  ),

  'turns.get': operation('none', (store, input: { sessionId: string; turnId: string }) => {
    const row = find(store, input.sessionId, input.turnId)
    return row && toStored(row)
  }),

  'turns.list': operation(
    'none',
    (
      { database },
      input: { sessionId: string; state: string | undefined; until: string | undefined; limit: number },
    ) => {
      const filter = where(
        { sql: 'session_id = ?', value: input.sessionId },
        { sql: 'state = ?', value: input.state },
        { sql: "record ->> '$.created_at' <= ?", value: input.until },
      )
      return database
        .all<TurnRow>(
          `SELECT ${columns} FROM turns ${filter.sql} ORDER BY number DESC LIMIT ?`,
          ...filter.values,
          input.limit,
        )
        .map(toStored)
    },
  ),

  'turns.queued': operation('none', ({ database }, sessionId: string) =>
    database
      .all<TurnRow>(
        `SELECT ${columns} FROM turns WHERE session_id = ? AND state = 'queued' ORDER BY rank`,
        sessionId,
      )
      .map(toStored),
  ),

  'turns.unfinished': operation('none', ({ database }) => ({
    queued: database.all<{ session_id: string; queued: number }>(
      "SELECT session_id, count(*) AS queued FROM turns WHERE state <> 'ended' AND state = 'queued' GROUP BY session_id",
    ),
    open: database
      .all<TurnRow>(
        `SELECT ${columns} FROM turns WHERE state <> 'ended' AND state IN ('claimed', 'running') ORDER BY session_id, rank`,
      )
      .map(toStored),
  })),

  'turns.remove': operation('full', ({ database }, sessionId: string): void => {
    database.run('DELETE FROM turns WHERE session_id = ?', sessionId)
  }),
}
