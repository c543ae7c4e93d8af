/** Rows of the turn queue. Content can be large (images), so that it stands beside the record and is written once. */
import type { Turn } from '@dorkos/shared'
import { say } from '@dorkos/shared/saying'
import { AppError } from '../../../core/app-error.ts'
import type { WorkerStore } from './worker-store.ts'

/** A turn as JSON without its content, and the content's JSON. */
export interface StoredTurn {
  turn: Omit<Turn, 'content'>
  content: string | undefined
  epoch: number | undefined
}

export type TurnData = Omit<Turn, 'id' | 'session_id' | 'state' | 'content'>

export type TurnRow = {
  number: number
  session_id: string
  id: string
  state: Turn['state']
  epoch: number | null
  content: string | null
  record: string
}

export const columns = 'number, session_id, id, state, epoch, content, record'

export function toStored(row: TurnRow): StoredTurn {
  const { cause, ...rest } = JSON.parse(row.record) as TurnData
  return {
    turn: { id: row.id, session_id: row.session_id, cause, state: row.state, ...rest },
    content: row.content ?? undefined,
    epoch: row.epoch ?? undefined,
  }
}

export function find(store: WorkerStore, sessionId: string, turnId: string): TurnRow | undefined {
  return store.database.get<TurnRow>(
    `SELECT ${columns} FROM turns WHERE session_id = ? AND id = ?`,
    sessionId,
    turnId,
  )
}

/** The turn, which must be in one of these states. */
export function expect(
  store: WorkerStore,
  sessionId: string,
  turnId: string,
  states: Turn['state'][],
): TurnRow {
  const row = find(store, sessionId, turnId)
  if (!row) throw new AppError('not_found', say('turn_not_in_session', { id: turnId, session: sessionId }))
  if (!states.includes(row.state))
    throw new AppError('conflict', say('turn_in_other_state', { id: turnId, state: row.state, states }))
  return row
}

/** It no longer waits as it did: a hold goes with that. */
export function update(
  store: WorkerStore,
  row: TurnRow,
  change: { state: Turn['state']; epoch?: number | null; record?: Partial<TurnData> },
): StoredTurn {
  const { held: _, ...before } = JSON.parse(row.record) as TurnData
  const record = JSON.stringify({ ...before, ...change.record })
  const epoch = change.epoch === undefined ? row.epoch : change.epoch
  store.database.run(
    'UPDATE turns SET state = ?, epoch = ?, record = ? WHERE number = ?',
    change.state,
    epoch,
    record,
    row.number,
  )
  return toStored({ ...row, state: change.state, epoch, record })
}
