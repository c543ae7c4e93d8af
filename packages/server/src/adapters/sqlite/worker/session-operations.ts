/** Session records in SQL. */
import type { SessionFilter, SessionRecord } from '../../../core/ports/records.ts'
import { operation, where } from './operation.ts'
import type { WorkerStore } from './worker-store.ts'

type RecordRow = { record: string }

function find({ database }: WorkerStore, id: string): string | undefined {
  return database.get<RecordRow>('SELECT record FROM sessions WHERE id = ?', id)?.record
}

function writeCliIds({ database }: WorkerStore, id: string, cliSessionIds: string[]): void {
  database.run('DELETE FROM cli_sessions WHERE session_id = ?', id)
  for (const [ordinal, cliSessionId] of cliSessionIds.entries())
    database.run(
      'INSERT INTO cli_sessions (session_id, ordinal, cli_session_id) VALUES (?, ?, ?)',
      id,
      ordinal,
      cliSessionId,
    )
}

function create(store: WorkerStore, input: { record: SessionRecord; idempotencyKey: string | undefined }) {
  const { record, idempotencyKey } = input
  const before =
    (idempotencyKey !== undefined
      ? store.database.get<RecordRow>(
          'SELECT record FROM sessions WHERE principal = ? AND idempotency_key = ?',
          record.principal,
          idempotencyKey,
        )?.record
      : undefined) ?? find(store, record.id)
  if (before !== undefined) return { created: false, record: before }
  const text = JSON.stringify(record)
  store.database.run(
    'INSERT INTO sessions (id, idempotency_key, record) VALUES (?, ?, ?)',
    record.id,
    idempotencyKey ?? null,
    text,
  )
  writeCliIds(store, record.id, record.cliSessionIds)
  return { created: true, record: text }
}

type SessionChange = Partial<Omit<SessionRecord, 'id' | 'principal' | 'createdAt'>>

function change(store: WorkerStore, input: { id: string; change: SessionChange }) {
  const before = find(store, input.id)
  if (before === undefined) return undefined
  const old = JSON.parse(before) as SessionRecord
  const fixed = { id: old.id, principal: old.principal, createdAt: old.createdAt }
  const record = JSON.stringify({ ...old, ...input.change, ...fixed })
  store.database.run('UPDATE sessions SET record = ? WHERE id = ?', record, input.id)
  if (input.change.cliSessionIds) writeCliIds(store, input.id, input.change.cliSessionIds)
  return record
}

function list({ database }: WorkerStore, input: SessionFilter): string[] {
  const filter = where(
    { sql: 'principal = ?', value: input.principal },
    { sql: 'workspace_id = ?', value: input.workspaceId },
    { sql: 'archived = ?', value: input.archived === undefined ? undefined : Number(input.archived) },
    { sql: 'pinned = ?', value: input.pinned === undefined ? undefined : Number(input.pinned) },
    { sql: 'updated_at <= ?', value: input.before?.updatedAt },
  )
  const seen = input.before
    ? { sql: 'AND (updated_at, id) < (?, ?)', values: [input.before.updatedAt, input.before.id] }
    : { sql: '', values: [] }
  return database
    .all<RecordRow>(
      `SELECT record FROM sessions ${filter.sql} ${seen.sql} ORDER BY updated_at DESC, id DESC LIMIT ?`,
      ...filter.values,
      ...seen.values,
      input.limit,
    )
    .map((row) => row.record)
}

export const sessionOperations = {
  'sessions.create': operation('full', create),
  'sessions.change': operation('full', change),
  'sessions.get': operation('none', find),
  'sessions.list': operation('none', list),

  'sessions.getMany': operation('none', ({ database }, ids: string[]) =>
    database
      .all<RecordRow>(
        'SELECT record FROM sessions WHERE id IN (SELECT value FROM json_each(?))',
        JSON.stringify(ids),
      )
      .map((row) => row.record),
  ),

  'sessions.remove': operation('full', ({ database }, id: string): void => {
    database.run('DELETE FROM sessions WHERE id = ?', id)
    database.run('DELETE FROM drafts WHERE key = ?', id)
  }),

  'sessions.byCliId': operation(
    'none',
    ({ database }, cliSessionId: string) =>
      database.get<RecordRow>(
        `SELECT record FROM sessions JOIN cli_sessions ON cli_sessions.session_id = sessions.id
          WHERE cli_session_id = ? ORDER BY updated_at DESC LIMIT 1`,
        cliSessionId,
      )?.record,
  ),
}
